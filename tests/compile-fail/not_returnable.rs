use toolwright::tool;

struct Found {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(query: String) -> Found {
    Found { text: query }
}

fn main() {}
