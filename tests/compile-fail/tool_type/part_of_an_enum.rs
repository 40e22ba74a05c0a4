use toolwright::tool_type;

struct Line(u32);

#[tool_type(argument)]
#[serde(tag = "kind")]
enum Place {
    Line { line: Line },
    End,
}

fn main() {}
