//! The check of determinism for the tests of a tool's author.

use std::collections::{HashMap, HashSet};
use std::time::{Instant, SystemTime};

use toolwright::{ToolCall, ToolContext, ToolError, ToolRegistry, testing, tool};

/// Count the letters of a word.
#[tool(pure, register = false)]
fn count(word: String) -> HashMap<char, u32> {
    let mut counts = HashMap::new();
    for letter in word.chars() {
        *counts.entry(letter).or_default() += 1;
    }
    counts
}

/// List the letters of a word.
#[tool(pure, register = false)]
fn list(word: String) -> Vec<char> {
    word.chars().collect::<HashSet<_>>().into_iter().collect()
}

/// Fail with something.
#[tool(pure, register = false)]
fn fail(ctx: &ToolContext) -> Result<(), ToolError> {
    Err(ToolError::failed(format!("no {}", ctx.new_id())))
}

/// Draw, and tell the time.
#[tool(read_only, determinism = bounded, register = false)]
async fn draw(ctx: &ToolContext) -> String {
    let begun = ctx.clock().now();
    let below = ctx.call(ToolCall::new("draw_below", "{}")).await.text();
    format!(
        "{begun:?} {} {below} {:?}",
        ctx.rng().below(6),
        ctx.clock().since(begun)
    )
}

/// Draw.
#[tool(read_only, determinism = bounded, register = false)]
fn draw_below(ctx: &ToolContext) -> u64 {
    ctx.rng().next_u64()
}

/// Tell the time of the system.
#[tool(read_only, determinism = bounded, register = false)]
fn past_the_clock(_ctx: &ToolContext) -> String {
    format!("{:?} {:?}", SystemTime::now(), Instant::now())
}

/// Promise nothing.
#[tool(read_only, register = false)]
fn anything() {}

#[tokio::test]
async fn s1_08_s1_09_honest_tools_pass_their_authors_check() {
    let words = [r#"{"word": ""}"#, r#"{"word": "perambulation"}"#];
    testing::determinism_check(Count, words).await.unwrap();
    let draw = testing::determinism_check(Draw, ["{}"]);
    let draw = draw.with_tools(|| ToolRegistry::new().with(DrawBelow));
    draw.runs(3).await.unwrap();
}

#[tokio::test]
async fn s1_38_dishonest_tools_fail_their_authors_check() {
    let words = [r#"{"word": "o"}"#, r#"{"word": "perambulation"}"#];
    let error = testing::determinism_check(List, words).await.unwrap_err();
    assert_eq!(error.case(), Some(1));
    let (first, other) = error.outputs().unwrap();
    let shown = error.to_string();
    let begin =
        "`list` declares itself deterministic, and case 2 gave two outputs:\n  run 1: success: ";
    assert!(shown.starts_with(begin), "{shown}");
    assert!(shown.contains(first) && shown.contains(other), "{shown}");

    let error = testing::determinism_check(Fail, ["{}"]).await.unwrap_err();
    assert!(error.to_string().contains("error failed: no "), "{error}");
    let error = testing::determinism_check(PastTheClock, [""])
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("declares itself bounded"),
        "{error}"
    );
    let error = testing::determinism_check(Anything, [""])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("nothing to check"), "{error}");
    assert_eq!(error.case(), None);
}
