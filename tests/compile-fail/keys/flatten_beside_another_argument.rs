use toolwright::{tool, tool_type};

#[tool_type]
struct Lines {
    first: u32,
}

/// Read a text file.
#[tool()]
async fn read_file(#[arg(flatten)] lines: Lines, path: String) -> String {
    format!("{path}{}", lines.first)
}

fn main() {}
