use toolwright::tool;

/// Throw some dice.
#[tool(read_only, determinism = bounded)]
fn throw(dice: u32) -> u32 {
    dice * 4
}

fn main() {}
