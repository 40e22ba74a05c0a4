//! The number of calls that may run at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::sleep;
use toolwright::content::{CallStatus, ErrorKind};
use toolwright::executor::{BuildProblem, Limits, SessionOptions};
use toolwright::permission::AllowAll;
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

/// The number of bodies that run, and the most that ran at a time.
#[derive(Default)]
struct Count(AtomicUsize, AtomicUsize);

struct Counted(Arc<Count>);

impl Count {
    fn enter(self: &Arc<Self>) -> Counted {
        let now = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.1.fetch_max(now, Ordering::SeqCst);
        Counted(Arc::clone(self))
    }

    fn most(&self) -> usize {
        self.1.swap(0, Ordering::SeqCst)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Take a second, which is nearly all that it may take.
#[tool(register = false, pure, timeout = "1500ms")]
async fn second(count: &Arc<Count>) {
    let _counted = count.enter();
    sleep(Duration::from_secs(1)).await;
}

/// Go down some levels.
#[tool(register = false, pure)]
async fn down(levels: u32, ctx: &ToolContext) -> Result<u32, ToolError> {
    sleep(Duration::from_millis(10)).await;
    if levels == 0 {
        return Ok(0);
    }
    let below = serde_json::json!({"levels": levels - 1});
    let outcome = ctx.call(ToolCall::new("down", below)).await;
    match outcome.error() {
        Some(error) => Err(error.clone()),
        None => Ok(levels),
    }
}

/// Call the other tool that does the same.
#[tool(register = false, pure)]
async fn ping(ctx: &ToolContext) -> Result<String, ToolError> {
    sleep(Duration::from_millis(10)).await;
    let outcome = ctx.call(ToolCall::new("pong", "{}")).await;
    outcome
        .error()
        .map_or(Ok(outcome.text()), |error| Err(error.clone()))
}

/// Call the other tool that does the same.
#[tool(register = false, pure)]
async fn pong(ctx: &ToolContext) -> Result<String, ToolError> {
    sleep(Duration::from_millis(10)).await;
    let outcome = ctx.call(ToolCall::new("ping", "{}")).await;
    outcome
        .error()
        .map_or(Ok(outcome.text()), |error| Err(error.clone()))
}

fn executor(count: &Arc<Count>, limited: &[&str]) -> Executor {
    let registry = ToolRegistry::new()
        .with(Second)
        .with(Down)
        .with(Ping)
        .with(Pong);
    let mut builder = Executor::builder(registry)
        .resource(Arc::clone(count))
        .permission_checker(AllowAll);
    for tool in limited {
        builder = builder.limits(Limits::new().max_concurrent_of(*tool, 1));
    }
    builder.build().unwrap()
}

fn seconds(count: usize) -> Vec<ToolCall<'static>> {
    vec![ToolCall::new("second", "{}"); count]
}

/// By a batch, spawned calls and calls in place, all at once.
async fn in_all_ways(session: &Session) -> Vec<ToolOutcome> {
    let spawned = [
        session.spawn(ToolCall::new("second", "{}")),
        session.spawn(ToolCall::new("second", "{}")),
    ];
    let plain = || session.call(ToolCall::new("second", "{}"));
    let (mut outcomes, first, second) =
        tokio::join!(session.call_all(seconds(3)), plain(), plain());
    outcomes.extend([first, second]);
    for handle in spawned {
        outcomes.push(handle.join().await);
    }
    outcomes
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_session_holds_for_all_its_calls_and_waiting_takes_no_time_of_theirs() {
    let count = Arc::new(Count::default());
    let executor = executor(&count, &[]);
    let options = SessionOptions::new().max_concurrent(2);
    let session = executor.session_with("two", options);
    let outcomes = in_all_ways(&session).await;
    assert_eq!(outcomes.len(), 7);
    assert!(outcomes.iter().all(ToolOutcome::is_success));
    assert_eq!(count.most(), 2);
    let outcomes = in_all_ways(&executor.session("any")).await;
    assert!(outcomes.iter().all(ToolOutcome::is_success));
    assert_eq!(count.most(), 7);
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_tool_holds_in_all_sessions() {
    let count = Arc::new(Count::default());
    let executor = executor(&count, &["second"]);
    let (one, other) = (executor.session("one"), executor.session("other"));
    let (first, second) = tokio::join!(in_all_ways(&one), in_all_ways(&other));
    assert!(first.iter().chain(&second).all(ToolOutcome::is_success));
    assert_eq!(count.most(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_slot_can_be_cancelled() {
    let count = Arc::new(Count::default());
    let executor = executor(&count, &["second"]);
    let session = executor.session("s");
    let first = session.spawn(ToolCall::new("second", "{}"));
    while first.status() != CallStatus::Running {
        tokio::task::yield_now().await;
    }
    let waits = session.spawn(ToolCall::new("second", "{}"));
    sleep(Duration::from_millis(1)).await;
    assert_eq!(waits.status(), CallStatus::New);
    waits.cancel();
    let outcome = waits.join().await;
    assert_eq!(outcome.text(), "the call was cancelled before it began");
    assert!(first.join().await.is_success());
    // Its slot is free again.
    assert!(
        session
            .call(ToolCall::new("second", "{}"))
            .await
            .is_success()
    );
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_shares_the_slots_above_it() {
    let count = Arc::new(Count::default());
    let executor = executor(&count, &["down"]);
    let session = executor.session_with("s", SessionOptions::new().max_concurrent(1));
    let calls = vec![ToolCall::new("down", r#"{"levels": 3}"#); 3];
    let outcomes = session.call_all(calls).await;
    let texts: Vec<String> = outcomes.iter().map(ToolOutcome::text).collect();
    assert_eq!(texts, ["3", "3", "3"]);
}

#[tokio::test(start_paused = true)]
async fn tools_that_call_each_other_do_not_wait_for_each_other() {
    let count = Arc::new(Count::default());
    let executor = executor(&count, &["ping", "pong"]);
    let session = executor.session("s");
    let calls = [ToolCall::new("ping", "{}"), ToolCall::new("pong", "{}")];
    let outcomes = session.call_all(calls).await;
    let errors: Vec<&ToolError> = outcomes.iter().filter_map(ToolOutcome::error).collect();
    assert_eq!(errors.len(), 2);
    let is_limit = |error: &&ToolError| error.kind() == ErrorKind::LimitExceeded;
    assert!(errors.iter().all(is_limit), "{errors:?}");
    // The first that is refused lets go of its slot, so the other may go as deep as calls may go.
    assert_eq!(errors[0].code(), "too_many_calls");
    assert!(errors[0].is_retryable());
}

#[test]
fn a_limit_of_a_tool_that_there_is_not_is_a_mistake() {
    let builder = Executor::builder(ToolRegistry::new())
        .limits(Limits::new().max_concurrent_of("nothing", 3));
    let error = builder.build().unwrap_err();
    assert!(matches!(
        error.problems(),
        [BuildProblem::UnknownTool { tool, .. }] if tool == "nothing"
    ));
    let text = error.to_string();
    assert!(
        text.contains("`Limits::max_concurrent_of(\"nothing\", ..)`: unknown tool `nothing`"),
        "{text}"
    );
}

async fn take_seconds(session: &Session) -> Vec<ToolOutcome> {
    session
        .call_all(vec![ToolCall::new("second", "{}"); 3])
        .await
}

#[tokio::test(start_paused = true)]
async fn trap_slots_of_a_tool_are_kept_when_tools_are_replaced() {
    let count = Arc::new(Count::default());
    let registry = || ToolRegistry::new().with(Second);
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&count))
        .limits(Limits::new().max_concurrent_of("second", 1))
        .build()
        .unwrap();
    let session = executor.session("s");
    // Those of before and those of after the change share them.
    let (before, after) = tokio::join!(take_seconds(&session), async {
        sleep(Duration::from_millis(10)).await;
        executor.replace_tools(registry()).unwrap();
        take_seconds(&session).await
    });
    assert!(before.iter().chain(&after).all(ToolOutcome::is_success));
    assert_eq!(count.most(), 1);
}
