use serde::Deserialize;
use toolwright::tool;

#[derive(Deserialize)]
struct Query {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(queries: Option<Vec<Query>>, limit: u32) -> bool {
    queries.is_none() && limit > 0
}

fn main() {}
