use toolwright::tool_type;

#[tool_type]
enum Lines {
    From {
        #[arg(multiple_of = 5)]
        first: Option<String>,
    },
}

fn main() {}
