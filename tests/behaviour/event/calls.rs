//! The events of calls while they run, and the reports of tools.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde::{Serialize, Serializer};
use serde_json::json;
use tokio::sync::Notify;
use toolwright::content::{ErrorKind, ResultSource, ToolStatus};
use toolwright::event::{Event, EventCall, EventChannel, EventKind, EventReceiver, ProgressStatus};
use toolwright::executor::WaitMode;
use toolwright::id::CallId;
use toolwright::outcome::Suspension;
use toolwright::permission::AllowAll;
use toolwright::ticket::Answer;
use toolwright::{
    Content, Executor, ExecutorBuilder, ToolCall, ToolContext, ToolError, ToolOutcome,
    ToolRegistry, testing, tool,
};

/// Say something again.
#[tool(name = "echo", read_only, register = false)]
async fn echo(text: String) -> String {
    tokio::task::yield_now().await;
    text
}

/// Fail.
#[tool(name = "fail", read_only, register = false)]
fn fail() -> Result<String, ToolError> {
    Err(ToolError::unavailable("not today"))
}

/// Say how far it is.
#[tool(name = "work", read_only, register = false)]
async fn work(ctx: &ToolContext) -> &'static str {
    ctx.progress(0.5, format_args!("{} of {}", 1, 2));
    ctx.report_activity("plan", &json!({"steps": ["a", "b"]}), true);
    ctx.report_activity("notes", "first", false);
    ctx.report_activity_delta("plan", &json!({"op": "remove", "path": "/steps/0"}));
    ctx.report_activity_delta("plan", &json!([1, 2]));
    ctx.stream_part(Content::text("half"));
    ctx.report_progress(ProgressStatus::Done, "", 7.5);
    ctx.report_progress(ProgressStatus::Failed, "", f64::NAN);
    ctx.progress(None, "");
    ctx.progress(-1.0, "");
    "whole"
}

/// Wait for ever.
#[tool(name = "hang", read_only, register = false)]
async fn hang(begun: &Arc<Notify>) {
    begun.notify_one();
    std::future::pending::<()>().await;
}

/// Deploy to a place.
#[tool(name = "deploy", register = false)]
async fn deploy(place: String) -> String {
    format!("deployed to {place}")
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Echo)
        .with(Fail)
        .with(Work)
        .with(Deploy)
}

fn watched(builder: ExecutorBuilder) -> (Executor, EventReceiver) {
    let channel = EventChannel::new(256);
    let events = channel.subscribe();
    (builder.events(channel).build().unwrap(), events)
}

fn all(events: &mut EventReceiver) -> Vec<Arc<Event>> {
    let mut all = Vec::new();
    while let Some(received) = events.try_recv() {
        assert_eq!(received.lost(), 0);
        all.push(received.into_event());
    }
    all
}

fn kinds(events: &[Arc<Event>]) -> Vec<&EventKind> {
    events.iter().map(|event| event.kind()).collect()
}

fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Requested { .. } => "requested",
        EventKind::Resumed { .. } => "resumed",
        EventKind::Asked { .. } => "asked",
        EventKind::Answered { .. } => "answered",
        EventKind::Refused { .. } => "refused",
        EventKind::Cancelled => "cancelled",
        EventKind::Started => "started",
        EventKind::Suspended { .. } => "suspended",
        EventKind::Finished { .. } => "finished",
        EventKind::Progress { .. } => "progress",
        EventKind::Activity { .. } => "activity",
        EventKind::ActivityDelta { .. } => "delta",
        EventKind::Output { .. } => "output",
        EventKind::Diagnostic { .. } => "diagnostic",
        _ => "other",
    }
}

/// Without those of the status, which have tests of their own.
fn names(events: &[Arc<Event>]) -> Vec<&'static str> {
    let names = events.iter().map(|event| name(event.kind()));
    names.filter(|name| *name != "other").collect()
}

