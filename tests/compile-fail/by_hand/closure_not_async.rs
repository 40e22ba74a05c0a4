use serde_json::Value;
use toolwright::{ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    let _ = tool_fn(spec, |text: Value, _: ToolContext| Ok::<_, ToolError>(text.to_string()));
}
