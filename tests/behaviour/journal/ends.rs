//! However a call ends, the journal has it.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::Limits;
use toolwright::hook::{AfterCall, AfterDecision, AfterTool, BeforeDecision, BeforeTool, HookCall};
use toolwright::id::InvocationId;
use toolwright::spec::Effect;
use toolwright::{
    ToolCall, ToolContext, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec, async_trait,
    tool, tool_fn,
};
use toolwright_journal::{JournalLog, MemoryLog, RecordKind, verify};

use super::support::{kinds, recorded, requests, response_of, responses, words};

/// Tell what the journal has of this call.
#[tool(register = false)]
async fn look_up(ctx: &ToolContext, log: &MemoryLog) -> Vec<&'static str> {
    let of_call = |kind: &RecordKind| kind.invocation() == Some(ctx.invocation_id());
    let kinds = kinds(log);
    assert!(kinds.iter().any(of_call));
    words(log)
}

/// Wait for ever.
#[tool(register = false, timeout = "1h")]
async fn wait(begun: &Arc<Notify>) {
    begun.notify_one();
    std::future::pending::<()>().await;
}

/// Panic.
#[tool(register = false)]
async fn fall() {
    panic!("so it falls");
}

/// Call another that waits for ever.
#[tool(register = false, timeout = "20ms")]
async fn call_wait(ctx: &ToolContext) -> String {
    ctx.call(ToolCall::new("wait", "{}")).await.text()
}

/// Say a word back.
#[tool(register = false, pure)]
fn say(word: String) -> String {
    word
}

fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(LookUp)
        .with(Wait)
        .with(Fall)
        .with(CallWait)
        .with(Say)
}

#[tokio::test]
async fn the_request_is_there_when_the_body_runs_and_the_response_when_it_returns() {
    let (builder, log) = recorded(tools());
    let builder = builder
        .resource(log.clone())
        .resource(Arc::new(Notify::new()));
    let executor = builder.build().unwrap();
    let outcome = executor.call("look_up", "{}").await;
    assert_eq!(outcome.text(), r#"["opened","requested"]"#);
    assert_eq!(words(&log), ["opened", "requested", "responded"]);
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_a_response_that_says_so() {
    let (builder, log) = recorded(tools());
    let begun = Arc::new(Notify::new());
    let builder = builder.resource(log.clone()).resource(Arc::clone(&begun));
    let executor = builder.build().unwrap();
    {
        let mut call = Box::pin(executor.call("wait", "{}"));
        let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending());
        assert_eq!(words(&log), ["opened", "requested"]);
    }
    let response = responses(&log).remove(0);
    let error = response.error.as_ref().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Cancelled, "dropped")
    );
    assert_eq!(response.source, ResultSource::Executor);
    response.read_output(None).await.unwrap();

    // A call that was never polled was never made.
    drop(executor.call("wait", "{}"));
    assert_eq!(requests(&log).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn cancelled_late_panicking_and_aborted_calls_leave_one_response_each() {
    let (builder, log) = recorded(tools());
    let begun = Arc::new(Notify::new());
    let builder = builder.resource(log.clone()).resource(Arc::clone(&begun));
    let executor = builder
        .limits(Limits::new().cancel_grace(Duration::ZERO))
        .build()
        .unwrap();
    let session = executor.session("s");

    let handle = session.spawn(ToolCall::new("wait", "{}"));
    begun.notified().await;
    session.cancel();
    let cancelled = handle.join().await;
    let of = |call: InvocationId| response_of(&log, call).error.unwrap().kind();
    assert_eq!(of(cancelled.result().invocation_id()), ErrorKind::Cancelled);

    let late = executor.call("wait", "{}").await;
    assert_eq!(of(late.result().invocation_id()), ErrorKind::TimedOut);
    let panicked = executor.call("fall", "{}").await;
    let response = response_of(&log, panicked.result().invocation_id());
    assert_eq!(response.error.unwrap().kind(), ErrorKind::Panicked);
    // The message of a panic may hold anything, so it is not recorded.
    assert!(!log.to_text().contains("so it falls"));

    // The nested call goes with the one that made it.
    let outer = executor.call("call_wait", "{}").await;
    assert_eq!(of(outer.result().invocation_id()), ErrorKind::TimedOut);
    let inner = requests(&log).pop().unwrap();
    assert_eq!(inner.parent, Some(outer.result().invocation_id()));
    assert_eq!(
        response_of(&log, inner.invocation).error.unwrap().code(),
        "dropped"
    );
    assert_eq!(requests(&log).len(), responses(&log).len());
}

#[test]
fn a_runtime_that_stops_leaves_responses() {
    let (builder, log) = recorded(tools());
    let begun = Arc::new(Notify::new());
    let builder = builder.resource(log.clone()).resource(Arc::clone(&begun));
    let executor = builder.build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let handle = executor.session("s").spawn(ToolCall::new("wait", "{}"));
        begun.notified().await;
        drop(handle);
    });
    drop(runtime);
    let response = responses(&log).remove(0);
    assert_eq!(response.error.unwrap().code(), "dropped");
    verify(&log).unwrap();
}

