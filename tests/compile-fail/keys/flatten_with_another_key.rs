use toolwright::{tool, tool_type};

#[tool_type]
struct Lines {
    first: u32,
}

/// Read a text file.
#[tool()]
async fn read_file(#[arg(flatten, name = "all")] lines: Lines) -> String {
    format!("{}", lines.first)
}

fn main() {}
