use toolwright::tool_type;

#[tool_type]
fn lines(first: u32) -> u32 {
    first
}

fn main() {}
