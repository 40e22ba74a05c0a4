use toolwright::tool_type;

/// Part of a file.
#[tool_type]
struct Lines {
    #[cfg_attr(unix, arg(range = 1..))]
    first: u32,
}

fn main() {}
