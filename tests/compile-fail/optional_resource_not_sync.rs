use std::cell::Cell;
use toolwright::tool;

struct Counter(Cell<u32>);

/// Count a call.
#[tool]
async fn count(counter: Option<&Counter>) {
    if let Some(counter) = counter {
        counter.0.set(1);
    }
}

fn main() {}
