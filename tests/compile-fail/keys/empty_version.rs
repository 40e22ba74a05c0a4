use toolwright::tool;

/// Add two whole numbers.
#[tool(pure, version = "")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
