//! Numbers: an integer is the one that was written, a float the nearest there is, and what neither holds is
//! refused with its place.

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::spec::Effect;
use toolwright::{Executor, ToolError, ToolName, ToolRegistry, ToolSpec, tool, tool_fn, tool_type};

/// A part.
#[tool_type]
#[derive(Debug)]
struct Part {
    count: u32,
    ratio: f64,
}

/// A number or a text.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Either {
    Count(u32),
    Text(String),
}

/// Show numbers.
#[tool(register = false, pure)]
#[allow(clippy::too_many_arguments, reason = "one of each kind")]
fn show(
    count: Option<u32>,
    #[arg(aliases("proportion"))] ratio: Option<f64>,
    single: Option<f32>,
    wide: Option<u128>,
    any: Option<Value>,
    part: Option<Part>,
    either: Option<Either>,
    #[arg(secret)] pin: Option<u32>,
) -> String {
    let any = any.map(|any| any.to_string());
    format!("{count:?} {ratio:?} {single:?} {wide:?} {any:?} {part:?} {either:?} {pin:?}")
}

fn executor() -> Executor {
    let spec = ToolSpec::new(ToolName::new("by_schema").unwrap(), "By a schema.")
        .with_input_schema(json!({"type": "object", "properties": {
            "count": {"type": "integer"}, "ratio": {"type": "number"}, "any": {},
        }}))
        .with_effect(Effect::Pure);
    let by_schema = tool_fn(spec, async |arguments: Value, _| {
        Ok::<_, ToolError>(arguments.to_string())
    });
    let open = ToolSpec::new(ToolName::new("open").unwrap(), "Whatever.")
        .with_input_schema(json!({"type": "object"}))
        .with_effect(Effect::Pure);
    let open = tool_fn(open, async |arguments: Value, _| {
        Ok::<_, ToolError>(arguments.to_string())
    });
    Executor::new(ToolRegistry::new().with(Show).with(by_schema).with(open)).unwrap()
}

#[tokio::test]
async fn a_number_that_would_be_rounded_is_refused_with_its_place() {
    let executor = executor();
    for (tool, text, place) in [
        ("show", r#"{"count": 4.9999999999999999999}"#, "/count"),
        ("show", r#"{"count": 1e-400}"#, "/count"),
        ("show", r#"{"ratio": 1e-400}"#, "/ratio"),
        ("show", r#"{"ratio": -0.1e-400}"#, "/ratio"),
        ("show", r#"{"single": 1e-60}"#, "/single"),
        ("show", r#"{"wide": 4.9999999999999999999}"#, "/wide"),
        ("show", r#"{"any": 12345678901234567890123}"#, "/any"),
        (
            "show",
            r#"{"any": {"a/b": [1, 12345678901234567890123]}}"#,
            "/any/a~1b/1",
        ),
        ("show", r#"{"any": 1e-400}"#, "/any"),
        (
            "show",
            r#"{"part": {"count": 4.9999999999999999999, "ratio": 1}}"#,
            "/part/count",
        ),
        ("show", r#"{"either": 4.9999999999999999999}"#, "/either"),
        ("by_schema", r#"{"count": 4.9999999999999999999}"#, "/count"),
        ("by_schema", r#"{"ratio": 1e-400}"#, "/ratio"),
        (
            "by_schema",
            r#"{"any": [12345678901234567890123]}"#,
            "/any/0",
        ),
        ("open", r#"{"any": 12345678901234567890123}"#, "/any"),
        // Not by way of a repair either.
        ("show", r#"{"Count": 4.9999999999999999999}"#, "/Count"),
        ("show", r#"{"count": "4.9999999999999999999"}"#, "/count"),
        (
            "show",
            r#"{"part": "{\"count\": 4.9999999999999999999, \"ratio\": 1}"}"#,
            "/part",
        ),
    ] {
        let outcome = executor.call(tool, text).await;
        let Some(error) = outcome.error() else {
            panic!("{text} ran: {}", outcome.text());
        };
        let problems = error.invalid_arguments().unwrap().problems();
        assert_eq!(problems.len(), 1, "{text}: {error}");
        assert_eq!(problems[0].pointer(), place, "{text}: {error}");
    }
    let outcome = executor
        .call("show", r#"{"pin": 4.9999999999999999999}"#)
        .await;
    let error = outcome.error().unwrap();
    assert!(!error.message().contains("4.99"), "{error}");
    let outcome = executor.call("show", r#"{"ratio": 1e400}"#).await;
    let problems = outcome
        .error()
        .unwrap()
        .invalid_arguments()
        .unwrap()
        .problems();
    assert_eq!(problems[0].kind(), ProblemKind::Syntax);
}

#[tokio::test]
async fn what_is_the_same_number_or_the_nearest_float_runs() {
    let executor = executor();
    let none = |shown: &str| {
        shown
            .replace("None", "")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, expected) in [
        (r#"{"count": 5.0, "ratio": 5}"#, "Some(5) Some(5.0)"),
        (r#"{"count": 50e-1, "ratio": 0.0}"#, "Some(5) Some(0.0)"),
        (
            r#"{"ratio": 0.1234567890123456789}"#,
            "Some(0.12345678901234568)",
        ),
        (r#"{"ratio": 4.9999999999999999999}"#, "Some(5.0)"),
        (
            r#"{"ratio": 12345678901234567890123}"#,
            "Some(1.2345678901234568e22)",
        ),
        (
            r#"{"wide": 12345678901234567890123}"#,
            "Some(12345678901234567890123)",
        ),
        (
            r#"{"any": [0.1, 5.0, 1e3, 18446744073709551615, 0e5]}"#,
            r#"Some("[0.1,5.0,1000.0,18446744073709551615,0.0]")"#,
        ),
        (
            r#"{"part": {"count": 5.0, "ratio": 4.9999999999999999999}}"#,
            "Some(Part { count: 5, ratio: 5.0 })",
        ),
    ] {
        let outcome = executor.call("show", text).await;
        assert_eq!(none(&outcome.text()), expected, "{text}");
    }
    let outcome = executor
        .call("by_schema", r#"{"ratio": 4.9999999999999999999}"#)
        .await;
    assert_eq!(outcome.text(), r#"{"ratio":5.0}"#);
}
