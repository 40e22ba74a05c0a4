//! `#[arg(flatten)]`: the one argument is the whole object.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::permission::Verdict;
use toolwright::tools::TypedTool;
use toolwright::{
    Executor, PermissionRequest, RunTool, Tool, ToolContext, ToolOutcome, ToolRegistry, tool,
    tool_type, toolset,
};

use super::{allowing, kind};
use crate::support::{judge, place, places};
use ProblemKind::{Constraint, Missing, Repeated, Syntax, Type, Unknown};

/// The address of a person.
#[tool_type]
struct Address {
    /// The street.
    street: String,
    #[arg(pattern = "^[0-9]{5}$")]
    code: String,
    #[arg(default = "DE", aliases("land"))]
    country: String,
    rooms: Option<Vec<Room>>,
}

#[tool_type]
struct Room {
    #[arg(range = 1..=90)]
    size: u8,
}

fn no_boxes(to: &Address) -> Result<(), &'static str> {
    if to.street.starts_with("Box") {
        Err("no boxes")
    } else {
        Ok(())
    }
}

/// Send a parcel.
#[tool(register = false,
    pure,
    validate = no_boxes,
    permission = PermissionRequest::new("send", to.code.clone(), format!("Send to {}", to.street)),
    examples({"street": "Elm", "code": "12345"})
)]
fn send(#[arg(flatten)] to: Address) -> String {
    let rooms: Vec<u8> = to
        .rooms
        .into_iter()
        .flatten()
        .map(|room| room.size)
        .collect();
    format!("{} {} {} {rooms:?}", to.street, to.code, to.country)
}

/// A step of an edit.
#[tool_type]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    /// Take blank space off.
    Trim,
    /// Repeat it.
    Repeat {
        /// The number of times.
        #[arg(range = 1..=9)]
        times: usize,
    },
    /// Put something around it.
    Wrap(Brackets),
}

#[tool_type]
struct Brackets {
    left: String,
    #[arg(default = ")")]
    right: String,
}

/// Do one step.
#[tool(register = false, pure, struct_name = DoStep)]
async fn step(#[arg(flatten)] step: Step) -> String {
    tokio::task::yield_now().await;
    match step {
        Step::Trim => "trim".to_owned(),
        Step::Repeat { times } => format!("repeat {times}"),
        Step::Wrap(Brackets { left, right }) => format!("{left}..{right}"),
    }
}

/// Count words.
#[tool(register = false, pure)]
fn tally(#[arg(flatten)] words: BTreeMap<String, u8>) -> String {
    format!("{words:?}")
}

/// Take anything.
#[tool(register = false, pure)]
fn anything(#[arg(flatten)] all: Value) -> String {
    all.to_string()
}

/// All of it may be left out.
#[tool_type]
struct Options {
    #[arg(default = 3)]
    depth: u8,
    all: Option<bool>,
}

/// List things.
#[tool(register = false, pure)]
fn list(#[arg(flatten)] options: Options) -> String {
    format!("{} {:?}", options.depth, options.all)
}

fn executor() -> Executor {
    let registry = ToolRegistry::new()
        .with(Send)
        .with(DoStep)
        .with(Tally)
        .with(Anything)
        .with(List);
    allowing(registry)
}

/// By text and by tree, which must end alike.
async fn call(executor: &Executor, tool: &str, arguments: &Value) -> ToolOutcome {
    let tree = executor.call(tool, arguments).await;
    let text = executor.call(tool, arguments.to_string()).await;
    assert_eq!(tree.text(), text.text(), "{arguments}");
    assert_eq!(tree.error(), text.error());
    tree
}

#[test]
fn the_schema_is_the_types_own_and_closed() {
    let schema = Send.spec().input_schema();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["street", "code"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["street"]["description"], "The street.");
    assert_eq!(schema["properties"]["code"]["pattern"], "^[0-9]{5}$");
    assert_eq!(schema["properties"]["country"]["default"], "DE");
    assert_eq!(schema["properties"].get("to"), None);
    assert_eq!(
        schema["examples"],
        json!([{"street": "Elm", "code": "12345"}])
    );
    let steps = DoStep.spec().input_schema();
    let branches = steps["anyOf"].as_array().unwrap();
    assert_eq!(branches.len(), 3);
    assert!(
        branches
            .iter()
            .all(|branch| branch["additionalProperties"] == false)
    );
    assert_eq!(branches[1]["properties"]["times"]["maximum"], 9);
    let map = Tally.spec().input_schema();
    assert_eq!(map["additionalProperties"]["maximum"], 255);
}

