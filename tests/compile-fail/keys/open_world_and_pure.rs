use toolwright::tool;

/// Search the web.
#[tool(pure, open_world)]
fn search(words: String) -> String {
    words
}

fn main() {}
