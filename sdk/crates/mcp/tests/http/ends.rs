//! Ends: clients that go away, and servers that shut down.

use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use crate::wire::{Answer, OldSession, Post};
use crate::{PATIENCE, Server};

/// A request without a session ends with its connection; a session's call does not, as the protocol says.
#[tokio::test]
async fn a_call_without_a_session_ends_with_its_connection() {
    let server = Server::start(|server| server);
    for round in 1..=3 {
        let call = Post::call(1, "hold", json!({})).begin(server.at).await;
        server.log.until_running(1).await;
        drop(call);
        server.log.until_running(0).await;
        server.log.until_cleaned(round).await;
    }
}

#[tokio::test]
async fn a_notification_cancels_a_call_of_a_session() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let mut call = session.call(7, "hold", json!({})).begin(server.at).await;
    server.log.until_running(1).await;
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(session.post(&cancelled).send(server.at).await.status, 202);
    server.log.until_running(0).await;
    let mut rest = Vec::new();
    tokio::time::timeout(PATIENCE, call.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_shutdown_ends_calls_sessions_and_the_server() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let mut old = session.call(1, "hold", json!({})).begin(server.at).await;
    let mut new = Post::call(1, "hold", json!({})).begin(server.at).await;
    let mut standing = session.get().begin(server.at).await;
    server.log.until_running(2).await;
    // A connection without a request, and one that has sent half a head.
    let _silent = TcpStream::connect(server.at).await.unwrap();
    server.shutdown.cancel();
    let ended = tokio::time::timeout(PATIENCE, server.task)
        .await
        .unwrap()
        .unwrap();
    assert!(ended.is_ok(), "{ended:?}");
    server.log.until_running(0).await;
    server.log.until_cleaned(2).await;
    let answer = Answer::read(&mut new).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1")),
        "{answer:?}"
    );
    assert!(
        answer.text().starts_with("the server is shutting down"),
        "{answer:?}"
    );
    let mut rest = Vec::new();
    tokio::time::timeout(PATIENCE, old.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
    tokio::time::timeout(PATIENCE, standing.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
    assert!(
        TcpStream::connect(server.at).await.is_err(),
        "nobody listens"
    );
}
