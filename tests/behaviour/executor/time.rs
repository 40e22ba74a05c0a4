//! Cancellation with a grace time, timeouts, and what is left of calls that were stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use toolwright::content::ErrorKind;
use toolwright::executor::{Limits, SessionOptions, WaitMode};
use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::question::Question;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolRegistry, Turn, tool,
};

use crate::waiting_support::opened;

const SECOND: Duration = Duration::from_secs(1);

fn kind(outcome: &ToolOutcome) -> ErrorKind {
    outcome.error().unwrap().kind()
}

/// The marks that the bodies leave.
#[derive(Default)]
struct Seen {
    begun: Notify,
    polls: AtomicUsize,
    tidied: AtomicUsize,
}

/// Sleep for so many seconds.
#[tool(register = false, read_only)]
async fn doze(seconds: u64, seen: &Seen) -> u64 {
    seen.begun.notify_one();
    sleep(Duration::from_secs(seconds)).await;
    seconds
}

/// Sleep for so many seconds, and change something.
#[tool(register = false)]
async fn work(seconds: u64, seen: &Seen) -> u64 {
    doze(seconds, seen).await
}

/// Work until it is cancelled, and then tidy up for so many milliseconds.
#[tool(register = false, read_only)]
async fn work_and_tidy(tidying: u64, ctx: &ToolContext, seen: &Seen) -> &'static str {
    seen.begun.notify_one();
    loop {
        tokio::select! {
            biased;
            () = ctx.cancelled() => break,
            () = sleep(SECOND) => { seen.polls.fetch_add(1, Ordering::SeqCst); }
        }
    }
    sleep(Duration::from_millis(tidying)).await;
    seen.tidied.fetch_add(1, Ordering::SeqCst);
    "tidied up"
}

/// Work until it is cancelled, and then trip.
#[tool(register = false)]
async fn work_and_trip(ctx: &ToolContext, seen: &Seen) {
    seen.begun.notify_one();
    ctx.cancelled().await;
    panic!("over the cable");
}

/// Fail.
#[tool(register = false, read_only)]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("the disk is full"))
}

/// Trip.
#[tool(register = false, read_only)]
fn trip() {
    panic!("over the carpet");
}

/// Touch what nobody may touch.
#[tool(register = false, permission = PermissionRequest::new("touch", "it", "Touch it"))]
fn touch() {}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Doze)
        .with(Work)
        .with(WorkAndTidy)
        .with(WorkAndTrip)
        .with(Fail)
        .with(Trip)
        .with(Touch)
}

fn builder(seen: &Arc<Seen>) -> ExecutorBuilder {
    Executor::builder(registry())
        .resource_arc(Arc::clone(seen))
        .permission_checker(AllowAll)
}

fn executor(seen: &Arc<Seen>) -> Executor {
    builder(seen).build().unwrap()
}

/// A call of a turn that is cancelled once the body has begun, and how long it went on.
async fn cancelled(turn: &Turn, seen: &Seen, name: &str, arguments: &str) -> (ToolOutcome, u64) {
    let (outcome, begun) = tokio::join!(turn.call(ToolCall::new(name, arguments)), async {
        seen.begun.notified().await;
        sleep(3 * SECOND).await;
        turn.cancel();
        Instant::now()
    });
    (outcome, u64::try_from(begun.elapsed().as_millis()).unwrap())
}

