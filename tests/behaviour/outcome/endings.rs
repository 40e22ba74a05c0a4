//! Every call ends in one outcome, whatever happens: panics, timeouts, cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::Limits;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolCall, ToolError, ToolOutcome, ToolRegistry, Turn, tool};

use crate::support::{poll_once, ready_now};

fn kind(outcome: &ToolOutcome) -> ErrorKind {
    outcome.error().unwrap().kind()
}

/// Trip over something.
#[tool(read_only)]
async fn trip(wait: bool) {
    if wait {
        tokio::task::yield_now().await;
    }
    panic!("over {}", "the carpet");
}

/// Sleep for half a minute.
#[tool(read_only, timeout = "20ms")]
async fn oversleep() -> &'static str {
    tokio::time::sleep(Duration::from_secs(30)).await;
    "it is morning"
}

/// Add two numbers.
#[tool(pure)]
fn sum(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_and_a_timeout_leave_their_session_as_it_was() {
    let registry = ToolRegistry::new().with(Trip).with(Oversleep).with(Sum);
    let session = Executor::new(registry).unwrap().session("s");
    let turn = session.turn();
    let begun = std::time::Instant::now();
    let (panicked, late, good) = tokio::join!(
        turn.call(ToolCall::new("trip", r#"{"wait": true}"#).with_id("1")),
        turn.call(ToolCall::new("oversleep", "").with_id("2")),
        turn.call(ToolCall::new("sum", r#"{"a": 2, "b": 3}"#).with_id("3")),
    );
    assert!(begun.elapsed() < Duration::from_secs(20));

    assert_eq!(kind(&panicked), ErrorKind::Panicked);
    assert_eq!(
        panicked.text(),
        "the tool panicked: this is a fault of the tool, not of the call"
    );
    let source = std::error::Error::source(panicked.error().unwrap())
        .unwrap()
        .to_string();
    assert_eq!(source, "over the carpet", "the log has the panic's message");
    assert_eq!(kind(&late), ErrorKind::TimedOut);
    assert_eq!(late.text(), "the call took longer than its timeout of 20ms");
    assert_eq!(good.text(), "5");
    for (outcome, id) in [(panicked, "1"), (late, "2"), (good, "3")] {
        assert_eq!(outcome.result().call_id().unwrap().as_str(), id);
        assert!(matches!(outcome, ToolOutcome::Completed(_)));
    }

    let next = turn.call(ToolCall::new("sum", r#"{"a": 1, "b": 1}"#)).await;
    assert_eq!(next.text(), "2");
    let at_once = session
        .call(ToolCall::new("trip", r#"{"wait": false}"#))
        .await;
    assert_eq!(kind(&at_once), ErrorKind::Panicked);
    let last = session
        .call(ToolCall::new("sum", r#"{"a": 1, "b": 2}"#))
        .await;
    assert_eq!(last.text(), "3");
}

/// The gate that calls wait at, and the number of them that left.
struct Gate {
    entered: Semaphore,
    opened: Semaphore,
    left: AtomicUsize,
}

impl Gate {
    fn closed() -> Arc<Self> {
        Arc::new(Self {
            entered: Semaphore::new(0),
            opened: Semaphore::new(0),
            left: AtomicUsize::new(0),
        })
    }

    async fn wait_for(&self, calls: u32) {
        self.entered.acquire_many(calls).await.unwrap().forget();
    }

    fn left(&self) -> usize {
        self.left.load(Ordering::SeqCst)
    }
}

/// Notes that a body's future is gone.
struct Leaving<'g>(&'g Gate);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.left.fetch_add(1, Ordering::SeqCst);
    }
}

async fn pass(gate: &Gate) -> &'static str {
    let _leaving = Leaving(gate);
    gate.entered.add_permits(1);
    gate.opened.acquire().await.unwrap().forget();
    "passed"
}

/// Wait at the gate and change nothing.
#[tool(read_only)]
async fn watch_gate(gate: &Gate) -> &'static str {
    pass(gate).await
}

/// Carry something through the gate.
#[tool]
async fn carry_through_gate(gate: &Gate) -> &'static str {
    pass(gate).await
}

fn at_the_gate(gate: &Arc<Gate>) -> Executor {
    Executor::builder(ToolRegistry::new().with(WatchGate).with(CarryThroughGate))
        .resource_arc(Arc::clone(gate))
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_cancelled_turn_ends_its_calls_and_no_others() {
    let gate = Gate::closed();
    let session = at_the_gate(&gate).session("s");
    let (first, second) = (session.turn(), session.turn());
    let start = |turn: &Turn| {
        let turn = turn.clone();
        tokio::spawn(async move { turn.call(ToolCall::new("watch_gate", "")).await })
    };
    let (ended, goes_on) = (start(&first), start(&second));
    gate.wait_for(2).await;

    first.cancel();
    let ended = ended.await.unwrap();
    assert_eq!(kind(&ended), ErrorKind::Cancelled);
    assert_eq!(ended.text(), "the call was cancelled");
    assert_eq!(ended.result().source(), ResultSource::Executor);
    assert_eq!(gate.left(), 1, "the body's future is gone");
    assert!(!goes_on.is_finished());

    // No call of that turn runs any more; another turn is not touched.
    let late = first.call(ToolCall::new("watch_gate", "")).await;
    assert_eq!(kind(&late), ErrorKind::Cancelled);
    gate.opened.add_permits(2);
    assert_eq!(goes_on.await.unwrap().text(), "passed");
    let next = session.turn().call(ToolCall::new("watch_gate", "")).await;
    assert_eq!(next.text(), "passed");
    assert_eq!(gate.left(), 3);
}

#[tokio::test]
async fn a_cancelled_session_ends_all_its_turns() {
    let gate = Gate::closed();
    let executor = at_the_gate(&gate);
    let (ours, other) = (executor.session("ours"), executor.session("other"));
    let calls = [ours.clone(), ours.clone(), other].map(|session| {
        let call = async move { session.turn().call(ToolCall::new("watch_gate", "")).await };
        tokio::spawn(call)
    });
    gate.wait_for(3).await;
    ours.cancel();
    let [one, two, three] = calls;
    assert_eq!(kind(&one.await.unwrap()), ErrorKind::Cancelled);
    assert_eq!(kind(&two.await.unwrap()), ErrorKind::Cancelled);
    gate.opened.add_permits(1);
    assert_eq!(three.await.unwrap().text(), "passed");
    assert_eq!(
        kind(&ours.turn().call(ToolCall::new("watch_gate", "")).await),
        ErrorKind::Cancelled
    );
}

#[tokio::test(start_paused = true)]
async fn only_a_call_that_may_have_done_something_is_told_so() {
    let gate = Gate::closed();
    let executor = at_the_gate(&gate);
    let unknown = "whether it had an effect is unknown";

    let watched = executor.call("watch_gate", "").await;
    assert_eq!(kind(&watched), ErrorKind::TimedOut);
    assert!(!watched.text().contains(unknown), "{}", watched.text());
    assert!(watched.error().unwrap().is_retryable());

    let carried = executor.call("carry_through_gate", "").await;
    assert_eq!(kind(&carried), ErrorKind::TimedOut);
    assert!(carried.text().contains(unknown), "{}", carried.text());
    assert!(!carried.error().unwrap().is_retryable());
    gate.wait_for(2).await;

    let turn = executor.session("s").turn();
    let (cancelled, ()) = tokio::join!(turn.call(ToolCall::new("carry_through_gate", "")), async {
        gate.wait_for(1).await;
        turn.cancel();
    });
    assert_eq!(kind(&cancelled), ErrorKind::Cancelled);
    assert!(cancelled.text().contains(unknown), "{}", cancelled.text());
}

#[tokio::test]
async fn a_call_that_never_began_had_no_effect() {
    let gate = Gate::closed();
    let turn = at_the_gate(&gate).session("s").turn();
    turn.cancel();
    let outcome = turn.call(ToolCall::new("carry_through_gate", "")).await;
    assert_eq!(kind(&outcome), ErrorKind::Cancelled);
    assert_eq!(gate.left(), 0, "the body never ran");
    assert!(!outcome.text().contains("unknown"), "{}", outcome.text());
}

/// Wait for so many seconds.
#[tool(read_only)]
async fn wait(seconds: u64) -> u64 {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    seconds
}

/// Wait for so many seconds, at most ninety.
#[tool(read_only, timeout = "1m30s")]
async fn wait_patiently(seconds: u64) -> u64 {
    wait(seconds).await
}

#[tokio::test(start_paused = true)]
async fn the_tools_timeout_goes_before_the_executors() {
    let registry = || ToolRegistry::new().with(Wait).with(WaitPatiently);
    let timed = async |executor: &Executor, name: &str, seconds: u64| {
        let begun = Instant::now();
        let arguments = serde_json::json!({"seconds": seconds});
        let outcome = executor.call(name, arguments).await;
        (
            outcome.error().map(ToolError::kind),
            begun.elapsed().as_secs(),
        )
    };
    let late = Some(ErrorKind::TimedOut);

    let by_default = Executor::new(registry()).unwrap();
    assert_eq!(timed(&by_default, "wait", 59).await, (None, 59));
    assert_eq!(timed(&by_default, "wait", 61).await, (late, 60));
    assert_eq!(timed(&by_default, "wait_patiently", 89).await, (None, 89));
    assert_eq!(timed(&by_default, "wait_patiently", 91).await, (late, 90));

    let hasty = Executor::builder(registry()).limits(Limits::new().timeout(Duration::from_secs(5)));
    let hasty = hasty.build().unwrap();
    assert_eq!(timed(&hasty, "wait", 6).await, (late, 5));
    assert_eq!(timed(&hasty, "wait_patiently", 89).await, (None, 89));

    let endless = Executor::builder(registry())
        .limits(Limits::new().timeout(None))
        .build()
        .unwrap();
    assert_eq!(timed(&endless, "wait", 86_400).await, (None, 86_400));
    assert_eq!(timed(&endless, "wait_patiently", 91).await, (late, 90));
}

/// Wait for something that never comes.
#[tool(read_only)]
async fn wait_for_ever() {
    std::future::pending::<()>().await;
}

#[test]
fn a_call_that_waits_as_its_runtime_goes_says_that_the_app_shuts_down() {
    let executor = Executor::new(ToolRegistry::new().with(WaitForEver)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_time()
        .build()
        .unwrap();
    let handle = runtime.handle().clone();
    drop(runtime);
    let _inside = handle.enter();
    let stopped = ready_now(executor.call("wait_for_ever", ""));
    assert_eq!(kind(&stopped), ErrorKind::Unavailable);
    assert!(stopped.text().contains("the app is shutting down"));
}

#[test]
fn a_call_needs_a_runtime_only_to_keep_a_timeout() {
    let registry = || ToolRegistry::new().with(Sum).with(WaitForEver);
    let executor = Executor::new(registry()).unwrap();
    let ready = ready_now(executor.call("sum", r#"{"a": 2, "b": 3}"#));
    assert_eq!(ready.text(), "5");
    let waiting = ready_now(executor.call("wait_for_ever", ""));
    assert_eq!(kind(&waiting), ErrorKind::Internal);
    assert!(
        !waiting.text().contains("Tokio"),
        "what to do is for the log: {}",
        waiting.text()
    );

    // A runtime without timers is no better.
    let no_timers = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let waiting = no_timers.block_on(executor.call("wait_for_ever", ""));
    assert_eq!(kind(&waiting), ErrorKind::Internal);
    assert_eq!(
        no_timers
            .block_on(executor.call("sum", r#"{"a": 1, "b": 2}"#))
            .text(),
        "3"
    );

    let patient = Executor::builder(registry())
        .limits(Limits::new().timeout(None))
        .build()
        .unwrap();
    let session = patient.session("s");
    let mut waiting = Box::pin(session.call(ToolCall::new("wait_for_ever", "")));
    assert!(poll_once(waiting.as_mut()).is_pending());
    session.cancel();
    assert_eq!(kind(&ready_now(waiting)), ErrorKind::Cancelled);
}

/// Burn the house down.
#[tool(read_only)]
fn burn_down() -> Result<(), ToolError> {
    Err(ToolError::failed("everything is gone").into_fatal())
}

#[tokio::test]
async fn a_fatal_error_ends_the_run_and_has_a_result_all_the_same() {
    let executor = Executor::new(ToolRegistry::new().with(BurnDown)).unwrap();
    let ToolOutcome::Failed(failed) = executor.call("burn_down", "").await else {
        panic!("the error is fatal");
    };
    assert_eq!(failed.error().message(), "everything is gone");
    assert!(failed.result().is_error());
    assert_eq!(failed.result().text(), "everything is gone");
}
