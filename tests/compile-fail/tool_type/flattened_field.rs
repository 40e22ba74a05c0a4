use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(flatten)]
    more: Vec<u32>,
}

fn main() {}
