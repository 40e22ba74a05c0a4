//! Calls that run by themselves: what a host sees of them, and how it ends them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use toolwright::content::{CallStatus, ErrorKind, ToolStatus};
use toolwright::executor::{RunningCall, SessionOptions, TaskHandle, WaitMode};
use toolwright::id::CallId;
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

use crate::waiting_support::{Host, Runs};

/// Wait as long as the door is closed.
#[tool(register = false, pure)]
async fn wait_for_door(door: &Arc<Notify>) -> &'static str {
    door.notified().await;
    "open"
}

/// Sleep for ever, and say so when that is over.
#[tool(register = false, pure)]
async fn sleep_on(runs: &Arc<Runs>) {
    struct Gone(Arc<Runs>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.add();
        }
    }
    let _gone = Gone(Arc::clone(runs));
    std::future::pending::<()>().await;
}

/// Take a moment.
#[tool(register = false, pure)]
async fn take_a_moment() -> &'static str {
    tokio::time::sleep(Duration::from_millis(200)).await;
    "taken"
}

/// Add one to a number.
#[tool(register = false, pure)]
async fn next_after(n: i64) -> Result<i64, ToolError> {
    n.checked_add(1)
        .ok_or_else(|| ToolError::failed("there is no next one"))
}

/// Fall over.
#[tool(register = false, pure)]
async fn fall_over() {
    tokio::task::yield_now().await;
    panic!("fell over");
}

/// Say whether the call was cancelled.
#[tool(register = false, pure)]
async fn until_cancelled(ctx: &ToolContext) -> &'static str {
    ctx.cancelled().await;
    "put in order"
}

struct House {
    executor: Executor,
    session: Session,
    door: Arc<Notify>,
    runs: Arc<Runs>,
}

fn house() -> House {
    let door = Arc::new(Notify::new());
    let runs = Arc::new(Runs::default());
    let registry = ToolRegistry::new()
        .with(WaitForDoor)
        .with(SleepOn)
        .with(TakeAMoment)
        .with(NextAfter)
        .with(FallOver)
        .with(UntilCancelled);
    let executor = Executor::builder(registry)
        .resource(Arc::clone(&door))
        .resource(Arc::clone(&runs))
        .build()
        .unwrap();
    House {
        session: executor.session_with("house", SessionOptions::new()),
        executor,
        door,
        runs,
    }
}

fn call(tool: &'static str) -> ToolCall<'static> {
    ToolCall::new(tool, "{}")
}

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(ToolError::kind)
}

async fn until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

/// Take 300 milliseconds, and tell the task.
#[tool(register = false, read_only)]
async fn take_300_ms() -> Option<String> {
    tokio::time::sleep(Duration::from_millis(300)).await;
    tokio::task::try_id().map(|id| id.to_string())
}

/// Hold a thread until the heart has beaten ten times.
#[tool(register = false, read_only, blocking)]
fn hold_a_thread(beats: &Beats) -> Result<usize, ToolError> {
    let beats = beats.0.lock().unwrap();
    let beaten = || beats.recv_timeout(Duration::from_secs(20)).ok();
    match std::iter::from_fn(beaten).take(10).count() {
        10 => Ok(10),
        few => Err(ToolError::failed(format!(
            "the heart stood still after {few}"
        ))),
    }
}

/// Told of each beat.
struct Beats(std::sync::Mutex<std::sync::mpsc::Receiver<()>>);

/// A task that beats every 10 milliseconds, on the one thread of the runtime.
fn heartbeat(mut beat: impl FnMut() + Send + 'static) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        let mut interval = tokio::time::interval(Duration::from_millis(10));
        loop {
            interval.tick().await;
            beat();
        }
    })
}

