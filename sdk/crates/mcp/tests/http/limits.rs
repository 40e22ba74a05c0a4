//! Limits: how many calls, how fast, how long, how many sessions.

use std::time::Duration;

use serde_json::json;
use toolwright_mcp::server::http::BearerTokens;
use toolwright_mcp::server::{Principal, ServerLimits};

use crate::Server;
use crate::wire::{Answer, OldSession, Post, initialize};

#[tokio::test]
async fn calls_beyond_the_rate_are_told_when_to_come_again() {
    let tokens = BearerTokens::new()
        .token("a", Principal::new("alice"))
        .token("b", Principal::new("bob"));
    let limits = ServerLimits::new().calls_per_minute(3);
    let server = Server::start(|server| server.limits(limits).authenticate(tokens));
    let call = |id| Post::call(id, "echo", json!({"text": "a"}));
    let session = OldSession::open(server.at, Some("a")).await;
    // Both eras use one allowance; what is no call uses none.
    for id in 1..=2 {
        assert_eq!(call(id).token("a").send(server.at).await.status, 200);
    }
    assert_eq!(
        Post::new_era(9, "tools/list", json!({}))
            .token("a")
            .send(server.at)
            .await
            .status,
        200
    );
    assert_eq!(
        session
            .call(3, "echo", json!({"text": "a"}))
            .send(server.at)
            .await
            .status,
        200
    );
    for post in [
        call(4).token("a"),
        session.call(4, "echo", json!({"text": "a"})),
    ] {
        let answer = post.send(server.at).await;
        assert_eq!(answer.status, 429, "{answer:?}");
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
        assert_eq!(answer.message()["id"], 4);
        assert_eq!(
            answer.text(),
            format!("too many calls: 3 a minute are allowed; the next one in {wait} s")
        );
    }
    assert_eq!(
        call(1).token("b").send(server.at).await.status,
        200,
        "another principal"
    );
}

#[tokio::test]
async fn a_foreign_page_uses_no_allowance() {
    let server = Server::start(|server| server.limits(ServerLimits::new().calls_per_minute(1)));
    let call = || Post::call(1, "echo", json!({"text": "a"}));
    for _ in 0..5 {
        assert_eq!(
            call()
                .header("Origin", "https://evil.example")
                .send(server.at)
                .await
                .status,
            403
        );
        assert_eq!(
            call()
                .header("Host", "evil.example")
                .send(server.at)
                .await
                .status,
            403
        );
        assert_eq!(
            call()
                .header("Content-Type", "text/plain")
                .send(server.at)
                .await
                .status,
            415
        );
    }
    assert_eq!(call().send(server.at).await.status, 200);
    assert_eq!(call().send(server.at).await.status, 429);
}

