use schemars::JsonSchema;
use toolwright::tool;

#[derive(JsonSchema)]
struct Query {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(query: Query, limit: u32) -> String {
    query.text.repeat(limit as usize)
}

fn main() {}