/// Add two whole numbers.
#[tool(name = "add", read_only, register = false)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::test]
async fn the_end_of_a_short_call_is_its_beginning_and_its_duration() {
    let (executor, mut events) = watched(Executor::builder(ToolRegistry::new().with(Add)));
    let mut short = 0;
    for _ in 0..1_000 {
        let before = SystemTime::now();
        let outcome = executor.call("add", r#"{"a": 1, "b": 2}"#).await;
        let after = SystemTime::now();
        assert_eq!(outcome.text(), "3");
        let events = all(&mut events);
        let (first, last) = (&events[0], events.last().unwrap());
        let EventKind::Finished { duration, .. } = last.kind() else {
            panic!("{events:?}");
        };
        assert!(before <= first.time() && first.time() <= last.time() && last.time() <= after);
        // Another process may have had the processor meanwhile.
        if *duration < Duration::from_millis(1) {
            assert_eq!(last.time(), first.time() + *duration);
            short += 1;
        }
    }
    assert!(short > 0);
}

#[tokio::test]
async fn s3_37_start_and_end_are_told_in_order_with_times_and_duration() {
    let (executor, mut events) = watched(Executor::builder(registry()));
    let before = SystemTime::now();
    let call = ToolCall::new("echo", r#"{"text": "a"}"#).with_id("c-1");
    assert_eq!(executor.session("s-1").call(call).await.text(), "a");
    let after = SystemTime::now();
    let events = all(&mut events);
    assert_eq!(names(&events), ["requested", "started", "finished"]);
    for pair in events.windows(2) {
        assert!(pair[0].sequence() < pair[1].sequence());
        assert!(pair[0].time() <= pair[1].time());
    }
    for event in &events {
        assert!((before..=after).contains(&event.time()));
        assert_eq!(event.session().unwrap().as_str(), "s-1");
        let call = event.call().unwrap();
        assert_eq!(call.tool(), "echo");
        assert_eq!(call.call_id(), Some(&CallId::from("c-1")));
    }
    let Some(EventKind::Finished {
        status,
        source,
        error,
        duration,
        ..
    }) = events.last().map(|event| event.kind())
    else {
        panic!("{events:?}");
    };
    assert_eq!(
        (*status, *source, *error),
        (ToolStatus::Success, ResultSource::Tool, None)
    );
    assert!(*duration > Duration::ZERO);
    assert!(*duration <= after.duration_since(before).unwrap() + Duration::from_secs(1));
}

#[tokio::test]
async fn s2_08_what_is_told_of_two_parallel_calls_can_be_told_apart() {
    let (executor, mut events) = watched(Executor::builder(registry()));
    let calls = ["a", "b"]
        .map(|text| ToolCall::new("echo", json!({ "text": text })).with_id(format!("call-{text}")));
    let twice = ToolCall::new("echo", json!({"text": "c"})).with_id("call-a");
    let turn = executor.session("s-1").turn();
    let outcomes = turn.call_all(calls.into_iter().chain([twice])).await;
    let events = all(&mut events);
    for outcome in &outcomes {
        let result = outcome.result();
        let of_call = |event: &&Arc<Event>| {
            event.call().map(EventCall::invocation) == Some(result.invocation_id())
        };
        let own: Vec<_> = events.iter().filter(of_call).cloned().collect();
        assert_eq!(names(&own), ["requested", "started", "finished"]);
        for event in own {
            let call = event.call().unwrap();
            assert_eq!(call.call_id(), result.call_id());
            assert_eq!(call.turn(), turn.id());
        }
    }
    let invocations: Vec<_> = outcomes
        .iter()
        .map(|it| it.result().invocation_id())
        .collect();
    assert!(
        invocations[0] != invocations[2],
        "equal call ids, two calls"
    );
}

/// A value that must not be looked at.
struct Untouchable;

impl fmt::Display for Untouchable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("it was formatted")
    }
}

impl Serialize for Untouchable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("it was written")
    }
}

/// Report what must not be looked at.
#[tool(name = "quiet", read_only, register = false)]
fn quiet(ctx: &ToolContext) -> bool {
    ctx.progress(0.5, Untouchable);
    ctx.report_progress(ProgressStatus::Running, Untouchable, None);
    ctx.report_activity("kind", &Untouchable, true);
    ctx.report_activity_delta("kind", &Untouchable);
    ctx.stream_part(Content::text("part"));
    ctx.is_watched()
}

#[tokio::test]
async fn s4_27_without_a_sink_reporting_is_a_no_op() {
    let executor = Executor::new(ToolRegistry::new().with(Quiet)).unwrap();
    assert_eq!(executor.call("quiet", "{}").await.text(), "false");
    assert!(!quiet(&testing::context().build()));
    let (executor, _events) = watched(Executor::builder(ToolRegistry::new().with(Quiet)));
    let outcome = executor.call("quiet", "{}").await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Panicked);
}

async fn reports() -> Vec<Arc<Event>> {
    let (executor, mut events) = watched(Executor::builder(registry()));
    let call = ToolCall::new("work", "{}").with_id("c-9");
    assert_eq!(executor.session("s-1").call(call).await.text(), "whole");
    let mut events = all(&mut events);
    events.retain(|event| {
        let kind = name(event.kind());
        ["progress", "activity", "delta", "output"].contains(&kind)
    });
    for event in &events {
        assert_eq!(event.call().unwrap().call_id().unwrap().as_str(), "c-9");
    }
    events
}

