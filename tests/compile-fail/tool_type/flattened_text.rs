use toolwright::tool_type;

#[tool_type]
struct Page {
    number: u32,
    #[serde(flatten)]
    title: String,
}

fn main() {}
