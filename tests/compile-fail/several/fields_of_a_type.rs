use toolwright::tool_type;

struct Line;

#[tool_type(arguments)]
struct Lines {
    first: Line,
    #[arg(rang = 1..=5)]
    most: u32,
    #[arg(length = 1..)]
    least: u32,
    #[arg(default = "x")]
    step: u32,
}

fn main() {}
