//! Bodies and headers that are wrong.

use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use toolwright_mcp::server::ServerLimits;

use crate::Server;
use crate::wire::{Answer, OldSession, Post};

async fn refused(post: Post, server: &Server) -> Answer {
    let answer = post.send(server.at).await;
    assert!(answer.status >= 400, "{answer:?}");
    answer
}

fn error_of(answer: &Answer) -> (i64, String) {
    let error: Value = answer.message()["error"].take();
    (
        error["code"].as_i64().unwrap(),
        error["message"].as_str().unwrap().to_owned(),
    )
}

#[tokio::test]
async fn both_eras_call_tools() {
    let server = Server::start(|server| server);
    let answer = Post::call(1, "echo", json!({"text": "new"}))
        .send(server.at)
        .await;
    assert_eq!(
        (answer.status, answer.text()),
        (200, "new".to_owned()),
        "{answer:?}"
    );
    let session = OldSession::open(server.at, None).await;
    let answer = session
        .call(1, "echo", json!({"text": "old"}))
        .send(server.at)
        .await;
    assert_eq!(
        (answer.status, answer.text()),
        (200, "old".to_owned()),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_body_that_is_too_large_is_not_read() {
    let limits = ServerLimits::new().body_bytes(2000);
    let server = Server::start(|server| server.limits(limits));
    let text = "x".repeat(3000);
    let answer = refused(Post::call(1, "echo", json!({"text": text})), &server).await;
    assert_eq!(answer.status, 413);
    assert_eq!(
        answer.body,
        "the body has more than 2000 bytes: send less in one message"
    );
    // The same without a length, which only shows when it is read.
    let post = Post::call(1, "echo", json!({"text": text}));
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    let head = format!("{}Transfer-Encoding: chunked\r\n\r\n", post.head());
    stream.write_all(head.as_bytes()).await.unwrap();
    for chunk in post.body.chunks(1500) {
        let _ = stream
            .write_all(format!("{:x}\r\n", chunk.len()).as_bytes())
            .await;
        let _ = stream.write_all(chunk).await;
        let _ = stream.write_all(b"\r\n").await;
    }
    let answer = Answer::read(&mut stream).await;
    assert_eq!(answer.status, 413, "{answer:?}");
    // A body that fits is taken.
    let answer = Post::call(1, "echo", json!({"text": "x".repeat(1000)}))
        .send(server.at)
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let limits = ServerLimits::new().body_time(Duration::from_millis(50));
    let server = Server::start(|server| server.limits(limits));
    let mut post = Post::call(1, "echo", json!({"text": "a"}));
    post.body.pop();
    let head = format!(
        "{}Content-Length: {}\r\n\r\n",
        post.head(),
        post.body.len() + 1
    );
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&post.body).await.unwrap();
    let answer = Answer::read(&mut stream).await;
    assert_eq!(answer.status, 408);
    assert_eq!(
        answer.body,
        "the body did not arrive within 50ms: send it faster, or in smaller messages"
    );
}

#[tokio::test]
async fn a_head_that_does_not_come_is_not_waited_for() {
    let limits = ServerLimits::new().header_time(Duration::from_millis(50));
    let server = Server::start(|server| server.limits(limits));
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    stream
        .write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
        .await
        .unwrap();
    let mut rest = Vec::new();
    // The server closes the connection: this would not end otherwise.
    let _ = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest).await;
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_a_reason() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    for (body, code, reason) in [
        (
            "",
            -32700,
            "the body is not JSON: EOF while parsing a value at line 1 column 0",
        ),
        (
            "{\"jsonrpc\":",
            -32700,
            "the body is not JSON: EOF while parsing a value at line 1 column 11",
        ),
        (
            "\u{0}\u{1}garbage",
            -32700,
            "the body is not JSON: expected value at line 1 column 1",
        ),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            -32600,
            "the body is an array: MCP has had no batches since 2025-06-18; send each message in a request of its own",
        ),
        (
            "7",
            -32600,
            "the body is no JSON-RPC message: invalid type: integer `7`, expected a JSON object at line 1 column 1",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
            -32600,
            "the body is no JSON-RPC message: duplicate field `method` at line 1 column 48",
        ),
    ] {
        for post in [Post::bytes(body), session.with(Post::bytes(body))] {
            let answer = refused(post, &server).await;
            assert_eq!(answer.status, 400, "{answer:?}");
            assert_eq!(error_of(&answer), (code, reason.to_owned()));
        }
    }
    // JSON that is no message of the protocol keeps its id.
    let body = r#"{"jsonrpc":"1.0","id":"seven","method":"tools/list"}"#;
    let answer = refused(session.with(Post::bytes(body)), &server).await;
    assert_eq!(
        (answer.status, &answer.message()["id"]),
        (400, &json!("seven")),
        "{answer:?}"
    );
    assert_eq!(error_of(&answer).0, -32600);
    assert!(
        error_of(&answer)
            .1
            .starts_with("the body is no message that MCP has"),
        "{answer:?}"
    );
}

#[tokio::test]
async fn other_content_is_refused() {
    let server = Server::start(|server| server);
    let call = Post::call(1, "echo", json!({"text": "a"}));
    let answer = refused(call.clone().header("Content-Type", "text/plain"), &server).await;
    assert_eq!(
        (answer.status, &*answer.body),
        (
            415,
            "Unsupported Media Type: Content-Type must be application/json"
        )
    );
    let answer = refused(call.clone().without("Content-Type"), &server).await;
    assert_eq!(answer.status, 415);
    let answer = refused(call.header("Accept", "text/html"), &server).await;
    assert_eq!(
        (answer.status, &*answer.body),
        (
            406,
            "Not Acceptable: Client must accept both application/json and text/event-stream",
        )
    );
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused() {
    let server = Server::start(|server| {
        server
            .allowed_hosts(["tools.example"])
            .allowed_origins(["https://app.example"])
    });
    let call = || Post::call(1, "echo", json!({"text": "a"}));
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
    ] {
        let answer = refused(call().header("Host", host), &server).await;
        assert_eq!(
            (answer.status, &*answer.body),
            (403, "Forbidden: Host header is not allowed")
        );
    }
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "https://app.example:444",
        "http://app.example",
    ] {
        let answer = refused(call().header("Origin", origin), &server).await;
        assert_eq!(
            (answer.status, &*answer.body),
            (403, "Forbidden: Origin header is not allowed"),
            "{origin}"
        );
    }
    for host in [
        "localhost",
        "127.0.0.1:8080",
        "[::1]:80",
        "tools.example",
        "tools.example:443",
    ] {
        let answer = call().header("Host", host).send(server.at).await;
        assert_eq!(answer.status, 200, "{host}: {answer:?}");
    }
    for origin in [
        "http://localhost:6274",
        "http://127.0.0.1",
        "https://[::1]:3000",
        "https://app.example",
        "https://app.example:443",
    ] {
        let answer = call().header("Origin", origin).send(server.at).await;
        assert_eq!(answer.status, 200, "{origin}: {answer:?}");
    }
}

#[tokio::test]
async fn other_paths_and_methods_are_named() {
    let server = Server::start(|server| server);
    let mut post = Post::call(1, "echo", json!({"text": "a"}));
    post.method = "PUT";
    let answer = refused(post, &server).await;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("GET, POST, DELETE"))
    );
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    stream
        .write_all(b"GET /sse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let answer = Answer::read(&mut stream).await;
    assert_eq!(
        (answer.status, &*answer.body),
        (
            404,
            "there is nothing here: the endpoint of this MCP server is `/mcp`"
        )
    );
}
