use toolwright::tool;

struct Found {
    text: String,
}

/// Search the documents.
#[tool]
async fn search(query: String) -> Result<Found, std::io::Error> {
    Ok(Found { text: query })
}

fn main() {}