fn alive() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Waits until the tasks that keep time have ended, too, which they do some time after the last call.
async fn none_alive() {
    let begun = Instant::now();
    while alive() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(5));
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_looks_at_its_cancellation_ends_in_one_poll() {
    let seen = Arc::new(Seen::default());
    let executor = executor(&seen);
    let turn = executor.session("s").turn();
    let (outcome, took) = cancelled(&turn, &seen, "work_and_tidy", r#"{"tidying": 0}"#).await;
    assert_eq!(kind(&outcome), ErrorKind::Cancelled);
    // The timer's grain.
    assert!(took <= 1, "{took} ms");
    assert_eq!(seen.tidied.load(Ordering::SeqCst), 1);
    let polls = seen.polls.load(Ordering::SeqCst);
    assert!((2..=3).contains(&polls), "none after the cancel: {polls}");
}

#[tokio::test(start_paused = true)]
async fn s1_11_a_sleeping_tool_stops_at_its_limit() {
    let seen = Arc::new(Seen::default());
    let executor = builder(&seen)
        .limits(Limits::new().timeout(2 * SECOND))
        .build()
        .unwrap();
    let begun = Instant::now();
    let late = executor.call("doze", r#"{"seconds": 30}"#).await;
    assert_eq!(kind(&late), ErrorKind::TimedOut);
    assert_eq!(late.text(), "the call took longer than its timeout of 2s");
    assert_eq!(begun.elapsed().as_millis(), 2_000, "a timeout has no grace");
    assert_eq!(executor.counts().dropped_bodies(), 1);

    // The session's timeout is one more, and the shortest holds.
    for (limit, took) in [(1, 1_000), (5, 2_000)] {
        let options = SessionOptions::new().timeout(limit * SECOND);
        let session = executor.session_with("s", options);
        let begun = Instant::now();
        let late = session
            .call(ToolCall::new("doze", r#"{"seconds": 30}"#))
            .await;
        assert_eq!(kind(&late), ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_millis(), took);
    }
    none_alive().await;
}

#[tokio::test(start_paused = true)]
async fn s3_35_a_cancelled_call_is_told_from_all_others() {
    struct Blocks;
    impl ToolGate for Blocks {
        fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
            (call.spec().name().as_str() == "doze"
                && call.arguments().ok()?.get("seconds")?.as_u64()? == 7)
                .then(|| GateDecision::block("seven is closed"))
        }
    }
    let seen = Arc::new(Seen::default());
    let executor = Executor::builder(registry())
        .resource_arc(Arc::clone(&seen))
        .gate(Blocks)
        .limits(Limits::new().timeout(10 * SECOND))
        .build()
        .unwrap();
    let turn = executor.session("s").turn();
    let (stopped, _) = cancelled(&turn, &seen, "doze", r#"{"seconds": 30}"#).await;
    let mut ends = vec![(kind(&stopped), stopped.text())];
    for (name, arguments) in [
        ("doze", r#"{"seconds": 30}"#),
        ("touch", ""),
        ("doze", r#"{"seconds": 7}"#),
        ("fail", ""),
        ("trip", ""),
    ] {
        let outcome = executor.call(name, arguments).await;
        assert_eq!(
            matches!(outcome, ToolOutcome::Failed(_)),
            kind(&outcome) == ErrorKind::Blocked
        );
        ends.push((kind(&outcome), outcome.text()));
    }
    let kinds: Vec<ErrorKind> = ends.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(
        kinds,
        [
            ErrorKind::Cancelled,
            ErrorKind::TimedOut,
            ErrorKind::Denied,
            ErrorKind::Blocked,
            ErrorKind::Failed,
            ErrorKind::Panicked,
        ]
    );
    let mut texts: Vec<String> = ends.into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts[0], "the call was cancelled");
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 6, "{texts:?}");
}

#[tokio::test(start_paused = true)]
async fn s3_36_a_cancelled_turn_stops_all_that_runs_in_it() {
    let seen = Arc::new(Seen::default());
    let executor = executor(&seen);
    let turn = executor.session("s").turn();
    let sleepers = [(); 3].map(|()| {
        let turn = turn.clone();
        tokio::spawn(async move { turn.call(ToolCall::new("doze", r#"{"seconds": 30}"#)).await })
    });
    sleep(SECOND).await;
    let begun = Instant::now();
    turn.cancel();
    for sleeper in sleepers {
        assert_eq!(kind(&sleeper.await.unwrap()), ErrorKind::Cancelled);
    }
    // They do not look at their cancellation: the grace time is all that they have.
    assert!(begun.elapsed() <= Duration::from_millis(101));
    assert_eq!(executor.counts().dropped_bodies(), 3);
    none_alive().await;
}

#[tokio::test(start_paused = true)]
async fn trap_a_late_result_after_a_cancel_is_thrown_away_and_counted() {
    let seen = Arc::new(Seen::default());
    let executor = executor(&seen);
    let session = executor.session("s");
    // In time, at the last moment, and too late.
    for (tidying, tidied, late, dropped) in [(40, 1, 1, 0), (90, 2, 2, 0), (400, 2, 2, 1)] {
        let arguments = format!("{{\"tidying\": {tidying}}}");
        let (outcome, took) = cancelled(&session.turn(), &seen, "work_and_tidy", &arguments).await;
        assert_eq!(kind(&outcome), ErrorKind::Cancelled);
        assert_eq!(outcome.text(), "the call was cancelled");
        assert!(
            took.abs_diff(tidying.min(100)) <= 1,
            "{took} ms of {tidying}"
        );
        assert_eq!(seen.tidied.load(Ordering::SeqCst), tidied);
        let counts = executor.counts();
        assert_eq!(
            (counts.late_results(), counts.dropped_bodies()),
            (late, dropped)
        );
    }
    none_alive().await;
}

#[tokio::test(start_paused = true)]
async fn without_grace_a_body_is_dropped_at_once() {
    let seen = Arc::new(Seen::default());
    let executor = builder(&seen)
        .limits(Limits::new().cancel_grace(Duration::ZERO))
        .build()
        .unwrap();
    let turn = executor.session("s").turn();
    let (outcome, took) = cancelled(&turn, &seen, "work_and_tidy", r#"{"tidying": 0}"#).await;
    assert_eq!((kind(&outcome), took), (ErrorKind::Cancelled, 0));
    assert_eq!(seen.tidied.load(Ordering::SeqCst), 0);
    assert_eq!(executor.counts().dropped_bodies(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_have_done_something_is_told_so_after_its_grace() {
    let seen = Arc::new(Seen::default());
    let executor = executor(&seen);
    let turn = executor.session("s").turn();
    let (outcome, _) = cancelled(&turn, &seen, "work", r#"{"seconds": 30}"#).await;
    assert!(
        outcome.text().contains("effect is unknown"),
        "{}",
        outcome.text()
    );

    let turn = executor.session("s").turn();
    let (tripped, _) = cancelled(&turn, &seen, "work_and_trip", "").await;
    assert_eq!(kind(&tripped), ErrorKind::Cancelled);
    assert!(
        tripped.text().contains("effect is unknown"),
        "{}",
        tripped.text()
    );
    let panicked = std::error::Error::source(tripped.error().unwrap()).unwrap();
    let said = panicked.source().unwrap().to_string();
    assert_eq!(said, "over the cable", "the log has the panic");
}

/// Ask something.
#[tool(register = false, read_only)]
async fn ask_color(ctx: &ToolContext) -> Result<String, ToolError> {
    let answer = ctx.ask(Question::text("Which color?")).await?;
    Ok(format!("{answer:?}"))
}

#[tokio::test(start_paused = true)]
async fn trap_an_unanswered_prompt_goes_with_its_cancelled_call() {
    let executor = Executor::builder(ToolRegistry::new().with(AskColor))
        .approvals(WaitMode::Blocking)
        .limits(Limits::new().timeout(SECOND))
        .build()
        .unwrap();
    let mut events = executor.tickets().subscribe();
    let turn = executor.session("s").turn();
    let (outcome, ticket) = tokio::join!(turn.call(ToolCall::new("ask_color", "")), async {
        let ticket = opened(&mut events).await.remove(0);
        // Its time stands still.
        sleep(60 * SECOND).await;
        turn.cancel();
        ticket
    });
    assert_eq!(kind(&outcome), ErrorKind::Cancelled);
    let late = executor.tickets().answer(ticket.id(), Answer::yes()).await;
    assert!(late.is_err(), "nobody waits for it");
    assert_eq!(executor.counts().late_results(), 1, "its error");
    none_alive().await;
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap()
}

#[test]
fn an_executor_keeps_time_in_several_runtimes() {
    let seen = Arc::new(Seen::default());
    let executor = builder(&seen)
        .limits(Limits::new().timeout(2 * SECOND))
        .build()
        .unwrap();
    let (first, second) = (runtime(), runtime());
    let calling = {
        let executor = executor.clone();
        first.spawn(async move { executor.call("doze", r#"{"seconds": 30}"#).await })
    };
    first.block_on(seen.begun.notified());
    // The first one goes with a call in it; the second has its own clock.
    let late = second.block_on(async {
        let call = executor.call("doze", r#"{"seconds": 30}"#);
        tokio::pin!(call);
        tokio::select! {
            biased;
            _ = &mut call => unreachable!("it sleeps"),
            () = sleep(SECOND) => {}
        }
        // Not from within another runtime.
        std::thread::spawn(|| drop(first)).join().unwrap();
        call.await
    });
    assert_eq!(kind(&late), ErrorKind::TimedOut);
    assert!(second.block_on(calling).unwrap_err().is_cancelled());
    second.block_on(none_alive());
}

/// Work on a thread until it is told to go on.
#[tool(register = false, read_only, blocking, timeout = "20ms")]
fn grind(ctx: &ToolContext, seen: &Seen) -> bool {
    while seen.polls.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    ctx.is_cancelled()
}

#[tokio::test]
async fn the_late_result_of_a_thread_that_was_left_behind_is_counted() {
    let seen = Arc::new(Seen::default());
    let registry = ToolRegistry::new().with(Grind);
    let executor = Executor::builder(registry).resource_arc(Arc::clone(&seen));
    let executor = executor.build().unwrap();
    let late = executor.call("grind", "").await;
    assert_eq!(kind(&late), ErrorKind::TimedOut);
    let counts = executor.counts();
    assert_eq!((counts.late_results(), counts.dropped_bodies()), (0, 1));
    seen.polls.store(1, Ordering::SeqCst);
    while executor.counts().late_results() == 0 {
        sleep(Duration::from_millis(1)).await;
    }
}
