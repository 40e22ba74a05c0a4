use serde_json::Value;
use toolwright::{ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    let text = std::rc::Rc::new(1);
    let _ = tool_fn(spec, move |_: Value, _: ToolContext| {
        let text = text.to_string();
        async move { Ok::<_, ToolError>(text) }
    });
}
