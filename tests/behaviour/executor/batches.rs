//! The calls of a batch, each for itself, also where there are more of them than threads.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Barrier, Notify};
use toolwright::content::{CallStatus, ErrorKind};
use toolwright::executor::{Limits, RunningCall};
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

use crate::support::HandMade;

/// More than a runtime of a test has threads, and more than are polled in a row.
const CALLS: usize = 100;

/// More than a runtime of a test has threads, and fewer than are polled in a row.
const FEW: usize = 8;

#[tokio::test]
async fn trap_equal_call_ids_in_a_batch_are_calls_of_their_own() {
    let executor = Executor::new(ToolRegistry::new().with(HandMade::new("echo"))).unwrap();
    let calls = [1, 2, 3].map(|n| ToolCall::new("echo", json!({"n": n})).with_id("same"));
    let outcomes = executor.session("s").call_all(calls).await;
    let mut invocations = Vec::new();
    for (outcome, n) in outcomes.iter().zip(1..) {
        assert_eq!(outcome.text(), format!("{{\"n\":{n}}}"));
        let result = outcome.result();
        assert_eq!(result.call_id().unwrap().as_str(), "same");
        assert!(!invocations.contains(&result.invocation_id()));
        invocations.push(result.invocation_id());
    }
    assert_eq!(invocations.len(), 3);
}

/// Go on once all of them are there.
#[tool(register = false, read_only)]
async fn gather(n: usize, barrier: &Arc<Barrier>) -> usize {
    barrier.wait().await;
    n
}

/// Panic, fail, wait or be ready at once, by the number.
#[tool(register = false, read_only)]
async fn vary(n: usize) -> Result<usize, ToolError> {
    match n % 5 {
        // Without the noise of the panic hook.
        0 => std::panic::resume_unwind(Box::new("it falls")),
        1 => {
            tokio::task::yield_now().await;
            std::panic::resume_unwind(Box::new("it falls later"))
        }
        2 => Err(ToolError::failed("it does")),
        3 => {
            tokio::task::yield_now().await;
            Ok(n)
        }
        _ => Ok(n),
    }
}

/// Panic when it is dropped, before its end.
#[tool(register = false, read_only)]
async fn fall_when_dropped(n: usize, left: &Arc<AtomicUsize>) -> usize {
    struct Falls(Arc<AtomicUsize>);
    impl Drop for Falls {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
            std::panic::resume_unwind(Box::new("it falls as it goes"));
        }
    }
    let _falls = Falls(Arc::clone(left));
    std::future::pending::<()>().await;
    n
}

/// Bodies that begin, and one that waits for all of them on its thread.
#[derive(Default)]
struct Begun(Mutex<usize>, Condvar);

impl Begun {
    fn add(&self) {
        *self.0.lock().unwrap() += 1;
        self.1.notify_all();
    }

    /// Holds the thread until so many have begun. Returns false if they have not after a while.
    fn hold(&self, all: usize) -> bool {
        let (begun, time) = (self.0.lock().unwrap(), Duration::from_secs(20));
        let held = self.1.wait_timeout_while(begun, time, |begun| *begun < all);
        !held.unwrap().1.timed_out()
    }
}

/// Hold the thread until all others have run.
#[tool(register = false, read_only)]
async fn hold_for_others(n: usize, begun: &Arc<Begun>) -> bool {
    begun.add();
    n > 0 || begun.hold(CALLS)
}

/// Hold the thread until so many calls have begun, if it is this one that holds.
#[tool(register = false, read_only)]
async fn hold_until(holds: bool, all: usize, begun: &Arc<Begun>) -> bool {
    begun.add();
    !holds || begun.hold(all)
}

/// Wait for a moment, and hold the thread then until so many calls have begun, if it is this one that holds.
#[tool(register = false, read_only)]
async fn wait_and_hold(holds: bool, all: usize, begun: &Arc<Begun>) -> bool {
    begun.add();
    tokio::task::yield_now().await;
    !holds || begun.hold(all)
}

