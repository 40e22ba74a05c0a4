use toolwright::tool_type;

struct Line(u32);

#[tool_type(result)]
struct Lines {
    first: Line,
}

fn main() {}
