use toolwright::tool_type;

#[tool_type(arguments)]
struct Lines {
    first: u32,
}

fn main() {}
