use serde::Deserialize;
use toolwright::tool_type;

#[tool_type]
#[derive(Debug, Deserialize)]
struct Lines {
    first: u32,
}

fn main() {}
