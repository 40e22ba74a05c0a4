//! The part of a result that a model sees at once, the way to read on, and the checks of outputs.

mod output_check;
mod own_text;
mod read_on;

use serde_json::Value;
use toolwright::executor::Limits;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool};
use toolwright::permission::AllowAll;
use toolwright::results::MemoryResults;
use toolwright::{
    Executor, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec, async_trait, tool, tool_fn,
};

/// Says as much as it is asked for.
#[tool(name = "say", pure, register = false)]
fn say(
    /// The text.
    text: String,
    /// The number of times.
    times: usize,
) -> String {
    text.repeat(times)
}

/// Fails at length.
#[tool(name = "fail", pure, register = false)]
fn fail(
    /// The length of the message.
    bytes: usize,
) -> Result<String, ToolError> {
    Err(ToolError::failed("x".repeat(bytes)))
}

/// Says more than it declares.
#[tool(name = "brief", pure, limits(output = "10B"), register = false)]
fn brief() -> String {
    "0123456789abcdef".to_owned()
}

fn registry() -> ToolRegistry {
    let spec = ToolSpec::new(ToolName::new("made").unwrap(), "Made at run time.");
    let made = tool_fn(spec, |_: Value, _| async {
        Ok::<_, ToolError>(ToolOutput::text("y".repeat(70_000)))
    });
    ToolRegistry::new()
        .with(Say)
        .with(Fail)
        .with(Brief)
        .with(made)
}

fn say_it(text: &str, times: usize) -> String {
    serde_json::json!({ "text": text, "times": times }).to_string()
}

#[tokio::test]
async fn sixty_four_kib_are_shown_and_not_a_byte_more() {
    let executor = Executor::new(registry()).unwrap();
    let all = executor.call("say", say_it("a", 65_536)).await;
    assert_eq!(all.text().len(), 65_536);
    assert!(all.result().truncated().is_none());
    let cut = executor.call("say", say_it("a", 65_537)).await;
    let text = cut.text();
    let (shown, last) = text.rsplit_once('\n').unwrap();
    assert_eq!(shown.len(), 65_536);
    assert_eq!(
        last,
        "[cut: 65536 of 65537 bytes are shown; ask for less at once to see the rest]"
    );
    let truncation = cut.result().truncated().unwrap();
    assert_eq!(
        (truncation.shown, truncation.total, truncation.kept),
        (65_536, 65_537, false)
    );
}

#[tokio::test]
async fn errors_and_tools_made_at_run_time_are_cut_too() {
    let executor = Executor::builder(registry())
        .permission_checker(AllowAll)
        .build()
        .unwrap();
    let failed = executor.call("fail", r#"{"bytes": 100000}"#).await;
    let error = failed.result().error().unwrap();
    assert!(error.message().len() < 65_700, "{}", error.message().len());
    assert_eq!(failed.text(), error.message());
    assert!(failed.text().ends_with("to see the rest]"));
    let made = executor.call("made", "{}").await;
    assert_eq!(made.result().truncated().unwrap().total, 70_000);
}

#[tokio::test]
async fn a_tool_says_its_own_limit() {
    for limit in [5, 1_000_000] {
        let executor = Executor::builder(registry())
            .limits(Limits::new().max_output_bytes(limit))
            .build()
            .unwrap();
        let text = executor.call("brief", "{}").await.text();
        assert!(
            text.starts_with("0123456789\n[cut: 10 of 16 bytes"),
            "{text}"
        );
    }
}

struct Wordy;

#[async_trait]
impl AfterTool for Wordy {
    async fn after(&self, _: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        Ok(AfterDecision::replace(ToolOutput::text("\u{e9}".repeat(8))))
    }
}

#[tokio::test]
async fn what_a_hook_makes_of_a_result_is_cut_too() {
    let executor = Executor::builder(registry())
        .limits(Limits::new().max_output_bytes(5))
        .result_store(MemoryResults::new())
        .after(Wordy)
        .build()
        .unwrap();
    let outcome = executor.call("say", say_it("a", 1)).await;
    let text = outcome.text();
    assert!(
        text.starts_with("\u{e9}\u{e9}\n[cut: 4 of 16 bytes"),
        "{text}"
    );
    assert!(outcome.result().truncated().unwrap().kept);
}