#[tokio::test]
async fn s4_32_an_activity_carries_call_id_type_content_and_replace_flag() {
    let events = reports().await;
    let activities = kinds(&events).into_iter().filter_map(|kind| match kind {
        EventKind::Activity {
            kind,
            content,
            replace,
            ..
        } => Some((kind.clone(), content.clone(), *replace)),
        _ => None,
    });
    assert_eq!(
        activities.collect::<Vec<_>>(),
        [
            ("plan".to_owned(), json!({"steps": ["a", "b"]}), true),
            ("notes".to_owned(), json!("first"), false),
        ]
    );
}

#[tokio::test]
async fn s4_33_a_delta_carries_its_patch_and_one_value_becomes_a_list() {
    let events = reports().await;
    let deltas = kinds(&events).into_iter().filter_map(|kind| match kind {
        EventKind::ActivityDelta { kind, patch, .. } => Some((kind.as_str(), patch.clone())),
        _ => None,
    });
    assert_eq!(
        deltas.collect::<Vec<_>>(),
        [
            ("plan", vec![json!({"op": "remove", "path": "/steps/0"})]),
            ("plan", vec![json!(1), json!(2)]),
        ]
    );
}

#[tokio::test]
async fn s4_34_progress_carries_status_message_and_a_fraction_from_0_to_1() {
    let events = reports().await;
    let told = kinds(&events).into_iter().filter_map(|kind| match kind {
        EventKind::Progress {
            status,
            message,
            fraction,
            ..
        } => Some((*status, message.as_str(), *fraction)),
        _ => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            (ProgressStatus::Running, "1 of 2", Some(0.5)),
            (ProgressStatus::Done, "", Some(1.0)),
            (ProgressStatus::Failed, "", None),
            (ProgressStatus::Running, "", None),
            (ProgressStatus::Running, "", Some(0.0)),
        ]
    );
    assert!(kinds(&events).iter().any(
        |kind| matches!(kind, EventKind::Output { part, .. } if part.as_text() == Some("half"))
    ));
}

