use toolwright::tool_type;

struct Place {
    page: u32,
}

/// Lines of a file.
#[tool_type]
struct Lines {
    first: u32,
    #[serde(flatten)]
    place: Place,
}

fn main() {}
