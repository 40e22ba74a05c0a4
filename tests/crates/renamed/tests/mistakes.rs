//! Mistakes that are reported when an executor is built.

#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "a tool gives each argument by reference to what validates it"
)]

use tw::{Executor, ToolRegistry, tool, tool_type};

const LEAST: u32 = 10;

/// A part.
#[tool_type(crate = tw)]
struct Part {
    /// The least.
    #[arg(default = 3, range = LEAST..)]
    least: u32,
}

/// Count.
#[tool(crate = tw, register = false, validate = judge)]
fn count(#[arg(default = 1, range = LEAST..)] from: u32, parts: Vec<Part>) -> u32 {
    from + parts.iter().map(|part| part.least).sum::<u32>()
}

fn judge(from: &u32, parts: &[Part]) -> Result<(), String> {
    let ordered = parts.iter().all(|part| part.least >= *from);
    ordered
        .then_some(())
        .ok_or_else(|| "a part begins too early".to_owned())
}

#[test]
fn mistakes_are_told_under_another_name_too() {
    let error = Executor::new(ToolRegistry::new().with(Count)).unwrap_err();
    assert_eq!(error.problems().len(), 2, "{error}");
    let text = error.to_string();
    assert!(text.contains("`count` (renamed, "), "{text}");
    assert!(
        text.contains("`/from`: its default `1` is refused by `range = 10..`"),
        "{text}"
    );
    assert!(
        text.contains("`/parts/*/least`: its default `3` is refused by `range = 10..`"),
        "{text}"
    );
}
