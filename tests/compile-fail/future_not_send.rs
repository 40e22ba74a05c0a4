use std::rc::Rc;
use toolwright::tool;

/// Count the words.
#[tool]
async fn count(text: String) -> usize {
    let words = Rc::new(text);
    pause().await;
    words.split(' ').count()
}

async fn pause() {}

fn main() {}