#[tokio::test(start_paused = true)]
async fn s3_04_a_tool_of_300_ms_delays_no_heartbeat() {
    let executor = Executor::new(ToolRegistry::new().with(Take300Ms)).unwrap();
    let session = executor.session("s");
    let beats = Arc::new(Runs::default());
    let count = Arc::clone(&beats);
    let heart = heartbeat(move || count.add());
    let tools = [(); 2].map(|()| session.spawn(call("take_300_ms")));
    let mut tasks = Vec::new();
    for tool in tools {
        tasks.push(tool.join().await.text());
    }
    // At 0, 10, .. 290 ms; the one at 300 ms may come first or not.
    assert!((30..=31).contains(&beats.count()), "{}", beats.count());
    assert!(
        tasks.iter().all(|task| !task.is_empty()) && tasks[0] != tasks[1],
        "{tasks:?}"
    );
    assert!(!tasks.contains(&heart.id().to_string()));
    heart.abort();
}

// The body gives the thread back only when the heart has beaten meanwhile.
#[tokio::test]
async fn s3_04_a_body_that_holds_its_thread_delays_no_heartbeat() {
    let (sender, beats) = std::sync::mpsc::channel();
    let executor = Executor::builder(ToolRegistry::new().with(HoldAThread))
        .resource(Beats(beats.into()))
        .build()
        .unwrap();
    let heart = heartbeat(move || sender.send(()).unwrap_or_default());
    let outcome = executor.session("s").spawn(call("hold_a_thread")).join();
    assert_eq!(outcome.await.text(), "10");
    heart.abort();
}