/// Hold the thread, after a wait, until the others have been woken from theirs.
#[tool(register = false, read_only)]
async fn hold_after_a_wait(n: usize, begun: &Arc<Begun>, woken: &Arc<Notify>) -> bool {
    if n > 0 {
        woken.notified().await;
        begun.add();
        return true;
    }
    tokio::task::yield_now().await;
    begun.add();
    begun.hold(FEW)
}

/// Wait for some time, and count then.
#[tool(register = false, read_only)]
async fn doze(n: usize, begun: &Arc<Begun>) -> usize {
    tokio::time::sleep(Duration::from_millis(10)).await;
    begun.add();
    n
}

/// Wait until the call is cancelled, and not end by itself then.
#[tool(register = false, read_only)]
async fn until_cancelled(n: usize, ctx: &ToolContext) -> usize {
    ctx.cancelled().await;
    std::future::pending::<()>().await;
    n
}

fn executor() -> (Executor, Arc<AtomicUsize>) {
    let left = Arc::new(AtomicUsize::new(0));
    let tools = ToolRegistry::new()
        .with(Gather)
        .with(Vary)
        .with(FallWhenDropped)
        .with(HoldForOthers)
        .with(UntilCancelled);
    let executor = Executor::builder(tools)
        .limits(Limits::new().cancel_grace(Duration::ZERO))
        .resource(Arc::new(Barrier::new(CALLS)))
        .resource(Arc::new(Begun::default()))
        .resource(Arc::clone(&left))
        .build()
        .unwrap();
    (executor, left)
}

fn calls(tool: &'static str) -> impl Iterator<Item = ToolCall<'static>> {
    (0..CALLS).map(move |n| ToolCall::new(tool, json!({"n": n})))
}

fn runtimes() -> [Runtime; 2] {
    let two = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let one = Builder::new_current_thread().enable_all().build();
    [one.unwrap(), two.unwrap()]
}

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

async fn until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

fn all_run(session: &Session) -> bool {
    let running = session.running();
    let runs = |call: &RunningCall| call.status() == CallStatus::Running;
    running.len() == CALLS && running.iter().all(runs)
}

#[test]
fn all_calls_of_a_batch_begin_though_they_share_tasks() {
    for runtime in runtimes() {
        let (executor, _) = executor();
        let outcomes = runtime.block_on(executor.session("s").call_all(calls("gather")));
        for (n, outcome) in outcomes.iter().enumerate() {
            assert_eq!(outcome.text(), n.to_string());
        }
        assert_eq!(outcomes.len(), CALLS);
    }
}

#[test]
fn a_call_that_fails_leaves_those_that_share_its_task_alone() {
    let expected = |n: usize| match n % 5 {
        0 | 1 => Some(ErrorKind::Panicked),
        2 => Some(ErrorKind::Failed),
        _ => None,
    };
    for runtime in runtimes() {
        let (executor, _) = executor();
        let outcomes = runtime.block_on(executor.session("s").call_all(calls("vary")));
        let kinds: Vec<_> = outcomes.iter().map(kind).collect();
        let all: Vec<_> = (0..CALLS).map(expected).collect();
        assert_eq!(kinds, all);
    }
}

#[test]
fn each_outcome_of_a_large_batch_is_streamed_once() {
    for runtime in runtimes() {
        let (executor, _) = executor();
        runtime.block_on(async {
            let session = executor.session("s");
            let mut stream = session.stream_all(calls("vary"));
            let mut seen = BTreeSet::new();
            while let Some((at, _)) = stream.next().await {
                assert!(seen.insert(at), "{at} twice");
            }
            assert_eq!(seen.len(), CALLS);
            assert!(session.running().is_empty());
        });
    }
}

#[test]
fn trap_a_body_that_holds_its_thread_holds_up_none_that_has_not_begun() {
    let [_, two] = runtimes();
    let (executor, _) = executor();
    let outcomes = two.block_on(executor.session("s").call_all(calls("hold_for_others")));
    assert_eq!(outcomes[0].text(), "true");
    assert!(outcomes.iter().all(ToolOutcome::is_success));
}

#[test]
fn all_calls_of_a_batch_begin_where_there_are_no_timers() {
    let two = Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Gather).with(HoldForOthers))
        .limits(Limits::new().timeout(None))
        .resource(Arc::new(Barrier::new(CALLS)))
        .resource(Arc::new(Begun::default()))
        .build()
        .unwrap();
    let session = executor.session("s");
    for tool in ["gather", "hold_for_others"] {
        let outcomes = two.block_on(session.call_all(calls(tool)));
        assert!(outcomes.iter().all(ToolOutcome::is_success), "{tool}");
        assert_ne!(outcomes[0].text(), "false");
    }
}

