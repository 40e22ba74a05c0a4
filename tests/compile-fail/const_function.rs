use toolwright::tool;

/// Double a number.
#[tool]
const fn double(number: i64) -> i64 {
    2 * number
}

fn main() {}
