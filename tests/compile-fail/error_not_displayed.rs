use toolwright::tool;

struct NotFound;

/// Search the documents.
#[tool]
async fn search(query: String) -> Result<String, NotFound> {
    Ok(query)
}

fn main() {}
