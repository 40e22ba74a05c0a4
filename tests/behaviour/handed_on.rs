//! The tokens that a context hands on, the reason of a suspension, and calls that nobody hears of.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;
use toolwright::context::ResumeInfo;
use toolwright::event::{EventKind, MemoryEvents};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::question::{ExternalWait, Question};
use toolwright::ticket::{Answer, Ticket};
use toolwright::{
    CancellationToken, Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolContext,
    ToolError, ToolOutcome, ToolRegistry, testing, tool,
};

use crate::waiting_support::{Host, interrupted};

/// The tokens that the tools have handed on.
struct Handed(mpsc::UnboundedSender<CancellationToken>);

/// Hand a token on, and end in some way.
#[tool(register = false, pure, timeout = "10s")]
async fn hand_on(how: String, handed: &Handed, ctx: &ToolContext) -> String {
    let _ = handed.0.send(ctx.cancellation());
    match how.as_str() {
        "waits" => std::future::pending().await,
        "panics" => panic!("on purpose"),
        _ => how,
    }
}

/// The same without waiting.
#[tool(register = false, pure)]
fn hand_on_now(how: String, handed: &Handed, ctx: &ToolContext) -> String {
    let _ = handed.0.send(ctx.cancellation());
    assert!(how != "panics", "on purpose");
    how
}

