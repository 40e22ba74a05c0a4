//! The ends of calls: cancelled, late, lost with the server; and very many of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::CallToolRequestParams;
use tokio::sync::Notify;
use toolwright::content::ErrorKind;
use toolwright::{ToolCall, ToolError};
use toolwright_mcp::client::{ImportOptions, ServerStatus};

use crate::fake::{Context, Fake, executor, plain, said};

/// A server whose tool `wait` waits until it is cancelled, and the numbers of its calls that began and were cancelled.
fn waiting() -> (Fake, Arc<Notify>, Arc<Notify>) {
    let (began, cancelled) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (start, end) = (Arc::clone(&began), Arc::clone(&cancelled));
    let fake = Fake::new(
        vec![plain("wait"), plain("go")],
        move |params: CallToolRequestParams, context: Context| {
            let (start, end) = (Arc::clone(&start), Arc::clone(&end));
            async move {
                if params.name == "wait" {
                    start.notify_one();
                    context.ct.cancelled().await;
                    end.notify_one();
                }
                said("done")
            }
        },
    );
    (fake, began, cancelled)
}

#[tokio::test]
async fn a_cancelled_turn_cancels_the_call_at_the_server() {
    let (fake, began, cancelled) = waiting();
    let (executor, _imported) = fake.executor().await;
    let turn = executor.session("s").turn();
    let other = turn.clone();
    let cancelling = async {
        began.notified().await;
        other.cancel();
    };
    let (outcome, ()) = tokio::join!(turn.call(ToolCall::new("fake.wait", "{}")), cancelling);
    let kind = outcome.result().error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::Cancelled));
    cancelled.notified().await;
    assert!(executor.call("fake.go", "{}").await.is_success());
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_at_the_server() {
    let (fake, began, cancelled) = waiting();
    let (executor, _imported) = fake.executor().await;
    tokio::select! {
        _ = executor.call("fake.wait", "{}") => panic!("it waits"),
        () = began.notified() => {}
    }
    cancelled.notified().await;
}

#[tokio::test]
async fn a_call_that_hangs_ends_with_its_timeout_and_is_cancelled_at_the_server() {
    let (fake, _began, cancelled) = waiting();
    let options = ImportOptions::new().call_timeout(Duration::from_millis(20));
    let imported = fake.imported(options).await;
    let result = executor(&imported)
        .call("fake.wait", "{}")
        .await
        .into_result();
    assert_eq!(
        result.error().map(ToolError::kind),
        Some(ErrorKind::TimedOut)
    );
    cancelled.notified().await;
}

#[tokio::test]
async fn a_call_ends_with_the_connection_and_later_ones_reach_the_next() {
    let (fake, began, _cancelled) = waiting();
    let options =
        ImportOptions::new().backoff(Duration::from_millis(10), Duration::from_millis(10));
    let imported = fake.imported(options).await;
    let executor = executor(&imported);
    let killing = async {
        began.notified().await;
        fake.kill.lock().unwrap().cancel();
    };
    let (outcome, ()) = tokio::join!(executor.call("fake.wait", "{}"), killing);
    let error = outcome.result().error().cloned().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    // The effect of a call that may have run is not known, so nobody should just repeat it.
    assert!(!error.is_retryable());
    imported
        .until(|server| server.status() == ServerStatus::Connected)
        .await;
    while !executor.call("fake.go", "{}").await.is_success() {
        tokio::task::yield_now().await;
    }
    assert_eq!(fake.connections.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn reconnections_wait_longer_each_time_and_calls_meanwhile_are_unavailable() {
    let attempts = Arc::new(AtomicUsize::new(0));
    let fake = Fake::parrot(vec![plain("go")]);
    let (way, counted) = (fake.clone(), Arc::clone(&attempts));
    // Attempts 2 to 5 fail.
    let connect = toolwright_mcp::client::connect_fn(move || {
        let (way, number) = (way.clone(), counted.fetch_add(1, Ordering::SeqCst) + 1);
        async move {
            if (2..=5).contains(&number) {
                return Err(std::io::Error::other("the port is closed"));
            }
            Ok(way.pipe())
        }
    });
    let options = ImportOptions::new().backoff(Duration::from_secs(1), Duration::from_secs(5));
    let imported = toolwright_mcp::client::import_with("fake", connect, options)
        .await
        .unwrap();
    let executor = executor(&imported);
    fake.kill.lock().unwrap().cancel();
    let before = tokio::time::Instant::now();
    imported
        .until(|server| match server.status() {
            ServerStatus::Reconnecting {
                attempts: 4, error, ..
            } => {
                assert_eq!(
                    error,
                    "the tools of the MCP server `fake` could not be imported: the port is closed"
                );
                true
            }
            _ => false,
        })
        .await;
    let result = executor.call("fake.go", "{}").await.into_result();
    let error = result.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.is_retryable());
    assert_eq!(
        error.message(),
        "the MCP server `fake` is not connected now; it is being connected again"
    );
    imported
        .until(|server| server.status() == ServerStatus::Connected)
        .await;
    // 1 + 2 + 4 + 5 + 5 seconds by the clock of the test, which moves only while everything waits.
    assert_eq!(before.elapsed().as_secs(), 17);
    assert_eq!(attempts.load(Ordering::SeqCst), 6);
    assert!(executor.call("fake.go", "{}").await.is_success());
}

#[tokio::test]
async fn a_closed_server_answers_no_more() {
    let (fake, began, _cancelled) = waiting();
    let (executor, imported) = fake.executor().await;
    let closing = async {
        began.notified().await;
        imported.close();
    };
    let (outcome, ()) = tokio::join!(executor.call("fake.wait", "{}"), closing);
    let kind = |outcome: &toolwright::ToolOutcome| outcome.result().error().map(ToolError::kind);
    assert_eq!(kind(&outcome), Some(ErrorKind::Unavailable));
    let outcome = executor.call("fake.go", "{}").await;
    assert_eq!(outcome.text(), "the MCP server `fake` has been closed");
    assert_eq!(imported.status(), ServerStatus::Closed);
    assert_eq!(fake.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_connection_ends_with_the_last_who_holds_the_server() {
    let ended = Arc::new(Notify::new());
    let fake = Fake::parrot(vec![plain("go")]);
    let (way, tell) = (fake.clone(), Arc::clone(&ended));
    let connect = toolwright_mcp::client::connect_fn(move || {
        let (way, tell) = (way.clone(), Arc::clone(&tell));
        async move { Ok::<_, std::io::Error>(way.pipe_with(move || tell.notify_one())) }
    });
    let imported = toolwright_mcp::import("fake", connect).await.unwrap();
    let executor = executor(&imported);
    imported.follow(&executor);
    drop(imported);
    assert!(executor.call("fake.go", "{}").await.is_success());
    drop(executor);
    ended.notified().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_calls_at_once_get_their_own_results() {
    let fake = Fake::new(
        vec![plain("echo")],
        async |params: CallToolRequestParams, _| {
            tokio::task::yield_now().await;
            said(params.arguments.unwrap_or_default()["n"].to_string())
        },
    );
    let (executor, _imported) = fake.executor().await;
    let calls = (0..500).map(|n| {
        let executor = executor.clone();
        tokio::spawn(async move {
            let arguments = serde_json::json!({"n": n});
            (n, executor.call("fake.echo", arguments).await.text())
        })
    });
    for call in calls.collect::<Vec<_>>() {
        let (n, text) = call.await.unwrap();
        assert_eq!(text, n.to_string());
    }
    assert_eq!(fake.calls().len(), 500);
}
