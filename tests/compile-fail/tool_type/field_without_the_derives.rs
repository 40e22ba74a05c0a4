use toolwright::tool_type;

struct Line(u32);

#[tool_type]
struct Lines {
    first: Line,
}

fn main() {}
