use toolwright::{tool, tool_type};

struct Query;

struct Found;

#[tool_type(argument)]
struct Page {
    first: u32,
}

/// Search the documents.
#[tool(readonly, timeout = "10")]
async fn search(
    query: Query,
    #[arg(range = 1..)] language: String,
    page: Page,
    #[arg(default = "ten")] most: u32,
) -> Found {
    let _ = (query, language, page, most);
    Found
}

fn main() {}
