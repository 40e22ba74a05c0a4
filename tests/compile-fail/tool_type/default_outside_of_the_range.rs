use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(default = 0, range = 1..)]
    first: u32,
}

fn main() {}
