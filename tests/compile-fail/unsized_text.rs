use toolwright::tool;

/// Count the words.
#[tool]
async fn count(text: str) -> usize {
    text.split_whitespace().count()
}

fn main() {}
