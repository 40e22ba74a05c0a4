//! Constraints of arguments: named once, they are in the schema and enforced.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::arguments::{ProblemKind, constraint};
use toolwright::content::ErrorKind;
use toolwright::{Executor, Tool, ToolOutcome, ToolRegistry, tool};

/// Take one argument of each constraint, all of them with a default.
#[tool(pure)]
#[expect(clippy::too_many_arguments)]
fn take_plain(
    #[arg(default = 5, range = 1..=10)] whole: u32,
    #[arg(default = 5, range = 1..10)] below: u64,
    #[arg(default = 0.5, range = 0.0..1.0)] share: f64,
    #[arg(default = -3, range = ..=-1)] debt: i64,
    #[arg(default = "abc", length = 2..=4)] text: String,
    #[arg(default, length = ..3)] list: Vec<u8>,
    #[arg(default = "ab", pattern = "^[a-z]+$")] word: String,
    #[arg(default = "2026-01-01", format = "date")] day: String,
    #[arg(default = "asc", one_of("asc", "desc"))] order: String,
    #[arg(default = 1, one_of(1, 2, 4))] factor: u8,
    #[arg(default = 10, range = 0..=100, multiple_of = 5)] step: u64,
    #[arg(default = 0.3, multiple_of = 0.1)] tenths: f32,
    #[arg(default, unique_items)] tags: Vec<String>,
) -> String {
    format!(
        "{whole} {below} {share} {debt} {text} {list:?} {word} {day} {order} {factor} {step} {tenths} {tags:?}"
    )
}

/// Take one argument of each constraint, all of them optional.
#[tool(pure)]
#[expect(clippy::too_many_arguments)]
fn take_optional(
    #[arg(range = 1..=10)] whole: Option<u32>,
    #[arg(range = 1..10)] below: Option<u64>,
    #[arg(range = 0.0..1.0)] share: Option<f64>,
    #[arg(range = ..=-1)] debt: Option<i64>,
    #[arg(length = 2..=4)] text: Option<String>,
    #[arg(length = ..3)] list: Option<Vec<u8>>,
    #[arg(pattern = "^[a-z]+$")] word: Option<String>,
    #[arg(format = "date")] day: Option<String>,
    #[arg(one_of("asc", "desc"))] order: Option<String>,
    #[arg(one_of(1, 2, 4))] factor: Option<u8>,
    #[arg(range = 0..=100, multiple_of = 5)] step: Option<u64>,
    #[arg(multiple_of = 0.1)] tenths: Option<f32>,
    #[arg(unique_items)] tags: Option<Vec<String>>,
) -> String {
    format!(
        "{whole:?} {below:?} {share:?} {debt:?} {text:?} {list:?} {word:?} {day:?} {order:?} {factor:?} {step:?} \
         {tenths:?} {tags:?}"
    )
}

fn executor() -> Executor {
    Executor::new(ToolRegistry::new().with(TakePlain).with(TakeOptional)).unwrap()
}

const TOOLS: [&str; 2] = ["take_plain", "take_optional"];

