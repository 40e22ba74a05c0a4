use toolwright::tool_type;

#[tool_type]
struct Lines {
    #[arg(unique_items)]
    #[serde(deserialize_with = "read")]
    widths: Vec<u32>,
}

fn main() {}