#[test]
fn trap_a_body_that_holds_its_thread_holds_up_none_of_a_few_calls() {
    let [_, two] = runtimes();
    let woken = Arc::new(Notify::new());
    let executor = Executor::builder(ToolRegistry::new().with(HoldAfterAWait))
        .resource(Arc::new(Begun::default()))
        .resource(Arc::clone(&woken))
        .build()
        .unwrap();
    let session = executor.session("s");
    // A thread of none of the workers wakes them, again and again: some may not wait yet.
    let over = AtomicBool::new(false);
    let outcomes = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                woken.notify_waiters();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let outcomes = two.block_on(session.call_all(calls("hold_after_a_wait").take(FEW)));
        over.store(true, Ordering::SeqCst);
        outcomes
    });
    assert_eq!(outcomes.len(), FEW);
    for outcome in outcomes {
        assert_eq!(outcome.text(), "true");
    }
}

/// Makes so many calls, some of which hold their threads, from a task of the runtime: its thread has a queue of its own.
fn hold(runtime: &Runtime, tool: &'static str, all: usize, holders: &'static [usize]) {
    let executor = Executor::builder(ToolRegistry::new().with(HoldUntil).with(WaitAndHold))
        .resource(Arc::new(Begun::default()))
        .build()
        .unwrap();
    let session = executor.session("s");
    let call = move |n| {
        let arguments = json!({"holds": holders.contains(&n), "all": all});
        ToolCall::new(tool, arguments)
    };
    let caller = async move { session.call_all((0..all).map(call)).await };
    let outcomes = runtime.block_on(async { tokio::spawn(caller).await.unwrap() });
    assert_eq!(outcomes.len(), all);
    for outcome in outcomes {
        assert_eq!(outcome.text(), "true", "{holders:?} of {all} hold");
    }
}

#[test]
fn trap_a_body_that_holds_the_thread_of_its_caller_holds_up_no_other() {
    let [_, two] = runtimes();
    for all in [2, 3, FEW, CALLS] {
        for holders in [&[0], &[1]] {
            hold(&two, "hold_until", all, holders);
            hold(&two, "wait_and_hold", all, holders);
        }
    }
}

#[test]
fn trap_bodies_that_hold_all_threads_but_one_hold_up_none_that_has_not_begun() {
    let four = Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap();
    for all in [4, FEW, CALLS] {
        for holders in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
            let holders: &'static [usize] = Box::leak(Box::new(holders));
            hold(&four, "hold_until", all, holders);
            hold(&four, "wait_and_hold", all, holders);
        }
    }
}

#[test]
fn a_batch_goes_on_where_it_is_polled_outside_of_its_runtime() {
    let [_, two] = runtimes();
    let executor = Executor::builder(ToolRegistry::new().with(WaitAndHold))
        .limits(Limits::new().timeout(None))
        .resource(Arc::new(Begun::default()))
        .build()
        .unwrap();
    let session = executor.session("s");
    let call = |_| ToolCall::new("wait_and_hold", json!({"holds": false, "all": CALLS}));
    let mut batch = pin!(session.call_all((0..CALLS).map(call)));
    let mut cx = Context::from_waker(Waker::noop());
    let inside = two.enter();
    let mut polled = batch.as_mut().poll(&mut cx);
    drop(inside);
    let outcomes = loop {
        if let Poll::Ready(outcomes) = polled {
            break outcomes;
        }
        std::thread::yield_now();
        polled = batch.as_mut().poll(&mut cx);
    };
    assert_eq!(outcomes.len(), CALLS);
    assert!(outcomes.iter().all(ToolOutcome::is_success));
}