#[test]
fn each_constraint_is_in_the_schema() {
    let expected = json!({
        "whole": {"type": "integer", "minimum": 1, "maximum": 10},
        "below": {"type": "integer", "minimum": 1, "maximum": 9},
        "share": {"type": "number", "minimum": 0.0, "exclusiveMaximum": 1.0},
        "debt": {"type": "integer", "minimum": i64::MIN, "maximum": -1},
        "text": {"type": "string", "minLength": 2, "maxLength": 4},
        "list": {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 255},
            "maxItems": 2,
        },
        "word": {"type": "string", "pattern": "^[a-z]+$"},
        "day": {"type": "string", "format": "date"},
        "order": {"type": "string", "enum": ["asc", "desc"]},
        "factor": {"type": "integer", "minimum": 0, "maximum": 255, "enum": [1, 2, 4]},
        "step": {"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 5},
        "tenths": {"type": "number", "multipleOf": 0.1},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
    });
    let optional = TakeOptional.spec().input_schema();
    assert_eq!(optional["properties"], expected);
    assert_eq!(optional.get("required"), None);

    let mut plain = TakePlain.spec().input_schema()["properties"].clone();
    let mut defaults = json!({});
    for (name, property) in plain.as_object_mut().unwrap() {
        defaults[name] = property.as_object_mut().unwrap().remove("default").unwrap();
    }
    assert_eq!(plain, expected);
    assert_eq!(
        defaults,
        json!({
            "whole": 5, "below": 5, "share": 0.5, "debt": -3, "text": "abc", "list": [],
            "word": "ab", "day": "2026-01-01", "order": "asc", "factor": 1,
            "step": 10, "tenths": 0.3, "tags": [],
        })
    );
}

