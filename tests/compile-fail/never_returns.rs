use toolwright::tool;

/// Wait for ever.
#[tool]
fn wait() -> ! {
    loop {}
}

fn main() {}
