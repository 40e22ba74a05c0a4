//! Checks that would take too much work are refused before they begin, at the place that takes it.

use serde_json::{Value, json};
use toolwright::arguments::ProblemKind;
use toolwright::content::{ErrorKind, Limit};
use toolwright::executor::OutputCheck;
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::{
    Executor, ToolName, ToolOutcome, ToolOutput, ToolRegistry, ToolSpec, tool, tool_fn, tool_type,
};

/// A pattern that makes every character of a text a choice.
const PATTERN: &str = r"^(\S+\s?){1,2000}$";

fn long() -> String {
    "word ".repeat(180_000)
}

/// Keep a text.
#[tool(register = false, pure)]
fn keep_text(#[arg(pattern = r"^(\S+\s?){1,900}$")] text: String) -> usize {
    text.len()
}

/// A note.
#[tool_type]
struct Note {
    #[arg(pattern = r"^(\S+\s?){1,900}$")]
    text: String,
}

/// Keep a note.
#[tool(register = false, pure)]
fn keep_note(note: Note) -> usize {
    note.text.len()
}

/// Keep a secret.
#[tool(register = false, pure)]
fn keep_secret(#[arg(secret, pattern = r"^(\S+\s?){1,900}$")] word: String) -> usize {
    word.len()
}

fn of_schema(schema: Value) -> Executor {
    let spec = ToolSpec::new(ToolName::new("judge").unwrap(), "Judge.")
        .with_input_schema(schema)
        .with_effect(Effect::Pure);
    let tool = tool_fn(spec, async |_: Value, _| {
        Ok::<_, toolwright::ToolError>("judged")
    });
    Executor::new(ToolRegistry::new().with(tool)).unwrap()
}

#[track_caller]
fn exceeds(outcome: &ToolOutcome, place: &str) {
    let error = outcome.error().expect("it is refused");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
    let exceeded = error.exceeded_limit().unwrap();
    assert_eq!(exceeded.limit(), Limit::CheckSteps);
    let problems = error.invalid_arguments().unwrap().problems();
    let told: Vec<_> = problems.iter().map(|p| (p.kind(), p.pointer())).collect();
    assert_eq!(told, [(ProblemKind::Limit, place)], "{error}");
    assert!(error.message().contains(place), "{error}");
    assert!(error.message().len() < 300, "{error}");
}

#[tokio::test]
async fn a_pattern_of_a_schema_is_held_against_the_length_of_the_text() {
    let executor =
        of_schema(json!({"properties": {"text": {"type": "string", "pattern": PATTERN}}}));
    let outcome = executor.call("judge", json!({"text": "a few words"})).await;
    assert_eq!(outcome.text(), "judged");
    for arguments in [
        json!({"text": long()}),
        json!({"text": format!("{} ", long())}),
    ] {
        exceeds(&executor.call("judge", &arguments).await, "/text");
        exceeds(
            &executor.call("judge", arguments.to_string()).await,
            "/text",
        );
    }
}

#[tokio::test]
async fn alternatives_are_held_against_the_size_of_the_value() {
    let branch = |n: usize| json!({"type": "array", "items": {"enum": [n]}, "minItems": n});
    let inner: Vec<Value> = (0..30).map(branch).collect();
    let outer =
        |n: usize| json!({"type": "array", "items": {"oneOf": inner}, "maxItems": 900_000 + n});
    let outer: Vec<Value> = (0..30).map(outer).collect();
    let executor = of_schema(json!({"properties": {"rows": {"oneOf": outer}}}));
    let outcome = executor
        .call("judge", json!({"rows": vec![json!([1]); 10]}))
        .await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::InvalidArguments);
    let rows = json!({"rows": vec![json!([1]); 90_000]});
    exceeds(&executor.call("judge", &rows).await, "/rows");
    exceeds(&executor.call("judge", rows.to_string()).await, "/rows");
}

#[tokio::test]
async fn a_pattern_of_an_argument_is_bounded_too() {
    let registry = ToolRegistry::new()
        .with(KeepText)
        .with(KeepNote)
        .with(KeepSecret);
    let executor = Executor::new(registry).unwrap();
    for (tool, few, many, place) in [
        (
            "keep_text",
            json!({"text": "a b"}),
            json!({"text": long()}),
            "/text",
        ),
        (
            "keep_note",
            json!({"note": {"text": "a b"}}),
            json!({"note": {"text": long()}}),
            "/note/text",
        ),
        (
            "keep_secret",
            json!({"word": "a b"}),
            json!({"word": long()}),
            "/word",
        ),
    ] {
        assert_eq!(executor.call(tool, few).await.text(), "3");
        exceeds(&executor.call(tool, &many).await, place);
        exceeds(&executor.call(tool, many.to_string()).await, place);
    }
}

#[tokio::test]
async fn an_output_that_takes_too_much_to_be_checked_is_not_shown_as_checked() {
    for check in [OutputCheck::Refuse, OutputCheck::Flag] {
        let spec = ToolSpec::new(ToolName::new("write").unwrap(), "Write.").with_output_schema(
            json!({"type": "object", "properties": {"text": {"pattern": PATTERN}}}),
        );
        let tool = tool_fn(spec, async |_: Value, _| {
            ToolOutput::json(&json!({"text": long()}))
        });
        let executor = Executor::builder(ToolRegistry::new().with(tool))
            .permission_checker(AllowAll)
            .check_output(check)
            .build()
            .unwrap();
        let outcome = executor.call("write", "").await;
        if check == OutputCheck::Refuse {
            let error = outcome.error().unwrap();
            assert_eq!(error.kind(), ErrorKind::LimitExceeded);
            assert_eq!(error.exceeded_limit().unwrap().limit(), Limit::CheckSteps);
            assert!(error.message().contains("`/text`"), "{error}");
        } else {
            let mismatch = outcome.result().mismatch().unwrap();
            assert!(mismatch.contains("`/text`"), "{mismatch}");
        }
    }
}
