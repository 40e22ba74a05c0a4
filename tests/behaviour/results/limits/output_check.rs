//! Outputs that are held to what their tools declare.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::event::EventChannel;
use toolwright::executor::{Limits, OutputCheck};
use toolwright::hook::{AfterCall, AfterDecision, AfterTool};
use toolwright::state::StateCommand;
use toolwright::{
    Executor, ToolCall, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec, async_trait, tool,
    tool_fn,
};

/// A tool that declares a count and a name, and gives what it is made with.
fn giving(output: ToolOutput) -> ToolRegistry {
    let schema = json!({
        "type": "object",
        "properties": {
            "count": { "type": "integer" },
            "names": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["count"],
    });
    let spec = ToolSpec::new(ToolName::new("give").unwrap(), "Gives.")
        .with_effect(toolwright::spec::Effect::Pure)
        .with_output_schema(schema);
    ToolRegistry::new().with(tool_fn(spec, move |_: Value, _| {
        let output = output.clone();
        async { Ok::<_, ToolError>(output) }
    }))
}

fn executor(output: ToolOutput, check: OutputCheck) -> Executor {
    Executor::builder(giving(output))
        .check_output(check)
        .build()
        .unwrap()
}

fn data(value: &Value) -> ToolOutput {
    ToolOutput::json(value).unwrap()
}

#[tokio::test]
async fn what_is_as_declared_goes_on_as_it_is() {
    let good = data(&json!({ "count": 2, "names": ["a", "b"] }));
    for check in [OutputCheck::Off, OutputCheck::Flag, OutputCheck::Refuse] {
        let outcome = executor(good.clone(), check).call("give", "{}").await;
        assert_eq!(outcome.text(), r#"{"count":2,"names":["a","b"]}"#);
        assert_eq!(outcome.result().mismatch(), None);
    }
}

#[tokio::test]
async fn s1_17_what_is_not_is_refused_and_the_place_is_named() {
    let bad = data(&json!({ "count": "2", "names": ["a", 1] }));
    let outcome = executor(bad, OutputCheck::Refuse).call("give", "{}").await;
    let error = outcome.result().error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Internal, "output_mismatch")
    );
    let text = outcome.text();
    for part in ["count", "expected an integer", "names", "fault of the tool"] {
        assert!(text.contains(part), "{text}");
    }
    let missing = data(&json!({ "names": [] }));
    let outcome = executor(missing, OutputCheck::Refuse)
        .call("give", "{}")
        .await;
    assert!(
        outcome.text().contains("`/count`: is required and missing"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn s1_17_or_it_is_flagged_and_the_model_gets_it() {
    let bad = data(&json!({ "count": "2" }));
    let outcome = executor(bad.clone(), OutputCheck::Flag)
        .call("give", "{}")
        .await;
    assert_eq!(outcome.text(), r#"{"count":"2"}"#);
    assert!(!outcome.result().is_error());
    let mismatch = outcome.result().mismatch().unwrap();
    assert!(
        mismatch.contains("count") && mismatch.contains("integer"),
        "{mismatch}"
    );
    let outcome = executor(bad, OutputCheck::Off).call("give", "{}").await;
    assert_eq!(outcome.result().mismatch(), None);
}

#[tokio::test]
async fn a_tool_that_declares_data_and_gives_text_alone_is_at_fault() {
    let text = ToolOutput::text("two");
    let outcome = executor(text, OutputCheck::Refuse).call("give", "{}").await;
    assert!(
        outcome.text().contains("it has no structured part"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn what_is_refused_changes_no_state() {
    let output = || data(&json!({ "count": "2" })).with_command(StateCommand::set(7_u32));
    let builder = |check| Executor::builder(giving(output())).check_output(check);
    for (check, state) in [(OutputCheck::Flag, Some(7)), (OutputCheck::Refuse, None)] {
        for executor in [
            builder(check).build().unwrap(),
            builder(check).events(EventChannel::new(8)).build().unwrap(),
            builder(check).after(Looks).build().unwrap(),
        ] {
            let session = executor.session("s");
            session.call(ToolCall::new("give", "{}")).await;
            assert_eq!(session.state().get::<u32>().copied(), state, "{check:?}");
        }
    }
}

/// A hook that lets all be as it is.
struct Looks;

#[async_trait]
impl AfterTool for Looks {
    async fn after(&self, _: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        Ok(AfterDecision::keep())
    }
}

#[tokio::test]
async fn it_is_judged_before_it_is_cut() {
    let names: Vec<String> = (0..100).map(|n| format!("name {n}")).collect();
    let executor = Executor::builder(giving(data(&json!({ "count": 100, "names": names }))))
        .check_output(OutputCheck::Refuse)
        .limits(Limits::new().max_output_bytes(50))
        .build()
        .unwrap();
    let outcome = executor.call("give", "{}").await;
    assert!(!outcome.result().is_error(), "{}", outcome.text());
    assert!(outcome.result().truncated().is_some());
}

#[test]
fn a_schema_that_cannot_be_read_keeps_the_executor_from_being_built() {
    let registry = || {
        let schema = json!({ "type": "no such type" });
        let spec =
            ToolSpec::new(ToolName::new("give").unwrap(), "Gives.").with_output_schema(schema);
        ToolRegistry::new().with(tool_fn(spec, |_: Value, _| async {
            Ok::<_, ToolError>(ToolOutput::text(""))
        }))
    };
    assert!(Executor::new(registry()).is_ok());
    let error = Executor::builder(registry())
        .check_output(OutputCheck::Flag)
        .build()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the output schema of the tool `give`"),
        "{error}"
    );
}

static SCHEMAS_MADE: AtomicUsize = AtomicUsize::new(0);

/// A result whose type counts how often its schema is made.
#[derive(serde::Serialize)]
struct Counted {
    count: u64,
}

impl schemars::JsonSchema for Counted {
    fn schema_name() -> Cow<'static, str> {
        "Counted".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SCHEMAS_MADE.fetch_add(1, Ordering::Relaxed);
        schemars::json_schema!({ "type": "object" })
    }
}

/// Count something.
#[tool(register = false, pure)]
fn count_something() -> Counted {
    Counted { count: 2 }
}

#[test]
fn an_executor_that_does_not_check_outputs_makes_no_schema_of_them() {
    let build = |check| {
        let registry = ToolRegistry::new().with(CountSomething);
        Executor::builder(registry).check_output(check).build()
    };
    build(OutputCheck::Off).unwrap();
    assert_eq!(SCHEMAS_MADE.load(Ordering::Relaxed), 0);
    build(OutputCheck::Flag).unwrap();
    assert!(SCHEMAS_MADE.load(Ordering::Relaxed) > 0);
}
