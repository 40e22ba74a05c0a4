//! A tool as a shared object: described before any run, run by several at once.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Barrier;
use toolwright::arguments::Arguments;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::Limits;
use toolwright::permission::AllowAll;
use toolwright::spec::Effect;
use toolwright::{
    Content, Executor, Tool, ToolCall, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry,
    ToolSpec, testing, tool,
};

/// Meet another call of this tool.
#[tool(read_only, register = false)]
async fn meet(name: String, both: &Barrier, ctx: &ToolContext) -> String {
    both.wait().await;
    format!("{name} of {}", ctx.session_id())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s4_01_one_tool_serves_two_runs_at_once() {
    fn shareable<T: Send + Sync + 'static>(shared: &Arc<T>) -> Arc<T> {
        Arc::clone(shared)
    }
    let tool: Arc<dyn Tool> = Arc::new(Meet);
    // Neither call ends before the other has begun.
    let both = Arc::new(Barrier::new(2));
    let run = |id: &'static str| {
        let mut registry = ToolRegistry::new();
        registry.register_arc(Arc::clone(&tool)).unwrap();
        let executor = Executor::builder(registry)
            .resource_arc(shareable(&both))
            .limits(Limits::new().timeout(Duration::from_secs(20)))
            .build()
            .unwrap();
        tokio::spawn(async move {
            let session = executor.session(id);
            let arguments = json!({ "name": format!("the call {id}") });
            session.call(ToolCall::new("meet", arguments)).await
        })
    };
    let (first, second) = (run("a"), run("b"));
    assert_eq!(first.await.unwrap().text(), "the call a of a");
    assert_eq!(second.await.unwrap().text(), "the call b of b");
}

/// Panics if anybody runs it.
#[tool(
    name = "never.runs",
    title = "Never runs",
    category = "tests",
    register = false
)]
fn never_runs(text: String, barrier: &Barrier) -> String {
    panic!("{text} {barrier:?}")
}

// Not within a runtime: there is no run, and none could be begun.
#[test]
fn s4_02_the_description_needs_no_run() {
    let tool: &dyn Tool = &NeverRuns;
    let spec = tool.spec();
    assert_eq!(spec.name().as_str(), "never.runs");
    assert_eq!(spec.input_schema()["required"], json!(["text"]));
    // Made once: asking again is handing out a reference.
    assert!(std::ptr::eq(spec, tool.spec()));
    assert!(std::ptr::eq(
        spec.input_schema(),
        tool.spec().input_schema()
    ));
    let text = serde_json::to_string(spec).unwrap();
    assert_eq!(serde_json::to_string(NeverRuns.spec()).unwrap(), text);
}

/// Divide one number by another.
#[tool(pure, register = false)]
async fn divide(by: i64, of: i64) -> Result<ToolOutput, ToolError> {
    match of.checked_div(by) {
        Some(quotient) => Ok(ToolOutput::text(quotient.to_string())),
        None => Err(ToolError::failed("there is nothing to divide by").with_code("by_zero")),
    }
}

#[tokio::test]
async fn s4_05_a_run_ends_in_an_output_or_an_error() {
    let fits: Value = json!({"by": 2, "of": 9});
    let fails: Value = json!({"by": 0, "of": 9});

    let context = testing::context().build();
    let parse = |arguments| Divide.parse(&Arguments::from(arguments)).ok().unwrap();
    let output = parse(&fits).start(&context).await.unwrap();
    assert_eq!(output.content(), [Content::text("4")]);
    assert!(!output.is_error());
    let error = parse(&fails).start(&context).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Failed, "by_zero"));

    let executor = Executor::new(ToolRegistry::new().with(Divide)).unwrap();
    let outcome = executor.call("divide", &fits).await;
    assert_eq!((outcome.is_success(), outcome.text().as_str()), (true, "4"));
    let outcome = executor.call("divide", &fails).await;
    assert_eq!(outcome.error(), Some(&error));
    assert_eq!(outcome.result().source(), ResultSource::Tool);
}

/// Say nothing.
#[tool(register = false)]
fn quiet() {}

#[test]
fn s4_06_a_description_has_five_parts() {
    let spec = NeverRuns.spec();
    assert_eq!(spec.name().as_str(), "never.runs");
    assert_eq!(spec.title(), Some("Never runs"));
    assert_eq!(spec.description(), "Panics if anybody runs it.");
    assert_eq!(spec.category(), Some("tests"));
    let schema = json!({
        "type": "object",
        "properties": { "text": { "type": "string" } },
        "required": ["text"],
        "additionalProperties": false,
    });
    assert_eq!(*spec.input_schema(), schema);
    let written = serde_json::to_value(spec).unwrap();
    for (part, value) in [
        ("name", json!("never.runs")),
        ("title", json!("Never runs")),
        ("description", json!("Panics if anybody runs it.")),
        ("category", json!("tests")),
        ("input_schema", schema),
    ] {
        assert_eq!(written[part], value, "{part}");
    }

    let without = Quiet.spec();
    assert_eq!((without.category(), without.title()), (None, None));
    let written = serde_json::to_value(without).unwrap();
    assert_eq!(written.get("category"), None);
}

#[test]
fn s4_07_a_description_is_built_part_by_part() {
    let empty = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let new = || ToolSpec::new(ToolName::new("clock.now").unwrap(), "Tell the time.");
    assert_eq!(*new().input_schema(), empty);
    assert_eq!(*Quiet.spec().input_schema(), empty);
    assert_eq!(new().category(), None);
    assert_eq!(new().effect(), Effect::AtMostOnce);

    let schema = json!({"type": "object", "properties": {"zone": {"type": "string"}}});
    let spec = new()
        .with_input_schema(schema.clone())
        .with_category("time");
    assert_eq!(*spec.input_schema(), schema);
    assert_eq!(spec.category(), Some("time"));
    assert_eq!(spec.description(), "Tell the time.");

    let text = serde_json::to_string(&spec).unwrap();
    let back: ToolSpec = serde_json::from_str(&text).unwrap();
    assert_eq!(back.name(), spec.name());
    assert_eq!(back.input_schema(), spec.input_schema());
    assert_eq!(back.category(), spec.category());
}

#[tokio::test]
async fn s4_07_what_was_left_out_can_be_left_out_of_a_call() {
    let executor = Executor::builder(ToolRegistry::new().with(Quiet))
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    for arguments in ["", "null", "{}"] {
        assert!(
            executor.call("quiet", arguments).await.is_success(),
            "{arguments}"
        );
    }
}
