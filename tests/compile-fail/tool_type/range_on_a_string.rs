use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(range = 1..)]
    first: String,
}

fn main() {}