#[tokio::test]
async fn s3_18_one_bad_call_in_three_leaves_the_good_ones_alone() {
    let house = house();
    let calls = [
        ToolCall::new("next_after", r#"{"n": 1}"#),
        ToolCall::new("next_after", r#"{"n": "many"}"#),
        ToolCall::new("next_after", r#"{"n": 3}"#),
    ];
    let outcomes = house.session.call_all(calls).await;
    assert_eq!(outcomes[0].text(), "2");
    assert_eq!(kind(&outcomes[1]), Some(ErrorKind::InvalidArguments));
    assert_eq!(outcomes[2].text(), "4");
}

#[tokio::test]
async fn s3_33_a_call_is_tracked_by_its_id_until_it_has_ended() {
    let house = house();
    let first = house.session.spawn(call("wait_for_door").with_id("same"));
    let second = house.session.spawn(call("fall_over").with_id("same"));
    let third = house.session.spawn(call("no.such.tool"));
    let running = house.session.running();
    let seen: Vec<_> = running.iter().map(RunningCall::invocation_id).collect();
    let ids = [&first, &second, &third].map(TaskHandle::invocation_id);
    assert_eq!(seen, ids);
    assert_eq!(running[0].tool(), "wait_for_door");
    assert_eq!(running[0].turn_id(), first.turn_id());
    assert_eq!(running[1].call_id().map(CallId::as_str), Some("same"));
    assert_eq!(running[2].tool(), "no.such.tool");
    assert!(running[0].since().is_none(), "no clock is read");
    assert_eq!(kind(&second.join().await), Some(ErrorKind::Panicked));
    assert_eq!(kind(&third.join().await), Some(ErrorKind::NotFound));
    assert_eq!(house.session.running().len(), 1);
    house.door.notify_one();
    assert!(first.join().await.is_success());
    assert!(house.session.running().is_empty());
}

#[tokio::test]
async fn s3_34_one_of_two_is_cancelled_and_the_other_goes_on() {
    let house = house();
    let gone = house.session.spawn(call("wait_for_door"));
    let stays = house.session.spawn(call("wait_for_door"));
    until(|| stays.status() == CallStatus::Running).await;
    let id = gone.invocation_id();
    assert!(house.session.cancel_call(id));
    assert_eq!(kind(&gone.join().await), Some(ErrorKind::Cancelled));
    assert!(!house.session.cancel_call(id), "it has ended");
    house.door.notify_one();
    assert_eq!(stays.join().await.text(), "open");

    // Also of the members of a batch.
    let batch = house
        .session
        .call_all([call("sleep_on"), call("wait_for_door")]);
    let cancel = async {
        until(|| house.session.running().len() == 2).await;
        house.door.notify_one();
        let running = house.session.running();
        assert!(house.session.cancel_call(running[0].invocation_id()));
    };
    let (outcomes, ()) = tokio::join!(batch, cancel);
    assert_eq!(kind(&outcomes[0]), Some(ErrorKind::Cancelled));
    assert_eq!(outcomes[1].text(), "open");
}

#[tokio::test]
async fn s3_35_cancelled_is_an_outcome_of_its_own() {
    let house = house();
    let before = house.session.spawn(call("sleep_on"));
    before.cancel();
    let watch = before.watch();
    let outcome = before.join().await;
    assert_eq!(kind(&outcome), Some(ErrorKind::Cancelled));
    assert_eq!(outcome.text(), "the call was cancelled before it began");
    drop(watch);

    let during = house.session.spawn(call("sleep_on"));
    until(|| during.status() == CallStatus::Running).await;
    during.cancel();
    let mut watch = during.watch();
    let outcome = during.join().await;
    assert_eq!(kind(&outcome), Some(ErrorKind::Cancelled));
    assert_eq!(watch.next().await, Some(CallStatus::Cancelled));
    assert_eq!(watch.next().await, None);
    assert_eq!(house.runs.count(), 1);
}

#[tokio::test]
async fn s3_36_cancelling_the_turn_ends_all_that_runs_in_it() {
    let house = house();
    let turn = house.session.turn();
    let elsewhere = house.session.spawn(call("wait_for_door"));
    let handles = [(); 3].map(|()| turn.spawn(call("sleep_on")));
    until(|| {
        handles
            .iter()
            .all(|handle| handle.status() == CallStatus::Running)
    })
    .await;
    turn.cancel();
    for handle in handles {
        assert_eq!(kind(&handle.join().await), Some(ErrorKind::Cancelled));
    }
    assert_eq!(house.runs.count(), 3);
    house.door.notify_one();
    assert!(elsewhere.join().await.is_success());

    let handle = house.session.spawn(call("sleep_on"));
    house.session.cancel();
    assert_eq!(kind(&handle.join().await), Some(ErrorKind::Cancelled));
}

#[tokio::test]
async fn s3_40_every_call_of_a_batch_has_one_result_with_its_status() {
    let house = house();
    let tools = [
        "take_a_moment",
        "fall_over",
        "no.such.tool",
        "take_a_moment",
    ];
    let calls = tools.map(|tool| call(tool).with_id(format!("id of {tool}")));
    let outcomes = house.session.call_all(calls).await;
    let results: Vec<_> = outcomes.iter().map(ToolOutcome::result).collect();
    let ids: Vec<_> = results
        .iter()
        .map(|result| result.call_id().unwrap().as_str())
        .collect();
    assert_eq!(ids, tools.map(|tool| format!("id of {tool}")));
    let statuses: Vec<_> = results.iter().map(|result| result.status()).collect();
    assert_eq!(
        statuses,
        [
            ToolStatus::Success,
            ToolStatus::Error,
            ToolStatus::Error,
            ToolStatus::Success
        ]
    );
    let invocations: std::collections::BTreeSet<_> = results
        .iter()
        .map(|result| result.invocation_id())
        .collect();
    assert_eq!(invocations.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn s3_52_three_calls_take_as_long_as_one() {
    let house = house();
    let begun = tokio::time::Instant::now();
    let outcomes = house
        .session
        .call_all([(); 3].map(|()| call("take_a_moment")))
        .await;
    assert!(outcomes.iter().all(ToolOutcome::is_success));
    assert!(begun.elapsed() < Duration::from_millis(300));
}

#[tokio::test]
async fn a_body_sees_at_once_that_its_turn_was_cancelled() {
    let house = house();
    let turn = house.session.turn();
    let handle = turn.spawn(call("until_cancelled"));
    until(|| handle.status() == CallStatus::Running).await;
    turn.cancel();
    let outcome = handle.join().await;
    // It puts things in order in the time it has left, and nobody asks for what it gives then.
    assert_eq!(kind(&outcome), Some(ErrorKind::Cancelled));
    assert_eq!(house.executor.counts().late_results(), 1);
    assert!(house.session.running().is_empty());
}

#[tokio::test]
async fn s4_51_a_handle_keeps_the_status_that_its_call_ended_with() {
    let house = house();
    let handle = house.session.spawn(call("take_a_moment"));
    let mut watch = handle.watch();
    let mut seen = vec![handle.status()];
    while let Some(status) = watch.next().await {
        seen.push(status);
    }
    assert_eq!(
        seen,
        [CallStatus::New, CallStatus::Running, CallStatus::Succeeded]
    );
    handle.cancel();
    assert_eq!(handle.status(), CallStatus::Succeeded);
    assert!(handle.join().await.is_success());
}

#[tokio::test]
async fn dropping_a_handle_leaves_its_call_alone() {
    let house = house();
    drop(house.session.spawn(call("wait_for_door")));
    until(|| {
        house
            .session
            .running()
            .iter()
            .any(|call| call.status() == CallStatus::Running)
    })
    .await;
    house.door.notify_one();
    until(|| house.session.running().is_empty()).await;
}

#[tokio::test]
async fn outcomes_are_streamed_as_they_come_and_go_with_the_stream() {
    let house = house();
    let calls = [call("wait_for_door"), call("fall_over"), call("sleep_on")];
    let mut stream = house.session.stream_all(calls);
    let (at, outcome) = stream.next().await.unwrap();
    assert_eq!((at, kind(&outcome)), (1, Some(ErrorKind::Panicked)));
    house.door.notify_one();
    let (at, outcome) = stream.next().await.unwrap();
    assert_eq!((at, outcome.text()), (0, "open".to_owned()));
    assert_eq!(house.session.running().len(), 1);
    drop(stream);
    until(|| house.runs.count() == 1).await;
    until(|| house.session.running().is_empty()).await;

    let mut none = house.session.stream_all([]);
    assert!(none.next().await.is_none());
    assert!(none.next().await.is_none());
}

#[test]
fn without_a_runtime_a_spawned_call_says_that_there_is_none() {
    let house = house();
    let handle = house.session.spawn(call("sleep_on"));
    assert_eq!(handle.status(), CallStatus::Failed);
    let outcome = crate::support::ready_now(handle.join());
    assert_eq!(kind(&outcome), Some(ErrorKind::Unavailable));
    assert!(house.session.running().is_empty());
}

#[tokio::test]
async fn s4_49_a_call_that_waits_for_people_goes_through_all_its_statuses() {
    let host = Host::new(WaitMode::Blocking);
    let deploy = || ToolCall::new("deploy", r#"{"place": "a"}"#);
    let handle = host.session.spawn(deploy());
    until(|| handle.status() == CallStatus::Suspended).await;
    let mut events = host.open().await;
    let ticket = events.pop().unwrap();
    let mut watch = handle.watch();
    host.tickets()
        .answer(ticket.ticket().id(), toolwright::ticket::Answer::yes())
        .await
        .unwrap();
    let mut last = CallStatus::Suspended;
    while let Some(status) = watch.next().await {
        last = status;
    }
    assert_eq!(last, CallStatus::Succeeded);
    assert!(handle.join().await.is_success());

    // In its body.
    let handle = host
        .session
        .spawn(ToolCall::new("doors", r#"{"names": ["b"]}"#));
    until(|| handle.status() == CallStatus::Suspended).await;
    handle.cancel();
    assert_eq!(kind(&handle.join().await), Some(ErrorKind::Cancelled));

    let host = Host::new(WaitMode::Suspending);
    let handle = host.session.spawn(deploy());
    let mut watch = handle.watch();
    while watch.next().await.is_some() {}
    assert_eq!(handle.status(), CallStatus::Suspended);
    assert!(handle.join().await.suspension().is_some());
    assert!(host.session.running().is_empty());
}
