use toolwright::tool;

/// Give a text back.
#[tool]
fn string(text: String) -> usize {
    text.len()
}

fn main() {}
