use toolwright::tool_type;

#[tool_type]
union Lines {
    first: u32,
    last: i32,
}

fn main() {}
