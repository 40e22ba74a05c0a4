use toolwright::tool_type;

#[tool_type]
enum Lines {
    From {
        #[arg(pattern = "^1")]
        first: Option<u32>,
    },
}

fn main() {}
