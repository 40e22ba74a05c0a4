use toolwright::tool;

/// Double a number.
#[tool]
extern "C" fn double(number: i64) -> i64 {
    2 * number
}

fn main() {}