#[tokio::test]
async fn a_struct_is_read_from_the_object_itself() {
    let executor = executor();
    let good = json!({"street": "Elm", "code": "12345"});
    assert_eq!(
        call(&executor, "send", &good).await.text(),
        "Elm 12345 DE []"
    );
    let all = json!({"street": "", "code": "00000", "land": "NO", "rooms": [{"size": 9}]});
    assert_eq!(call(&executor, "send", &all).await.text(), " 00000 NO [9]");
    for nothing in ["", "null", "{}", " "] {
        let outcome = executor.call("list", nothing).await;
        assert_eq!(outcome.text(), "3 None", "{nothing:?}");
        let missing = executor.call("send", nothing).await;
        let expected = ["/street", "/code"].map(|at| place(Missing, at));
        assert_eq!(places(&missing), expected);
    }
    assert_eq!(
        executor.call("list", Arguments::empty()).await.text(),
        "3 None"
    );
    assert_eq!(executor.call("list", Value::Null).await.text(), "3 None");
}

#[tokio::test]
async fn what_is_wrong_is_told_at_its_place() {
    let executor = executor();
    let good = json!({"street": "Elm", "code": "12345"});
    for (change, kind, at, words) in [
        (
            json!({"code": "1234"}),
            Constraint,
            "/code",
            "matching `^[0-9]{5}$`",
        ),
        (json!({"code": 12345}), Type, "/code", "found 12345"),
        (json!({"land": 1}), Type, "/land", "found 1"),
        (
            json!({"countri": "x"}),
            Unknown,
            "/countri",
            "did you mean `country`?",
        ),
        (
            json!({"rooms": [{"size": 1}, {"size": 91}]}),
            Constraint,
            "/rooms/1/size",
            "from 1 to 90, found 91",
        ),
        (
            json!({"rooms": [{"size": 1}, {}]}),
            Missing,
            "/rooms/1/size",
            "is required and missing",
        ),
        (
            json!({"rooms": [{"size": 1, "siez": 2}]}),
            Unknown,
            "/rooms/0/siez",
            "there is no such argument; valid here: `size`",
        ),
        (
            json!({"rooms": [[1]]}),
            Type,
            "/rooms/0",
            "found a list of 1",
        ),
    ] {
        let mut arguments = good.clone();
        arguments
            .as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        let outcome = call(&executor, "send", &arguments).await;
        assert_eq!(places(&outcome), [place(kind, at)], "{}", outcome.text());
        assert!(outcome.text().contains(words), "{}", outcome.text());
        let valid = "Valid arguments: `code` (required), `street` (required), `country`, `rooms`.";
        assert!(outcome.text().ends_with(valid), "{}", outcome.text());
    }
    let boxed = json!({"street": "Box 1", "code": "12345"});
    let refused = call(&executor, "send", &boxed).await;
    assert_eq!(refused.text(), "Invalid arguments: no boxes");
}

#[tokio::test]
async fn a_list_or_a_value_is_no_object() {
    let executor = executor();
    for tool in ["send", "step", "tally", "anything", "list"] {
        for other in [
            json!([]),
            json!(["Elm", "12345"]),
            json!("x"),
            json!(1),
            json!(true),
        ] {
            let outcome = call(&executor, tool, &other).await;
            assert_eq!(places(&outcome), [place(Type, "")], "{tool} {other}");
        }
        for text in ["{", "{} {}", "{}x", "\u{a0}{}", "{\"a\": }"] {
            let outcome = executor.call(tool, text).await;
            assert_eq!(places(&outcome), [place(Syntax, "")], "{tool} {text}");
        }
    }
}

#[tokio::test]
async fn a_tagged_enum_is_the_whole_call() {
    let executor = executor();
    for (arguments, expected) in [
        (json!({"do": "trim"}), "trim"),
        (json!({"do": "repeat", "times": 3}), "repeat 3"),
        (json!({"times": 9, "do": "repeat"}), "repeat 9"),
        (json!({"do": "wrap", "left": "("}), "(..)"),
    ] {
        assert_eq!(call(&executor, "step", &arguments).await.text(), expected);
    }
    for (arguments, kind, at, words) in [
        (
            json!({}),
            Missing,
            "/do",
            "expected one of \"trim\", \"repeat\", \"wrap\"",
        ),
        (
            json!({"do": "repaet"}),
            Type,
            "/do",
            "did you mean `repeat`?",
        ),
        (json!({"do": 1}), Type, "/do", "found 1"),
        // serde takes the number of a branch for its name, which no schema says.
        (json!({"do": 0}), Type, "/do", "found 0"),
        (
            json!({"do": "repeat"}),
            Missing,
            "/times",
            "an integer from 1 to 9",
        ),
        (
            json!({"do": "repeat", "times": 10}),
            Constraint,
            "/times",
            "found 10",
        ),
        (
            json!({"do": "repeat", "times": "x"}),
            Type,
            "/times",
            "found the text",
        ),
        (
            json!({"do": "repeat", "times": 1, "time": 1}),
            Unknown,
            "/time",
            "there is no such argument; valid here: `do`, `times`",
        ),
        (
            json!({"do": "trim", "times": 1}),
            Unknown,
            "/times",
            "no such argument",
        ),
        (
            json!({"do": "wrap", "left": "(", "rigth": "}"}),
            Unknown,
            "/rigth",
            "did you mean `right`?",
        ),
        (
            json!({"do": "wrap", "right": "}"}),
            Missing,
            "/left",
            "is required",
        ),
    ] {
        let outcome = call(&executor, "step", &arguments).await;
        assert_eq!(places(&outcome), [place(kind, at)], "{}", outcome.text());
        assert!(outcome.text().contains(words), "{}", outcome.text());
        assert!(outcome.text().contains("Valid arguments: `do` (required)"));
    }
}