/// For each argument what is allowed, and what is of the right type and not allowed.
fn values() -> [(&'static str, Vec<Value>, Vec<Value>); 13] {
    let both = |good: Value, bad: Value| match (good, bad) {
        (Value::Array(good), Value::Array(bad)) => (good, bad),
        other => panic!("{other:?} are no lists"),
    };
    [
        ("whole", both(json!([1, 10]), json!([0, 11]))),
        ("below", both(json!([1, 9]), json!([0, 10, u64::MAX]))),
        (
            "share",
            both(json!([0.0, 0.999]), json!([1.0, -0.1, 1e300])),
        ),
        ("debt", both(json!([-1, i64::MIN]), json!([0, 5]))),
        (
            "text",
            both(json!(["ab", "äöüß"]), json!(["a", "äöüßé", ""])),
        ),
        ("list", both(json!([[], [1, 2]]), json!([[1, 2, 3]]))),
        (
            "word",
            both(json!(["a", "abcdefghij"]), json!(["", "a1", "a b"])),
        ),
        (
            "day",
            both(json!(["2024-02-29"]), json!(["2023-02-29", "today", ""])),
        ),
        ("order", both(json!(["asc", "desc"]), json!(["up", ""]))),
        ("factor", both(json!([1, 2, 4]), json!([0, 3]))),
        ("step", both(json!([0, 5, 100]), json!([1, 99, 105]))),
        (
            "tenths",
            both(json!([0.3, -1.1, 0, 0.0, 7]), json!([0.35, 1e-9])),
        ),
        (
            "tags",
            both(
                json!([[], ["a"], ["a", "A", ""]]),
                json!([["a", "a"], ["a", "b", "c", "a"]]),
            ),
        ),
    ]
    .map(|(name, (good, bad))| (name, good, bad))
}

/// The one problem of a call that was refused.
fn only_problem(outcome: &ToolOutcome) -> (ProblemKind, String) {
    let error = outcome.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    match error.invalid_arguments().unwrap().problems() {
        [one] => (one.kind(), one.pointer().to_owned()),
        other => panic!("{other:?} are not one"),
    }
}

#[tokio::test]
async fn each_constraint_is_enforced() {
    let executor = executor();
    for tool in TOOLS {
        for (name, good, bad) in values() {
            for value in good {
                let outcome = executor.call(tool, json!({name: value})).await;
                assert!(
                    outcome.is_success(),
                    "{tool} {name} {value}: {}",
                    outcome.text()
                );
            }
            for value in bad {
                let arguments = json!({name: value}).to_string();
                let outcome = executor.call(tool, &arguments).await;
                assert!(outcome.result().is_error(), "{tool} took {arguments}");
                let expected = (ProblemKind::Constraint, format!("/{name}"));
                assert_eq!(only_problem(&outcome), expected, "{tool} {arguments}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_absent_or_null_breaks_no_constraint() {
    let executor = executor();
    let absent = executor.call("take_optional", "").await;
    assert_eq!(absent.text(), ["None"; 13].join(" "));
    let nulls: Value = values()
        .iter()
        .map(|(name, ..)| (*name, Value::Null))
        .collect();
    let null = executor.call("take_optional", nulls).await;
    assert_eq!(null.text(), absent.text());
    let defaults = executor.call("take_plain", "").await;
    assert_eq!(
        defaults.text(),
        "5 5 0.5 -3 abc [] ab 2026-01-01 asc 1 10 0.3 []"
    );
}

#[tokio::test]
async fn a_refusal_says_what_would_be_taken() {
    let executor = executor();
    let cases = [
        (
            json!({"whole": 11}),
            "`/whole`: expected an integer from 1 to 10, found 11",
        ),
        (
            json!({"below": 10}),
            "`/below`: expected an integer from 1 to 9, found 10",
        ),
        (
            json!({"share": 1.0}),
            "`/share`: expected a number of at least 0.0 and below 1.0, found 1.0",
        ),
        (
            json!({"debt": 0}),
            "`/debt`: expected an integer of at most -1, found 0",
        ),
        (
            json!({"text": "a"}),
            "`/text`: expected text of 2 to 4 characters, found the text \"a\"",
        ),
        (
            json!({"list": [1, 2, 3]}),
            "`/list`: expected a list of integers from 0 to 255, at most 2, found a list of 3",
        ),
        (
            json!({"word": "a1"}),
            "`/word`: expected text matching `^[a-z]+$`, found the text \"a1\"",
        ),
        (
            json!({"day": "today"}),
            "`/day`: expected a date such as \"2030-01-31\", found the text \"today\"",
        ),
        (
            json!({"order": "dec"}),
            "`/order`: expected one of \"asc\", \"desc\", found the text \"dec\"; did you mean `desc`?",
        ),
        (
            json!({"factor": 3}),
            "`/factor`: expected one of 1, 2, 4, found 3",
        ),
        (
            json!({"step": 7}),
            "`/step`: expected an integer from 0 to 100, a multiple of 5, found 7",
        ),
        (
            json!({"tenths": 0.35}),
            "`/tenths`: expected a number, a multiple of 0.1, found 0.35",
        ),
        (
            json!({"tags": ["a", "b", "a"]}),
            "`/tags`: expected a list of different texts, found a list of 3 with \"a\" twice",
        ),
    ];
    for (arguments, expected) in cases {
        let outcome = executor.call("take_optional", &arguments).await;
        let text = outcome.text();
        let first = text.lines().next().unwrap();
        assert_eq!(first, format!("Invalid arguments: {expected}"));
    }
}

/// A text type of the app.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Slug(String);

impl constraint::TextTarget for Slug {
    fn text(&self) -> Option<&str> {
        Some(&self.0)
    }
}

impl constraint::LengthTarget for Slug {
    const KIND: constraint::LengthKind = constraint::LengthKind::Text;

    fn length(&self) -> Option<usize> {
        Some(self.0.chars().count())
    }
}

/// Publish a page.
#[tool(pure)]
fn publish(#[arg(pattern = "^[a-z-]+$", length = ..=8)] slug: Slug) -> String {
    slug.0
}

#[tokio::test]
async fn a_type_of_ones_own_can_be_constrained() {
    let slug = &Publish.spec().input_schema()["properties"]["slug"];
    assert_eq!(slug["pattern"], "^[a-z-]+$");
    assert_eq!(slug["maxLength"], 8);
    let executor = Executor::new(ToolRegistry::new().with(Publish)).unwrap();
    assert_eq!(
        executor
            .call("publish", r#"{"slug": "a-page"}"#)
            .await
            .text(),
        "a-page"
    );
    for bad in ["A Page", "a-long-page"] {
        let outcome = executor.call("publish", json!({"slug": bad})).await;
        assert_eq!(
            only_problem(&outcome),
            (ProblemKind::Constraint, "/slug".to_owned())
        );
    }
}
