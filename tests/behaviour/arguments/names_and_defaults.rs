//! Arguments that a tool takes: what is read, under which names, and what is filled in.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::arguments::{Arguments, ProblemKind};
use toolwright::{Executor, Tool, ToolRegistry, tool};

use crate::support::{place, places};

/// An order of results.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    #[default]
    Date,
    Relevance,
}

/// Cannot be written, so that its default cannot be shown.
#[derive(Debug, Deserialize, JsonSchema)]
struct Opaque {
    depth: u8,
}

impl Default for Opaque {
    fn default() -> Self {
        Self { depth: 3 }
    }
}

const FEW: u32 = 3;

/// Take what is not given from the defaults.
#[tool(pure)]
fn fill_in(
    #[arg(default = "all")] scope: String,
    #[arg(default = FEW * 2)] count: u32,
    #[arg(default = Sort::Relevance)] sort: Sort,
    #[arg(default)] tags: Vec<String>,
    #[arg(default)] opaque: Opaque,
    #[arg(default = 1.5)] weight: f64,
    note: Option<String>,
) -> String {
    format!(
        "{scope} {count} {sort:?} {tags:?} {} {weight} {note:?}",
        opaque.depth
    )
}

/// Take arguments under other names.
#[tool(pure)]
fn renamed(
    #[arg(name = "type", aliases("kind", "sort"))] what: String,
    #[arg(aliases("first"), default = 1)] from: u32,
    r#where: Option<String>,
) -> String {
    format!("{what} {from} {}", r#where.unwrap_or_default())
}

fn executor() -> Executor {
    Executor::new(ToolRegistry::new().with(FillIn).with(Renamed)).unwrap()
}

#[tokio::test]
async fn nothing_at_all_means_an_empty_object() {
    let executor = executor();
    let nothing = || {
        [
            Arguments::empty(),
            "".into(),
            " \n".into(),
            "null".into(),
            "{}".into(),
            " { } ".into(),
            Value::Null.into(),
            json!({}).into(),
        ]
    };
    for arguments in nothing() {
        let outcome = executor.call("fill_in", arguments).await;
        assert_eq!(outcome.text(), "all 6 Relevance [] 3 1.5 None");
    }
    for arguments in nothing() {
        let outcome = executor.call("renamed", arguments).await;
        assert_eq!(places(&outcome), [place(ProblemKind::Missing, "/type")]);
    }
}

#[tokio::test]
async fn defaults_are_shown_where_they_can_be_and_applied_everywhere() {
    let schema = FillIn.spec().input_schema();
    assert_eq!(schema.get("required"), None);
    let default = |name: &str| schema["properties"][name].get("default").cloned();
    assert_eq!(default("scope"), Some(json!("all")));
    assert_eq!(default("count"), Some(json!(6)));
    assert_eq!(default("sort"), Some(json!("relevance")));
    assert_eq!(default("tags"), Some(json!([])));
    assert_eq!(default("opaque"), None);
    assert_eq!(default("weight"), Some(json!(1.5)));
    assert_eq!(default("note"), None);

    let given = json!({
        "scope": "", "count": 0, "sort": "date", "tags": ["x"], "opaque": {"depth": 0},
        "weight": 0.5, "note": "n",
    });
    let outcome = executor().call("fill_in", given).await;
    assert_eq!(
        outcome.text(),
        r#" 0 Date ["x"] 0 0.5 Some("n")"#,
        "what is given stays"
    );
}

#[tokio::test]
async fn an_argument_has_one_name_in_the_schema_and_others_in_calls() {
    let schema = Renamed.spec().input_schema();
    let names = schema["properties"].as_object().unwrap().keys();
    let names: BTreeSet<&str> = names.map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["type", "from", "where"]));
    assert_eq!(schema["required"], json!(["type"]));

    let executor = executor();
    for name in ["type", "kind", "sort"] {
        for arguments in [
            Arguments::from(json!({name: "a"})),
            json!({name: "a"}).to_string().into(),
        ] {
            let outcome = executor.call("renamed", arguments).await;
            assert_eq!(outcome.text(), "a 1 ", "{name}");
        }
    }
    let all = executor
        .call("renamed", r#"{"where": "c", "first": 9, "kind": "b"}"#)
        .await;
    assert_eq!(all.text(), "b 9 c");

    // The parameter's own name is none that the model knows.
    let own = executor.call("renamed", r#"{"what": "a"}"#).await;
    let expected = [
        place(ProblemKind::Unknown, "/what"),
        place(ProblemKind::Missing, "/type"),
    ];
    assert_eq!(places(&own), expected);
}

#[tokio::test]
async fn an_argument_is_given_once_under_whatever_names() {
    let executor = executor();
    let repeated = [place(ProblemKind::Repeated, "/type")];
    for text in [
        r#"{"type": "a", "type": "a"}"#,
        r#"{"type": "a", "kind": "a"}"#,
        r#"{"sort": "a", "kind": "b"}"#,
        r#"{"type": "a", "ty\u0070e": "b"}"#,
    ] {
        assert_eq!(
            places(&executor.call("renamed", text).await),
            repeated,
            "{text}"
        );
    }
    let tree = executor
        .call("renamed", json!({"type": "a", "kind": "a"}))
        .await;
    assert_eq!(places(&tree), repeated);
}
