use serde_json::Value;
use toolwright::{ToolContext, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    struct Missing;
    let _ = tool_fn(spec, |text: Value, _: ToolContext| async move {
        if text.is_null() { Err(Missing) } else { Ok(text) }
    });
}
