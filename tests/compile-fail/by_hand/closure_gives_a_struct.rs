use serde_json::Value;
use toolwright::{ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    struct Found;
    let _ = tool_fn(spec, |_: Value, _: ToolContext| async move { Ok::<_, ToolError>(Found) });
}
