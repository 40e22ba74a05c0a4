use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(unique_items)]
    widths: Vec<f64>,
}

fn main() {}
