use toolwright::tool_type;

#[tool_type]
type Lines = Vec<u32>;

fn main() {}
