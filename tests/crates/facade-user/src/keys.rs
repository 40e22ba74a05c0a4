//! `#[tool]` with the keys that say more of a tool.

use std::sync::Mutex;

use facade::toolwright::{ToolContext, tool};

/// The clock of the app.
#[derive(Debug)]
pub struct Clock(pub u32);

/// The text on the wall.
#[derive(Debug, Default)]
pub struct Wall(pub Mutex<String>);

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "arguments are judged by reference"
)]
fn ordered(from: &u32, to: &u32) -> Result<(), String> {
    let ordered = from <= to;
    ordered
        .then_some(())
        .ok_or_else(|| format!("{from} comes after {to}"))
}

/// Count from one number to another.
#[tool(
    crate = facade::toolwright,
    name = "count",
    title = "Count",
    version = "2.0",
    category = "numbers",
    pure,
    determinism = deterministic,
    timeout = "5s",
    blocking,
    limits(output = "1KiB"),
    capabilities("cpu:use:one"),
    explicit_only,
    validate = ordered,
    examples({"from": 1, "to": 3}, {to: 2}),
    metadata(team = "numbers")
)]
pub fn count(
    /// The first.
    #[arg(default = 1, example = 7)]
    from: u32,
    /// The last.
    #[arg(aliases("until"), range = ..=1_000)]
    to: u32,
) -> Vec<u32> {
    (from..=to).collect()
}

/// Write on the wall what time it is.
#[tool(crate = facade::toolwright, destructive, concurrent, needs(Clock))]
pub fn stamp(
    /// Whoever writes proves it.
    #[arg(secret, length = 4..)]
    word: String,
    wall: &Wall,
    ctx: &ToolContext,
) -> bool {
    let clock = ctx.resource::<Clock>();
    match (clock, wall.0.lock()) {
        (Some(clock), Ok(mut wall)) if word == "open" => {
            *wall = format!("{} o'clock", clock.0);
            true
        }
        _ => false,
    }
}
