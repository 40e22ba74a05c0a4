use toolwright::tools::tool_fn_typed;
use toolwright::{ToolName, ToolSpec, tool_type};

#[tool_type(argument)]
struct Query {
    text: String,
}

struct Found(String);

fn main() {
    let spec = ToolSpec::new(ToolName::new("find").unwrap(), "Find something.");
    let _ = tool_fn_typed(spec, |query: Query| Ok(Found(query.text)));
}
