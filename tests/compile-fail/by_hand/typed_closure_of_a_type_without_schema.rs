use serde::Deserialize;
use toolwright::tools::tool_fn_typed;
use toolwright::{ToolName, ToolSpec};

#[derive(Deserialize)]
struct Query {
    text: String,
}

fn main() {
    let spec = ToolSpec::new(ToolName::new("find").unwrap(), "Find something.");
    let _ = tool_fn_typed(spec, |query: Query| Ok(query.text));
}
