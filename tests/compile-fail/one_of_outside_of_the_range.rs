use toolwright::tool;

/// Turn a picture.
#[tool]
async fn turn(#[arg(range = 1..=10, one_of(20, 30))] degrees: u32) -> u32 {
    degrees
}

fn main() {}
