use toolwright::{tool, tool_type};

#[tool_type(argument)]
struct Lines {
    first: u32,
}

/// Find the lines.
#[tool]
fn find(first: u32) -> Lines {
    Lines { first }
}

fn main() {}
