use toolwright::tool_type;

#[tool_type(argument, result)]
struct Lines {
    first: u32,
}

fn main() {}
