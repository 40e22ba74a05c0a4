use toolwright::tool;

/// The longest file.
#[tool]
const LONGEST: usize = 1 << 20;

fn main() {}