/// The same on a thread of its own, until it is told to end.
#[tool(register = false, pure, blocking, timeout = "20ms")]
fn hand_on_blocking(handed: &Handed, ctx: &ToolContext) {
    let token = ctx.cancellation();
    let _ = handed.0.send(ctx.cancellation());
    while !token.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn handing() -> (Executor, mpsc::UnboundedReceiver<CancellationToken>) {
    let (sender, handed) = mpsc::unbounded_channel();
    let registry = ToolRegistry::new()
        .with(HandOn)
        .with(HandOnNow)
        .with(HandOnBlocking);
    let executor = Executor::builder(registry)
        .resource(Handed(sender))
        .build()
        .unwrap();
    (executor, handed)
}

fn call(tool: &'static str, how: &str) -> ToolCall<'static> {
    ToolCall::new(tool, serde_json::json!({"how": how}))
}

#[tokio::test(start_paused = true)]
async fn s4_56_a_token_that_was_handed_on_is_cancelled_with_the_call() {
    let (executor, mut handed) = handing();
    let session = executor.session("s");

    // By its turn, by its handle, and by its time.
    let turn = session.turn();
    let running = turn.spawn(call("hand_on", "waits"));
    let token = handed.recv().await.unwrap();
    assert!(!token.is_cancelled());
    turn.cancel();
    token.cancelled().await;
    assert!(!running.join().await.is_success());

    let running = session.spawn(call("hand_on", "waits"));
    let token = handed.recv().await.unwrap();
    running.cancel();
    token.cancelled().await;

    let timed_out = session.call(call("hand_on", "waits")).await;
    assert_eq!(timed_out.error().unwrap().code(), "timed_out");
    assert!(handed.recv().await.unwrap().is_cancelled());

    // By its host, which drops it, and by a panic.
    let mut dropped = Box::pin(session.call(call("hand_on", "waits")));
    let token = tokio::select! {
        token = handed.recv() => token.unwrap(),
        _ = &mut dropped => panic!("it does not end"),
    };
    assert!(!token.is_cancelled());
    drop(dropped);
    assert!(token.is_cancelled());
    for tool in ["hand_on", "hand_on_now"] {
        assert!(!session.call(call(tool, "panics")).await.is_success());
        assert!(handed.recv().await.unwrap().is_cancelled(), "{tool}");
    }
}

#[tokio::test]
async fn s4_56_a_blocking_body_hands_on_a_token_too() {
    let (executor, mut handed) = handing();
    let outcome = executor.call("hand_on_blocking", "{}").await;
    assert_eq!(outcome.error().unwrap().code(), "timed_out");
    handed.recv().await.unwrap().cancelled().await;
}

#[tokio::test]
async fn s4_56_what_a_body_that_returns_has_begun_goes_on() {
    let (executor, mut handed) = handing();
    let session = executor.session("s");
    let mut tokens = Vec::new();
    for tool in ["hand_on", "hand_on_now"] {
        assert_eq!(session.call(call(tool, "ends")).await.text(), "ends");
        tokens.push(handed.recv().await.unwrap());
    }
    assert!(tokens.iter().all(|token| !token.is_cancelled()));
    // A child cancels nobody else: neither the session nor another call.
    tokens[0].cancel();
    assert!(session.call(call("hand_on", "ends")).await.is_success());
    session.cancel();
    assert!(tokens[1].is_cancelled());
    let ctx = testing::context().build();
    assert!(!ctx.cancellation().is_cancelled());
}

/// The reasons for a suspension, as a body reads them when it runs again.
struct Seen(Mutex<Vec<String>>);

/// Open a door, once somebody has said which.
#[tool(register = false, permission = PermissionRequest::new("open", "door", "Open a door"))]
async fn open_door(ctx: &ToolContext, seen: &Seen) -> Result<String, ToolError> {
    let why = ctx.resumed().map(ResumeInfo::suspension_reason);
    seen.0
        .lock()
        .unwrap()
        .push(why.unwrap_or_else(|| "-".to_owned()));
    let sign_in = ExternalWait::sign_in("Gate", "https://gate.example/in");
    ctx.wait_for(sign_in.why("to see the doors")).await?;
    let which = ctx.ask(Question::text("Which door?")).await?;
    Ok(format!("{which} is open"))
}

#[tokio::test]
async fn s4_56_a_resumed_body_reads_why_it_was_suspended() {
    let seen = Arc::new(Seen(Mutex::default()));
    let executor = Executor::builder(ToolRegistry::new().with(OpenDoor))
        .resource_arc(Arc::clone(&seen))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s");
    let waits = interrupted(session.call(ToolCall::new("open_door", "{}")).await);
    let approval = "it may change things (it is not declared pure or read-only)";
    assert_eq!(waits.ticket().reason(), approval);
    assert_eq!(waits.reason(), approval);
    // It is part of what is stored.
    let stored = serde_json::to_string(waits.ticket()).unwrap();
    let stored: Ticket = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored.reason(), approval);

    let waits = interrupted(session.resume(waits.ticket(), Answer::yes()).await.unwrap());
    assert_eq!(waits.reason(), "to see the doors");
    let waits = interrupted(session.resume(waits.ticket(), Answer::yes()).await.unwrap());
    assert_eq!(waits.reason(), "it asks a question");
    let answer = Answer::value("the left one");
    let done = session.resume(waits.ticket(), answer).await.unwrap();
    assert_eq!(done.text(), "the left one is open");
    let both = format!("{approval}; to see the doors");
    assert_eq!(*seen.0.lock().unwrap(), [approval, &both, &both]);
}

fn diagnostics(events: &MemoryEvents) -> Vec<String> {
    let events = events.events();
    let all = events.iter().filter_map(|event| match event.kind() {
        EventKind::Diagnostic { code, message, .. } => Some(format!(
            "{code} {}: {message}",
            event.call().map_or("-", |call| call.tool())
        )),
        _ => None,
    });
    all.collect()
}

fn blocking(events: &MemoryEvents) -> impl FnOnce(ExecutorBuilder) -> ExecutorBuilder {
    let events = events.clone();
    move |builder| {
        builder
            .events(events)
            .approvals(Approvals::new().ticket_lifetime(Duration::from_secs(1)))
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_while_nobody_listens_is_reported_once() {
    let events = MemoryEvents::new(1_000);
    let host = Host::with(WaitMode::Blocking, blocking(&events));
    let expired = host.call("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(expired.error().unwrap().code(), "approval_expired");
    let told = diagnostics(&events);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("nobody_listens deploy: the call of `deploy` waits"),
        "{told:?}"
    );
    assert!(told[0].contains("TicketBroker::subscribe"), "{told:?}");
    assert!(
        !told[0].contains("test"),
        "what is asked is for people: {told:?}"
    );

    // The same for what a body asks.
    let doors = host.call("doors", r#"{"names": ["attic"]}"#).await;
    assert!(!doors.is_success());
    assert_eq!(diagnostics(&events).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn where_somebody_listens_or_a_grant_answers_nothing_is_reported() {
    let events = MemoryEvents::new(1_000);
    let host = Host::with(WaitMode::Blocking, blocking(&events));
    let heard = host.tickets().subscribe();
    assert!(
        !host
            .call("deploy", r#"{"place": "test"}"#)
            .await
            .is_success()
    );
    assert_eq!(diagnostics(&events), [""; 0]);
    drop(heard);
    let covers = toolwright::ticket::GrantScope::kind("deploy");
    host.executor
        .permissions()
        .grant("s-1", covers)
        .await
        .unwrap();
    let granted: ToolOutcome = host.call("deploy", r#"{"place": "test"}"#).await;
    assert!(granted.is_success());
    assert_eq!(diagnostics(&events), [""; 0]);
    // A host that stores what waits has it in hand.
    let host = Host::with(WaitMode::Suspending, blocking(&events));
    host.suspended("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(diagnostics(&events), [""; 0]);
}