#[tokio::test]
async fn each_way_a_call_can_end_is_told() {
    let (executor, mut events) = watched(Executor::builder(registry()));
    for (name, arguments, kind, begins) in [
        ("nothing", "{}", ErrorKind::NotFound, false),
        ("echo", r#"{"txt": 1}"#, ErrorKind::InvalidArguments, false),
        ("deploy", r#"{"place": "x"}"#, ErrorKind::Denied, false),
        ("fail", "{}", ErrorKind::Unavailable, true),
    ] {
        executor.call(name, arguments).await;
        let events = all(&mut events);
        let told: &[&str] = match kind {
            _ if begins => &["requested", "started", "finished"],
            // The first call that a person would have to allow tells the settings.
            ErrorKind::Denied => &["requested", "refused", "diagnostic", "finished"],
            _ => &["requested", "refused", "finished"],
        };
        assert_eq!(names(&events), told, "{name}");
        let Some(EventKind::Finished { status, error, .. }) =
            events.last().map(|event| event.kind())
        else {
            panic!("{events:?}");
        };
        assert_eq!((*status, *error), (ToolStatus::Error, Some(kind)), "{name}");
        assert_eq!(events[0].call().unwrap().tool(), name);
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_is_told_as_cancelled() {
    let begun = Arc::new(Notify::new());
    let builder = Executor::builder(ToolRegistry::new().with(Hang)).resource(Arc::clone(&begun));
    let (executor, mut events) = watched(builder);
    tokio::select! {
        _ = executor.call("hang", "{}") => panic!("it hangs"),
        () = begun.notified() => {}
    }
    let events = all(&mut events);
    assert_eq!(
        names(&events),
        ["requested", "started", "cancelled", "finished"]
    );
    assert!(matches!(
        events.last().unwrap().kind(),
        EventKind::Finished {
            error: Some(ErrorKind::Cancelled),
            ..
        }
    ));
}

#[tokio::test]
async fn a_call_that_waits_is_told_as_interrupted_and_begins_again() {
    let builder = Executor::builder(registry()).approvals(WaitMode::Suspending);
    let (executor, mut events) = watched(builder);
    let session = executor.session("s-1");
    let outcome = session
        .call(ToolCall::new("deploy", r#"{"place": "x"}"#))
        .await;
    let ToolOutcome::Suspended(waits) = outcome else {
        panic!("{outcome:?}");
    };
    let first = all(&mut events);
    assert_eq!(names(&first), ["requested", "asked", "suspended"]);
    assert!(first.iter().any(
        |event| matches!(event.kind(), EventKind::Suspended { ticket, .. } if *ticket == waits.id())
    ));
    let stored = serde_json::to_string(&waits).unwrap();
    let waits: Suspension = serde_json::from_str(&stored).unwrap();
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "deployed to x");
    let then = all(&mut events);
    assert_eq!(names(&then), ["resumed", "answered", "started", "finished"]);
    assert_eq!(then[0].call(), first[0].call());
}

#[tokio::test]
async fn a_sink_that_panics_hurts_neither_the_call_nor_another_sink() {
    let channel = EventChannel::new(16);
    let mut events = channel.subscribe();
    let executor = Executor::builder(registry())
        .events(|_: &Arc<Event>| panic!("no"))
        .events(channel)
        .build()
        .unwrap();
    let outcome = executor.call("echo", r#"{"text": "a"}"#).await;
    assert_eq!(outcome.text(), "a");
    assert_eq!(
        names(&all(&mut events)),
        ["requested", "started", "finished"]
    );
}

/// Count to a number.
#[tool(name = "count", read_only, register = false)]
fn count(to: u32, ctx: &ToolContext) {
    for number in 0..to {
        ctx.progress(None, number);
    }
}

#[tokio::test]
async fn a_slow_receiver_blocks_no_tool_and_is_told_what_it_lost() {
    let channel = EventChannel::new(8);
    let mut events = channel.subscribe();
    let told = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&told);
    let executor = Executor::builder(ToolRegistry::new().with(Count))
        .events(channel)
        .events(move |_: &Arc<Event>| {
            counter.fetch_add(1, Ordering::Relaxed);
        })
        .build()
        .unwrap();
    assert!(executor.call("count", r#"{"to": 1000}"#).await.is_success());
    let told = told.load(Ordering::Relaxed) as u64;
    let first = events.recv().await.unwrap();
    assert_eq!(first.lost(), told - 8);
    assert_eq!(first.event().sequence(), told - 7);
    let mut last = first;
    for _ in 1..8 {
        last = events.recv().await.unwrap();
        assert_eq!(last.lost(), 0);
    }
    assert!(matches!(last.event().kind(), EventKind::Finished { .. }));
    assert!(events.try_recv().is_none());
    drop(executor);
    assert_eq!(events.recv().await, None);
}

/// Report when told to, on another thread, whatever becomes of the call.
#[tool(name = "late", read_only, blocking, register = false)]
fn late(ctx: &ToolContext, out: &Mutex<Option<ToolContext>>, begun: &Arc<Notify>) {
    *out.lock().unwrap() = Some(ctx.clone());
    begun.notify_one();
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn what_a_body_that_was_left_behind_reports_is_not_told() {
    let out: Arc<Mutex<Option<ToolContext>>> = Arc::default();
    let begun = Arc::new(Notify::new());
    let builder = Executor::builder(ToolRegistry::new().with(Late))
        .resource_arc(Arc::clone(&out))
        .resource(Arc::clone(&begun));
    let (executor, mut events) = watched(builder);
    let session = executor.session("s-1");
    let (outcome, ()) = tokio::join!(session.call(ToolCall::new("late", "{}")), async {
        begun.notified().await;
        session.cancel();
    });
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
    let ctx = out.lock().unwrap().take().unwrap();
    ctx.progress(1.0, "too late");
    let events = all(&mut events);
    assert_eq!(
        names(&events),
        ["requested", "started", "cancelled", "finished"]
    );
}

#[tokio::test]
async fn events_are_data_and_hold_no_arguments() {
    let (executor, mut events) =
        watched(Executor::builder(registry()).permission_checker(AllowAll));
    executor.call("deploy", r#"{"place": "hunter2"}"#).await;
    executor.call("work", "{}").await;
    executor.call("nothing", "{}").await;
    for event in all(&mut events) {
        let text = serde_json::to_string(&event).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), *event);
    }
}

#[tokio::test]
async fn a_change_of_the_tools_is_told_once_and_belongs_to_no_session() {
    let (executor, mut events) = watched(Executor::builder(ToolRegistry::new().with(Echo)));
    executor
        .replace_tools(ToolRegistry::new().with(Fail))
        .unwrap();
    executor
        .replace_tools(ToolRegistry::new().with(Fail))
        .unwrap();
    let events = all(&mut events);
    let [event] = &events[..] else {
        panic!("{events:?}");
    };
    assert!(event.session().is_none() && event.call().is_none());
    let EventKind::ToolsChanged { added, removed, .. } = event.kind() else {
        panic!("{event:?}");
    };
    assert_eq!((added[0].as_str(), removed[0].as_str()), ("fail", "echo"));
}
