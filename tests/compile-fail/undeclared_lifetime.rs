use toolwright::{tool, tool_type};

#[tool_type(result)]
struct Text<'t> {
    text: &'t str,
}

/// Count the words.
#[tool]
async fn count(text: Text<'a>) -> usize {
    text.text.split_whitespace().count()
}

fn main() {}
