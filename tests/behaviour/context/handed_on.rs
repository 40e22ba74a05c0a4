//! Cancellation tokens that a body hands on.

use std::time::Duration;

use tokio::sync::mpsc;
use toolwright::{CancellationToken, Executor, ToolCall, ToolContext, ToolRegistry, testing, tool};

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