#[tokio::test]
async fn a_result_is_hashed_before_it_is_cut_for_the_model() {
    let (builder, log) = recorded(tools());
    let builder = builder
        .resource(log.clone())
        .resource(Arc::new(Notify::new()));
    let executor = builder
        .limits(Limits::new().max_output_bytes(100))
        .build()
        .unwrap();
    let word = "word ".repeat(1_000);
    let outcome = executor.call("say", json!({ "word": word })).await;
    let result = outcome.result();
    assert!(result.truncated().is_some() && result.text().len() < 300);
    let response = response_of(&log, result.invocation_id());
    assert_eq!(Some(response.response_hash), result.response_hash());
    let output = response.read_output(None).await.unwrap();
    assert_eq!(output.content()[0].as_text(), Some(word.as_str()));
}

#[tokio::test]
async fn what_hooks_change_is_recorded_as_it_ran_and_was_returned() {
    struct Change;
    #[async_trait]
    impl BeforeTool for Change {
        async fn before(&self, call: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
            let word = call.arguments().ok().and_then(|a| a.get("word").cloned());
            Ok(match word {
                Some(word) if word == "old" => BeforeDecision::rewrite(json!({"word": "new"})),
                _ => BeforeDecision::proceed(),
            })
        }
    }
    #[async_trait]
    impl AfterTool for Change {
        async fn after(&self, call: &AfterCall<'_>) -> Result<AfterDecision, ToolError> {
            let text = call.output().content()[0].as_text().unwrap_or_default();
            Ok(match text {
                "new" => AfterDecision::replace(ToolOutput::text("replaced")),
                _ => AfterDecision::keep(),
            })
        }
    }
    let (builder, log) = recorded(tools());
    let builder = builder
        .resource(log.clone())
        .resource(Arc::new(Notify::new()));
    let executor = builder.before(Change).after(Change).build().unwrap();
    let outcome = executor.call("say", r#"{"word": "old"}"#).await;
    let request = requests(&log).remove(0);
    assert_eq!(request.input.arguments.as_str(), r#"{"word":"new"}"#);
    assert!(request.input.changed);
    let response = responses(&log).remove(0);
    assert!(response.changed);
    assert_eq!(response.request_hash, request.input.request_hash);
    let output = response.read_output(None).await.unwrap();
    assert_eq!(output.content()[0].as_text(), Some("replaced"));
    // Remarks for the model are no part of the output.
    assert_eq!(response.remarks.len(), 1);
    assert!(outcome.text().contains(&response.remarks[0]));

    executor.call("say", r#"{"word": "as it is"}"#).await;
    assert!(!requests(&log)[1].input.changed && !responses(&log)[1].changed);
}

#[tokio::test]
async fn tools_made_at_run_time_are_recorded_like_any() {
    let spec = ToolSpec::new(ToolName::new("made").unwrap(), "Made now.")
        .with_version("1.2.0")
        .with_effect(Effect::ReadOnly)
        .with_secret("key")
        .with_input_schema(json!({
            "type": "object",
            "properties": {"key": {"type": "string"}, "n": {"type": "integer", "default": 3}}
        }));
    let made = tool_fn(spec, |_: serde_json::Value, _| async {
        Ok::<_, ToolError>("made")
    });
    let (builder, log) = recorded(ToolRegistry::new().with(made));
    let executor = builder.build().unwrap();
    executor.call("made", r#"{"key": "hunter2"}"#).await;
    let request = requests(&log).remove(0);
    assert_eq!(request.version.as_deref(), Some("1.2.0"));
    assert_eq!(request.effect, Effect::ReadOnly);
    let arguments = request.input.arguments.as_str();
    assert!(arguments.starts_with(r#"{"key":{"$secret":""#) && arguments.ends_with(r#"},"n":3}"#));
    assert!(!log.to_text().contains("hunter2"));
    assert!(log.head().unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_runs_have_one_run_hash_however_their_calls_race() {
    /// Look at something, when others have had their turn.
    #[tool(register = false, read_only)]
    async fn race(number: u32) -> u32 {
        tokio::task::yield_now().await;
        number
    }

    let mut hashes = std::collections::HashSet::new();
    for _ in 0..50 {
        let (builder, log) = recorded(ToolRegistry::new().with(Race));
        let executor = builder.build().unwrap();
        let calls: Vec<_> = (0..20)
            .map(|number| ToolCall::new("race", json!({ "number": number })))
            .collect();
        executor.session("s").call_all(calls).await;
        hashes.insert(verify(&log).unwrap().run_hash);
    }
    assert_eq!(hashes.len(), 1);
}
