use toolwright::{tool, tool_type};

#[tool_type]
struct Line {
    number: u32,
}

/// Read a text file.
#[tool]
async fn read_file(#[arg(unique_items)] value: Option<Vec<Line>>) {
    let _ = value;
}

fn main() {}
