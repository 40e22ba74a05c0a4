use toolwright::tool_type;

/// Part of a file.
#[tool_type]
struct Lines {
    #[arg(name = "first")]
    start: u32,
    first: u32,
}

fn main() {}
