use serde::Deserialize;
use toolwright::tool;

#[derive(Deserialize)]
struct Query {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(query: Query, limit: u32) -> String {
    query.text.repeat(limit as usize)
}

fn main() {}
