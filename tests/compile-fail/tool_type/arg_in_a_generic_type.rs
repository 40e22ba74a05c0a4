use toolwright::tool_type;

#[tool_type]
struct Lines<T> {
    #[arg(default = 1)]
    first: u32,
    last: T,
}

fn main() {}
