use toolwright::tool;

struct Query {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(queries: Option<Vec<Query>>, limit: u32) -> bool {
    queries.is_none() && limit > 0
}

fn main() {}