#[tokio::test]
async fn calls_at_the_same_time_are_limited() {
    let limits = ServerLimits::new()
        .concurrent_calls(2)
        .concurrent_calls_in_all(3);
    let server = Server::start(|server| server.limits(limits));
    let session = OldSession::open(server.at, None).await;
    let mut running = Vec::new();
    for id in 1..=2 {
        running.push(session.call(id, "hold", json!({})).begin(server.at).await);
        server.log.until_running(running.len()).await;
    }
    let answer = session
        .call(3, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (429, Some("1"))
    );
    assert_eq!(
        answer.text(),
        "this client has 2 calls running, which is the limit: wait until one ends"
    );
    // Without a session, and in another one.
    running.push(Post::call(4, "hold", json!({})).begin(server.at).await);
    server.log.until_running(3).await;
    let answer = Post::call(5, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("1"))
    );
    assert_eq!(
        answer.text(),
        "3 calls are running, which is the limit of this server: try again later"
    );
    // The call without a session ends with its connection, and makes room.
    running.pop();
    server.log.until_running(2).await;
    let answer = loop {
        let answer = Post::call(6, "echo", json!({"text": "a"}))
            .send(server.at)
            .await;
        if answer.status != 503 {
            break answer;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(answer.text(), "a");
}

#[tokio::test]
async fn a_session_has_no_two_calls_with_one_id() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    let _running = session.call(1, "hold", json!({})).begin(server.at).await;
    server.log.until_running(1).await;
    let answer = session
        .call(1, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(
        (answer.status, answer.message()["error"]["code"].as_i64()),
        (400, Some(-32600))
    );
    assert_eq!(
        answer.text(),
        "a call with the id `1` is running: give each request of a session an id of its own"
    );
    let answer = session
        .call(2, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(answer.text(), "a");
}

/// In a session a lost connection is no cancellation, as the protocol says; its call counts on.
#[tokio::test]
async fn a_client_that_goes_away_makes_no_room_for_calls() {
    let limits = ServerLimits::new().concurrent_calls(1);
    let server = Server::start(|server| server.limits(limits));
    let session = OldSession::open(server.at, None).await;
    let gone = session.call(1, "hold", json!({})).begin(server.at).await;
    server.log.until_running(1).await;
    drop(gone);
    for id in 2..5 {
        let answer = session
            .call(id, "echo", json!({"text": "a"}))
            .send(server.at)
            .await;
        assert_eq!(answer.status, 429, "{answer:?}");
    }
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(session.post(&cancelled).send(server.at).await.status, 202);
    server.log.until_running(0).await;
    loop {
        let answer = session
            .call(9, "echo", json!({"text": "a"}))
            .send(server.at)
            .await;
        if answer.status == 200 {
            break;
        }
        assert_eq!(answer.status, 429);
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let limits = ServerLimits::new().request_time(Duration::from_millis(50));
    let server = Server::start(|server| server.limits(limits));
    let session = OldSession::open(server.at, None).await;
    for post in [
        Post::call(1, "hold", json!({})),
        session.call(1, "hold", json!({})),
    ] {
        let answer: Answer = post.send(server.at).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.message()["result"]["isError"], true);
        assert!(answer.text().contains("50ms"), "{answer:?}");
        server.log.until_running(0).await;
    }
}

#[tokio::test]
async fn sessions_are_limited() {
    let tokens = BearerTokens::new()
        .token("a", Principal::new("alice"))
        .token("b", Principal::new("bob"));
    let limits = ServerLimits::new().sessions(3).sessions_per_principal(2);
    let server = Server::start(|server| server.limits(limits).authenticate(tokens));
    let first = OldSession::open(server.at, Some("a")).await;
    let _second = OldSession::open(server.at, Some("a")).await;
    let answer = initialize().token("a").send(server.at).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (429, Some("60"))
    );
    assert_eq!(
        answer.text(),
        "`alice` has 2 sessions open, which is the limit: end one (DELETE) before the next"
    );
    let _third = OldSession::open(server.at, Some("b")).await;
    let answer = initialize().token("b").send(server.at).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("60"))
    );
    assert_eq!(
        answer.text(),
        "too many sessions are open: 3 is the limit of this server; try again later"
    );
    assert_eq!(first.delete().send(server.at).await.status, 204);
    OldSession::open(server.at, Some("b")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_at_the_same_time_are_answered() {
    let server = Server::start(|server| server);
    let session = OldSession::open(server.at, None).await;
    for old in [false, true] {
        let mut calls = tokio::task::JoinSet::new();
        for id in 0..1000_u64 {
            let arguments = json!({"text": format!("text {id}")});
            let post = if old {
                session.call(id, "echo", arguments)
            } else {
                Post::call(id, "echo", arguments)
            };
            let at = server.at;
            calls.spawn(async move { (id, post.send(at).await) });
        }
        while let Some(done) = calls.join_next().await {
            let (id, answer) = done.unwrap();
            assert_eq!(answer.status, 200, "{answer:?}");
            assert_eq!(answer.message()["id"], id);
            assert_eq!(answer.text(), format!("text {id}"));
        }
    }
}
