use toolwright::{tool, tool_type};

#[tool_type]
struct Lines {
    first: u32,
}

/// Read a text file.
#[tool]
async fn read_file(#[arg(flatten)] lines: Option<Lines>) -> Option<u32> {
    lines.map(|lines| lines.first)
}

fn main() {}
