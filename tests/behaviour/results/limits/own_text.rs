//! The limit of what the executor itself says: one rule, however a call ends.

use serde_json::json;
use toolwright::content::ResultSource;
use toolwright::event::EventChannel;
use toolwright::executor::Limits;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool};
use toolwright::permission::Verdict;
use toolwright::results::MemoryResults;
use toolwright::{
    Executor, ExecutorBuilder, ToolCall, ToolError, ToolOutcome, ToolRegistry, async_trait, tool,
};

use crate::support::{HandMade, judge};

/// The text of a denial, in bytes.
const REASON: usize = 100_000;

/// Returns an executor whose checker denies at length each call of `refused`.
fn builder(limit: u64) -> ExecutorBuilder {
    let deny = |tool: &toolwright::ToolSpec| match tool.name().as_str() {
        "refused" => Verdict::deny("because ".repeat(REASON / 8)),
        _ => Verdict::Allow,
    };
    let tools = ToolRegistry::new()
        .with(HandMade::new("refused"))
        .with(Brief);
    Executor::builder(tools)
        .permission_checker(judge(deny, |_, _| Verdict::Allow))
        .limits(Limits::new().max_output_bytes(limit))
}

/// Say nothing for long.
#[tool(
    name = "brief",
    pure,
    register = false,
    limits(output = "10B"),
    timeout = "1ms"
)]
async fn brief() -> String {
    std::future::pending().await
}

/// A hook that lets everything through.
struct Looks;

#[async_trait]
impl AfterTool for Looks {
    async fn after(&self, _call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
        Ok(AfterDecision::keep())
    }
}

/// The same call by each way through the stages.
async fn each_way(limit: u64) -> Vec<(&'static str, ToolOutcome)> {
    let plain = builder(limit).build().unwrap();
    let observed = builder(limit)
        .events(EventChannel::new(16))
        .build()
        .unwrap();
    let hooked = builder(limit).after(Looks).build().unwrap();
    let session = plain.session("s-1");
    let call = || ToolCall::new("refused", "{}");
    let batch = session.turn().call_all([call(), call()]).await;
    vec![
        ("plain", plain.call("refused", "{}").await),
        ("observed", observed.call("refused", "{}").await),
        ("hooked", hooked.call("refused", "{}").await),
        ("batch", batch.into_iter().next().unwrap()),
        ("spawned", session.spawn(call()).join().await),
    ]
}

#[tokio::test]
async fn what_the_executor_says_is_cut_at_64_kib_however_a_call_ends() {
    for (way, outcome) in each_way(20).await {
        let result = outcome.result();
        assert_eq!(result.source(), ResultSource::Executor, "{way}");
        let Some(cut) = result.truncated() else {
            panic!("{way}: {} bytes are shown", outcome.text().len());
        };
        assert_eq!((cut.shown, cut.kept), (65_536, false), "{way}");
        assert!(cut.total > REASON as u64, "{way}");
        let message = result.error().unwrap().message();
        assert!(message.len() < 65_700, "{way}: {}", message.len());
    }
}

#[tokio::test]
async fn a_larger_limit_of_the_executor_is_one_for_its_own_words_too() {
    for (way, outcome) in each_way(1 << 20).await {
        assert!(outcome.result().truncated().is_none(), "{way}");
        assert!(outcome.text().len() > REASON, "{way}");
    }
}

#[tokio::test]
async fn what_is_cut_of_a_refusal_is_kept_and_read_on() {
    let executor = builder(1_000)
        .result_store(MemoryResults::new())
        .build()
        .unwrap();
    let outcome = executor.call("refused", "{}").await;
    assert!(outcome.result().truncated().unwrap().kept);
    let id = outcome.result().invocation_id().to_string();
    let wanted = json!({"id": id, "offset": 65_536, "length": 200});
    let more = executor.call("result.read", wanted).await;
    assert!(more.text().contains("because"), "{}", more.text());
}

#[tokio::test]
async fn a_small_limit_of_a_tool_cuts_nothing_of_what_the_executor_says() {
    let plain = builder(1_000).build().unwrap();
    let observed = builder(1_000)
        .events(EventChannel::new(16))
        .build()
        .unwrap();
    for executor in [plain, observed] {
        let outcome = executor.call("brief", "{}").await;
        assert_eq!(outcome.result().source(), ResultSource::Executor);
        assert!(outcome.result().truncated().is_none());
        assert!(
            outcome
                .text()
                .starts_with("the call took longer than its timeout of 1ms"),
            "{}",
            outcome.text()
        );
    }
}
