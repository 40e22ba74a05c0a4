use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(length = 1..)]
    first: u32,
}

fn main() {}
