//! Tokens: who may call, and whose a session is.

use std::process::Command;

use serde_json::json;
use toolwright_mcp::server::http::{AuthError, BearerTokens, Credentials};
use toolwright_mcp::server::{McpServer, Principal};

use crate::Server;
use crate::wire::{Answer, OldSession, Post, initialize};

const ALICE: &str = "alices-token-5f1c0e1cb8e14f3a9d7c";
const BOB: &str = "bobs-token-77e8cb1d0a524bd08f60";

fn tokens() -> BearerTokens {
    BearerTokens::new()
        .token(ALICE, Principal::new("alice"))
        .token(BOB, Principal::new("bob"))
}

fn authenticated(server: McpServer) -> McpServer {
    server.authenticate(tokens())
}

fn call() -> Post {
    Post::call(1, "echo", json!({"text": "a"}))
}

#[tokio::test]
async fn a_token_is_needed_and_must_be_right() {
    let server = Server::start(authenticated);
    for (post, reason, challenge) in [
        (call(), "needs a bearer token", "Bearer"),
        (
            call().header("Authorization", format!("Basic {ALICE}")),
            "needs a bearer token",
            "Bearer",
        ),
        (call().token(""), "needs a bearer token", "Bearer"),
        (
            call().token("wrong"),
            "not valid for this server",
            r#"Bearer error="invalid_token""#,
        ),
        (
            call().token(&ALICE[..ALICE.len() - 1]),
            "not valid for this server",
            r#"Bearer error="invalid_token""#,
        ),
        (
            call().token(&format!("{ALICE}x")),
            "not valid for this server",
            r#"Bearer error="invalid_token""#,
        ),
        (initialize(), "needs a bearer token", "Bearer"),
    ] {
        let answer = post.send(server.at).await;
        assert_eq!(answer.status, 401, "{answer:?}");
        assert!(answer.body.contains(reason), "{answer:?}");
        assert_eq!(answer.header("www-authenticate"), Some(challenge));
        assert!(!answer.body.contains(ALICE));
    }
    let answer = call().token(ALICE).send(server.at).await;
    assert_eq!((answer.status, answer.text()), (200, "a".to_owned()));
    // The scheme has no case.
    let answer = call()
        .header("Authorization", format!("bearer {BOB}"))
        .send(server.at)
        .await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn the_reason_of_a_refusal_stands_in_the_challenge() {
    let metadata = "https://tools.example/.well-known/oauth-protected-resource";
    let by_name = |credentials: &Credentials<'_>| match credentials.bearer() {
        None => Err(AuthError::Missing),
        Some("narrow") => Err(AuthError::InsufficientScope {
            scope: "tools:call".to_owned(),
        }),
        Some(_) => {
            let source = std::io::Error::other("keys.example does not answer");
            Err(AuthError::Unavailable(source.into()))
        }
    };
    let server = Server::start(|server| server.authenticate(by_name).resource_metadata(metadata));
    let answer = call().send(server.at).await;
    assert_eq!(answer.status, 401);
    assert_eq!(
        answer.header("www-authenticate"),
        Some(&*format!(r#"Bearer resource_metadata="{metadata}""#))
    );
    let answer = call().token("narrow").send(server.at).await;
    assert_eq!(
        (answer.status, &*answer.body),
        (
            403,
            "the bearer token does not allow this: it needs the scope `tools:call`"
        )
    );
    assert_eq!(
        answer.header("www-authenticate"),
        Some(&*format!(
            r#"Bearer error="insufficient_scope", scope="tools:call", resource_metadata="{metadata}""#
        )),
    );
    let answer = call().token("any").send(server.at).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (503, Some("5"))
    );
    assert!(!answer.body.contains("keys.example"), "{answer:?}");
}

#[tokio::test]
async fn a_session_is_of_the_principal_that_opened_it() {
    let server = Server::start(authenticated);
    let of_alice = OldSession::open(server.at, Some(ALICE)).await;
    let foreign = |post: Post| post.token(BOB);
    let reason = "no session of this client has this `Mcp-Session-Id`";
    let call = of_alice.call(1, "echo", json!({"text": "a"}));
    for (post, status) in [
        (foreign(call.clone()), 404),
        (foreign(of_alice.get()), 404),
        (foreign(of_alice.delete()), 404),
        (call.clone().token("wrong"), 401),
        (call.clone().without("Authorization"), 401),
        (call.clone().header("Mcp-Session-Id", "forged"), 404),
        (of_alice.delete().header("Mcp-Session-Id", "forged"), 404),
    ] {
        let answer: Answer = post.send(server.at).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(status != 404 || answer.body.contains(reason), "{answer:?}");
    }
    // The session was not touched.
    assert_eq!(call.send(server.at).await.text(), "a");
}

#[tokio::test]
async fn a_principal_has_no_more_than_its_capabilities() {
    let tokens = BearerTokens::new()
        .token("all", Principal::new("alice"))
        .token("none", Principal::new("bot").capabilities([]))
        .token("less", Principal::new("alice").capabilities([]));
    let server = Server::start(|server| server.authenticate(tokens));
    let session = OldSession::open(server.at, Some("all")).await;
    let call = || Post::call(1, "read_notes", json!({}));
    for post in [
        call().token("all"),
        session.call(1, "read_notes", json!({})),
    ] {
        assert_eq!(post.send(server.at).await.text(), "a note");
    }
    for token in ["none", "less"] {
        let answer = call().token(token).send(server.at).await;
        assert_eq!(answer.message()["result"]["isError"], true, "{answer:?}");
        assert!(answer.text().contains("notes:read:all"), "{answer:?}");
    }
    // A token of the same principal that grants less does not get what the session was opened with.
    let answer = session
        .call(2, "read_notes", json!({}))
        .token("less")
        .send(server.at)
        .await;
    assert_eq!(answer.status, 404, "{answer:?}");
}

#[test]
fn no_token_reaches_a_log() {
    // A process of its own: a log of all is one of the whole process.
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "auth::requests_that_are_logged",
            "--ignored",
            "--nocapture",
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert!(
        text.contains("CallToolRequest"),
        "the log has the requests: {text}"
    );
    for token in [ALICE, BOB, "wrong-token-of-nobody"] {
        assert!(!text.contains(token), "{token}");
    }
}

#[tokio::test]
#[ignore = "another test runs it and reads what it writes"]
async fn requests_that_are_logged() {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .init();
    let server = Server::start(authenticated);
    let session = OldSession::open(server.at, Some(ALICE)).await;
    let answer = session
        .call(1, "echo", json!({"text": "a"}))
        .send(server.at)
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(call().token(BOB).send(server.at).await.status, 200);
    let answer = call().token("wrong-token-of-nobody").send(server.at).await;
    assert_eq!(answer.status, 401);
}
