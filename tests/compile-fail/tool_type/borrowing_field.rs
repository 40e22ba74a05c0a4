use toolwright::tool_type;

#[tool_type]
struct Lines<'a> {
    text: &'a [String],
}

fn main() {}
