use toolwright::{tool, tool_type};

#[tool_type(result)]
struct Lines {
    first: u32,
}

/// Count the lines.
#[tool]
fn count(lines: Lines) -> u32 {
    lines.first
}

fn main() {}
