//! Types with a `Deserialize` by hand that reads the arguments of another tool meanwhile: what
//! that read comes upon is no matter of the call.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::tools::TypedTool;
use toolwright::{Executor, RunTool, Tool, ToolContext, ToolRegistry, tool, tool_type};

use crate::support::{place, places};

/// Somebody.
#[tool_type]
struct Person {
    #[arg(range = 0..=120)]
    age: u8,
}

/// Ask about people.
#[derive(Tool)]
#[tool(register = false, pure)]
struct Ask {
    people: Vec<Person>,
    tags: Option<std::collections::BTreeMap<String, u8>>,
}

impl RunTool for Ask {
    type Output = usize;

    async fn run(self, _: &ToolContext) -> usize {
        self.people.len() + self.tags.map_or(0, |tags| tags.len())
    }
}

/// A question that is read as the arguments of `ask`, whether it fits or not.
fn question<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(Ask::from_arguments(&Arguments::from(text)).is_ok())
}

/// A question, and who asks.
#[tool_type]
struct Letter {
    #[serde(deserialize_with = "question")]
    #[schemars(with = "String")]
    body: bool,
    #[arg(aliases("kind"), one_of("plain", "rich"))]
    form: Option<String>,
    #[arg(range = 0..=9)]
    weight: Option<u8>,
}

/// Send letters.
#[tool(register = false, pure)]
fn send(letters: Vec<Letter>) -> String {
    let all = letters.iter().map(|letter| {
        let form = letter.form.as_deref().unwrap_or("none");
        format!("{} {form} {:?}", letter.body, letter.weight)
    });
    all.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn what_a_read_within_a_read_comes_upon_is_its_own_matter() {
    use ProblemKind::{Constraint, Type};
    let executor = Executor::new(ToolRegistry::new().with(Send)).unwrap();
    for body in [
        json!({"people": [{"age": 1}], "tags": {"a": 1}}),
        json!({"people": [{"age": 121}]}),
        json!({"people": [{"age": 1, "name": "Ada"}]}),
        json!({"people": [], "tags": {"a": 1, "b": null}}),
    ] {
        let fits = Ask::from_arguments(&Arguments::from(body.to_string())).is_ok();
        let letter = |change: Value| {
            let mut letter = json!({"body": body.to_string()});
            let members = letter.as_object_mut().unwrap();
            members.extend(change.as_object().unwrap().clone());
            json!({"letters": [letter]})
        };
        for (change, kind, at) in [
            (json!({"kind": "dog"}), Constraint, "/letters/0/kind"),
            (json!({"kind": 1}), Type, "/letters/0/kind"),
            (json!({"weight": "dog"}), Type, "/letters/0/weight"),
            (json!({"weight": 10}), Constraint, "/letters/0/weight"),
        ] {
            let arguments = letter(change);
            let tree = executor.call("send", &arguments).await;
            let text = executor.call("send", arguments.to_string()).await;
            assert_eq!(places(&tree), [place(kind, at)], "{arguments}");
            assert_eq!(places(&text), [place(kind, at)], "{arguments}");
        }
        let good = executor.call("send", letter(json!({"kind": "rich"}))).await;
        assert_eq!(good.text(), format!("{fits} rich None"));
    }
}
