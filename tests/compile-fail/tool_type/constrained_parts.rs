use toolwright::tool_type;

struct Line {
    text: String,
}

/// Lines of a file.
#[tool_type]
struct Lines {
    #[arg(length = 1..=9)]
    lines: Vec<Line>,
}

fn main() {}
