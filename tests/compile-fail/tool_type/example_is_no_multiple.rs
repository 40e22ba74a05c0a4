use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(multiple_of = 0.25, example = 0.3)]
    width: f64,
}

fn main() {}
