use toolwright::tool;

/// List the words.
#[tool]
async fn words(text: String) -> impl Iterator<Item = String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.into_iter()
}

fn main() {}
