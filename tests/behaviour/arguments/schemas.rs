//! The promises of an input schema are enforced, whoever wrote it.

mod author;
mod run_time;
mod secrets;
mod typed;

use serde_json::{Map, Value};
use toolwright::spec::Effect;
use toolwright::tools::ToolFn;
use toolwright::{
    Executor, Tool, ToolError, ToolName, ToolOutcome, ToolRegistry, ToolSpec, tool_fn,
};

type Object = Map<String, Value>;

fn spec(name: &'static str, schema: Value) -> ToolSpec {
    ToolSpec::new(ToolName::new(name).unwrap(), "Made at run time.")
        .with_input_schema(schema)
        .with_effect(Effect::Pure)
}

/// A tool that gives its arguments back.
fn echo(schema: Value) -> ToolFn<Object> {
    tool_fn(spec("echo", schema), async |arguments: Object, _ctx| {
        Ok::<_, ToolError>(Value::Object(arguments))
    })
}

fn executor(tool: impl Tool) -> Executor {
    Executor::new(ToolRegistry::new().with(tool)).unwrap()
}

/// The report, and that it is the same of text and tree.
async fn refused(executor: &Executor, tool: &str, arguments: Value) -> ToolOutcome {
    let by_text = executor.call(tool, arguments.to_string()).await;
    let by_tree = executor.call(tool, arguments.clone()).await;
    assert!(!by_text.is_success(), "{arguments}");
    assert_eq!(by_text.text(), by_tree.text());
    by_text
}