#[tokio::test]
async fn a_map_takes_all_names_and_each_once() {
    let executor = executor();
    let words = json!({"a": 1, "b/c": 2});
    assert_eq!(
        call(&executor, "tally", &words).await.text(),
        r#"{"a": 1, "b/c": 2}"#
    );
    assert_eq!(executor.call("tally", "").await.text(), "{}");
    let wrong = call(&executor, "tally", &json!({"b/c": 256})).await;
    assert_eq!(places(&wrong), [place(Type, "/b~1c")]);
    for tool in ["tally", "anything"] {
        let twice = executor
            .call(tool, r#"{"a": 1, "b": 2, "\u0061": 3}"#)
            .await;
        assert_eq!(places(&twice), [place(Repeated, "/a")], "{tool}");
    }
    let deep = executor
        .call("anything", r#"{"a": [{"b": 1, "b": 2}]}"#)
        .await;
    assert_eq!(places(&deep), [place(Repeated, "/a/0/b")]);
    let any = json!({"a": [{"b": null}], "c": "d"});
    assert_eq!(
        call(&executor, "anything", &any).await.text(),
        any.to_string()
    );
    let twice = executor
        .call("send", r#"{"code": "12345", "street": "a", "street": "b"}"#)
        .await;
    assert_eq!(places(&twice), [place(Repeated, "/street")]);
    let twice = executor
        .call("step", r#"{"do": "trim", "do": "trim"}"#)
        .await;
    assert_eq!(places(&twice), [place(Repeated, "/do")]);
}

/// Do one step, as a struct.
#[derive(Tool)]
#[tool(register = false, pure)]
struct TakeStep {
    #[arg(flatten)]
    step: Step,
}

impl RunTool for TakeStep {
    type Output = bool;

    async fn run(self, _ctx: &ToolContext) -> bool {
        matches!(self.step, Step::Trim)
    }
}

struct Desk {
    name: &'static str,
}

#[toolset(prefix = "desk")]
impl Desk {
    /// Send something.
    #[tool(idempotent, validate = no_boxes, permission = self.request(to))]
    fn send(&self, #[arg(flatten)] to: Address) -> String {
        format!("{} to {}", self.name, to.street)
    }

    fn request(&self, to: &Address) -> PermissionRequest {
        PermissionRequest::new(
            "send",
            to.code.clone(),
            format!("{} {}", self.name, to.street),
        )
    }
}

#[tokio::test]
async fn a_struct_and_a_method_take_the_whole_object_too() {
    let checker = judge(
        |_| Verdict::Allow,
        |_, request| match request.summary() {
            "Bo Elm" => Verdict::Allow,
            other => Verdict::deny(other.to_owned()),
        },
    );
    let registry = ToolRegistry::new()
        .with_type::<TakeStep>()
        .with_set(Desk { name: "Bo" });
    let executor = Executor::builder(registry)
        .permission_checker(checker)
        .build()
        .unwrap();
    assert_eq!(
        executor.call("take_step", r#"{"do": "trim"}"#).await.text(),
        "true"
    );
    let wrong = call(&executor, "take_step", &json!({"do": "trim", "x": 1})).await;
    assert_eq!(places(&wrong), [place(Unknown, "/x")]);
    let invalid = TakeStep::from_arguments(&r#"{"do": "trim", "x": 1}"#.into())
        .err()
        .unwrap();
    assert_eq!(invalid.problems()[0].pointer(), "/x");
    let sent = call(
        &executor,
        "desk.send",
        &json!({"street": "Elm", "code": "12345"}),
    )
    .await;
    assert_eq!(sent.text(), "Bo to Elm");
    let denied = call(
        &executor,
        "desk.send",
        &json!({"street": "Oak", "code": "12345"}),
    )
    .await;
    assert_eq!(kind(&denied), Some(ErrorKind::Denied));
    assert!(denied.text().contains("Bo Oak"), "{}", denied.text());
    let wrong = call(
        &executor,
        "desk.send",
        &json!({"street": "Oak", "code": "x"}),
    )
    .await;
    assert_eq!(places(&wrong), [place(Constraint, "/code")]);
}
