use toolwright::tool_type;

struct Line(u32);

type Found = Option<Line>;

#[tool_type]
struct Lines {
    first: Found,
}

fn main() {}
