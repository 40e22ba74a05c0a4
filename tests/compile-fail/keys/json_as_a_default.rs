use toolwright::{tool, tool_type};

#[tool_type(argument)]
struct Lines {
    first: u32,
}

/// Read a text file.
#[tool]
async fn read_file(#[arg(default = {"first": 1})] lines: Lines) -> u32 {
    lines.first
}

fn main() {}
