use toolwright::tool;

struct Found {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(query: String) -> Vec<Found> {
    vec![Found { text: query }]
}

fn main() {}
