//! Sessions of the old era: what they are there for, and how they end.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolwright_mcp::server::ServerLimits;

use crate::wire::{OldSession, Post};
use crate::{PATIENCE, Server};

/// Reads a stream of events until it has a text.
async fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut all = String::new();
    let mut part = [0; 4096];
    let read = async {
        while !all.contains(wanted) {
            let count = stream.read(&mut part).await.unwrap();
            assert!(count > 0, "ended without {wanted}: {all}");
            all.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    tokio::time::timeout(PATIENCE, read).await.unwrap();
    all
}

#[tokio::test]
async fn a_session_that_is_deleted_ends_with_its_calls() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let mut call = session.call(1, "hold", json!({})).begin(server.at).await;
    server.log.until_running(1).await;
    assert_eq!(session.delete().send(server.at).await.status, 204);
    server.log.until_running(0).await;
    server.log.until_cleaned(1).await;
    // The stream of its call ends.
    let mut rest = Vec::new();
    tokio::time::timeout(PATIENCE, call.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
    let answer = session
        .call(2, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(answer.status, 404, "{answer:?}");
    assert!(
        answer
            .text()
            .contains("send `initialize` without the header"),
        "{answer:?}"
    );
    assert_eq!(session.delete().send(server.at).await.status, 404);
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends() {
    let limits = ServerLimits::new()
        .idle_time(Duration::from_millis(50))
        .request_time(Duration::from_millis(50));
    let server = Server::start(|server| server.limits(limits));
    let session = OldSession::open(server.at, None).await;
    let call = session.call(1, "hold", json!({})).send(server.at).await;
    assert_eq!(call.message()["result"]["isError"], true);
    server.log.until_cleaned(1).await;
    let answer = session
        .call(2, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(answer.status, 404, "{answer:?}");
}

#[tokio::test]
async fn a_stream_that_broke_is_resumed() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let mut stream = session
        .call(1, "wait_for_word", json!({}))
        .begin(server.at)
        .await;
    let head = read_until(&mut stream, "id: ").await;
    server.log.until_running(1).await;
    drop(stream);
    let event = head
        .split("id: ")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .to_owned();
    let get = session
        .get()
        .header("Last-Event-ID", event)
        .without("Content-Type");
    let mut resumed = get.begin(server.at).await;
    read_until(&mut resumed, "200 OK").await;
    server.log.word.send_replace(Some("late".to_owned()));
    let rest = read_until(&mut resumed, "\"result\"").await;
    assert!(rest.contains("late"), "{rest}");
}

#[tokio::test]
async fn a_session_takes_no_second_beginning_and_needs_a_first() {
    let server = Server::start(|server| server);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let answer = Post::new(&list).send(server.at).await;
    assert_eq!(
        (answer.status, &*answer.body),
        (400, "Bad Request: Session ID is required")
    );
    let session = OldSession::open(server.at, None).await;
    let again = session
        .with(crate::wire::initialize())
        .send(server.at)
        .await;
    assert!(again.body.contains("error"), "{again:?}");
    assert_eq!(
        session
            .call(2, "echo", json!({"text": "a"}))
            .send(server.at)
            .await
            .text(),
        "a"
    );
}

/// The head of an answer, so that a session is known to have a listener.
#[tokio::test]
async fn the_standing_stream_ends_with_the_session() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let mut standing = session.get().begin(server.at).await;
    standing.flush().await.unwrap();
    read_until(&mut standing, "200 OK").await;
    assert_eq!(session.delete().send(server.at).await.status, 204);
    let mut rest = Vec::new();
    tokio::time::timeout(PATIENCE, standing.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
}
