use toolwright::{ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    let _ = tool_fn(spec, |text: &str, _: ToolContext| async move { Ok::<_, ToolError>(text.to_owned()) });
}
