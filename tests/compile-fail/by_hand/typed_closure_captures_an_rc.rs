use toolwright::tools::tool_fn_typed;
use toolwright::{ToolName, ToolSpec, tool_type};

#[tool_type(argument)]
struct Query {
    text: String,
}

fn main() {
    let spec = ToolSpec::new(ToolName::new("find").unwrap(), "Find something.");
    let suffix = std::rc::Rc::new(String::from("!"));
    let _ = tool_fn_typed(spec, move |query: Query| Ok(query.text + &suffix));
}
