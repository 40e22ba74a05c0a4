use toolwright::tool;

#[derive(serde::Serialize)]
struct Found;

/// Search the documents.
#[tool]
fn search(query: String) -> Fond {
    drop(query);
    Found
}

fn main() {}
