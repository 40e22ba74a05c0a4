use toolwright::{ToolContext, ToolError, ToolName, ToolSpec, tool_fn};

fn main() {
    let spec = ToolSpec::new(ToolName::new("echo").unwrap(), "Give the arguments back.");
    struct Query;
    let _ = tool_fn(spec, |_: Query, _: ToolContext| async move { Ok::<_, ToolError>("") });
}
