use toolwright::tool_type;

#[tool_type(result)]
struct Lines {
    #[arg(range = 1..)]
    first: u32,
}

fn main() {}
