use toolwright::tool_type;

#[tool_type(deny_undocumented)]
struct Page {
    /// The number of the page, counted from 1.
    number: u32,
    title: String,
}

fn main() {}