#[test]
fn trap_a_host_that_polls_its_batch_once_and_holds_its_thread_then_holds_up_no_call() {
    let [_, two] = runtimes();
    let begun = Arc::new(Begun::default());
    let executor = Executor::builder(ToolRegistry::new().with(Doze))
        .resource(Arc::clone(&begun))
        .build()
        .unwrap();
    let session = executor.session("s");
    two.block_on(async {
        let mut batch = pin!(session.call_all(calls("doze")));
        let first = poll_fn(|cx| Poll::Ready(batch.as_mut().poll(cx)));
        assert!(first.await.is_pending());
        assert!(begun.hold(CALLS));
        assert!(batch.await.iter().all(ToolOutcome::is_success));
    });
}

async fn cancel_one_by_one(session: &Session) {
    let batch = session.call_all(calls("until_cancelled"));
    let cancel = async {
        until(|| session.running().len() == CALLS).await;
        // Each second one, and then the rest, by ids that were found before.
        let running = session.running();
        let (odd, even): (Vec<_>, Vec<_>) = running
            .iter()
            .map(RunningCall::invocation_id)
            .enumerate()
            .partition(|(at, _)| at % 2 == 1);
        for (_, id) in &odd {
            assert!(session.cancel_call(*id));
        }
        until(|| session.running().len() == even.len()).await;
        let left = session.running();
        let left = left.iter().map(RunningCall::invocation_id);
        assert!(left.eq(even.iter().map(|(_, id)| *id)));
        assert!(!session.cancel_call(odd[0].1), "it has ended");
        for (_, id) in even {
            assert!(session.cancel_call(id));
        }
    };
    let (outcomes, ()) = tokio::join!(batch, cancel);
    let is_cancelled = |outcome| kind(outcome) == Some(ErrorKind::Cancelled);
    assert!(outcomes.iter().all(is_cancelled));
    assert!(session.running().is_empty());
}

#[test]
fn the_calls_of_a_large_batch_are_cancelled_one_by_one() {
    for runtime in runtimes() {
        let (executor, _) = executor();
        runtime.block_on(cancel_one_by_one(&executor.session("s")));
    }
}

#[test]
fn trap_a_body_that_panics_as_it_is_dropped_leaves_no_other_behind() {
    // Before tasks come to the help of the batch, and after that.
    for pause in [0, 20].map(Duration::from_millis) {
        for runtime in runtimes() {
            let (executor, left) = executor();
            runtime.block_on(async {
                let session = executor.session("s");
                let run = async {
                    until(|| all_run(&session)).await;
                    tokio::time::sleep(pause).await;
                };
                tokio::select! {
                    _ = session.call_all(calls("fall_when_dropped")) => panic!("none of them ends"),
                    () = run => {}
                }
                until(|| session.running().is_empty()).await;
                assert_eq!(left.load(Ordering::SeqCst), CALLS);
            });
        }
    }
}

#[test]
fn the_calls_of_a_batch_whose_runtime_has_ended_say_so() {
    for runtime in runtimes() {
        let (executor, _) = executor();
        let session = executor.session("s");
        let mut stream = runtime.block_on(async {
            let mut stream = session.stream_all(calls("until_cancelled"));
            tokio::select! {
                _ = stream.next() => panic!("none of them ends"),
                () = until(|| all_run(&session)) => stream,
            }
        });
        drop(runtime);
        let mut count = 0;
        while let Some((_, outcome)) = crate::support::ready_now(stream.next()) {
            assert_eq!(kind(&outcome), Some(ErrorKind::Unavailable));
            count += 1;
        }
        assert_eq!(count, CALLS);
        assert!(session.running().is_empty());
    }
}
