use toolwright::tools::tool_fn_typed;
use toolwright::{ToolName, ToolSpec, tool_type};

#[tool_type(argument)]
struct Query {
    text: String,
}

fn main() {
    let spec = ToolSpec::new(ToolName::new("find").unwrap(), "Find something.");
    let _ = tool_fn_typed(spec, async |query: Query| {
        let kept = std::rc::Rc::new(query.text);
        std::future::ready(()).await;
        Ok(kept.len())
    });
}
