use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(default = "one")]
    first: u32,
}

fn main() {}
