//! `#[tool_type]`: the types inside of arguments and results, their constraints at any depth, and the schemas and
//! errors about them.

mod kinds;
mod nested;
mod operations;

use serde_json::Value;
use toolwright::{Executor, Tool, ToolOutcome, ToolRegistry};

fn executor(tool: impl Tool) -> Executor {
    Executor::new(ToolRegistry::new().with(tool)).unwrap()
}

/// An executor that refuses arguments instead of repairing them.
fn strict(tool: impl Tool) -> Executor {
    let builder = Executor::builder(ToolRegistry::new().with(tool));
    builder.strict(true).build().unwrap()
}

/// By text and by tree, which must end alike.
async fn call(executor: &Executor, tool: &str, arguments: &Value) -> ToolOutcome {
    let tree = executor.call(tool, arguments).await;
    let text = executor.call(tool, arguments.to_string()).await;
    assert_eq!(tree.text(), text.text(), "{arguments}");
    assert_eq!(tree.error(), text.error());
    tree
}
