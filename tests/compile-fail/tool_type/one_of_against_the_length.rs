use toolwright::tool_type;

#[tool_type]
struct Order {
    #[arg(length = 5.., one_of("ascending", "desc"))]
    order: String,
}

fn main() {}
