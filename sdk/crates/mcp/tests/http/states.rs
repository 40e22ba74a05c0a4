//! The state of a request that a client makes once more: who may answer it, for which call, and once.

use serde_json::{Value, json};
use toolwright_mcp::server::http::BearerTokens;
use toolwright_mcp::server::{McpServer, Principal};

use crate::Server;
use crate::wire::{Answer, Post};

fn authenticated(server: McpServer) -> McpServer {
    let tokens = BearerTokens::new()
        .token("a", Principal::new("alice"))
        .token("b", Principal::new("bob"));
    server.authenticate(tokens)
}

/// A call of the tool that asks, with answers if it has been asked.
fn publish(text: &str, answers: Option<(&str, Value)>) -> Post {
    let mut params = json!({"name": "publish", "arguments": {"text": text}});
    if let Some((state, responses)) = answers {
        params["requestState"] = state.into();
        params["inputResponses"] = responses;
    }
    Post::new_era(1, "tools/call", params).header("Mcp-Name", "publish")
}

/// Calls as alice until she is asked: the state, and a yes to each request.
async fn asked(server: &Server, text: &str) -> (String, Value) {
    let answer = publish(text, None).token("a").send(server.at).await;
    let message = answer.message();
    let result = &message["result"];
    assert_eq!(result["resultType"], "input_required", "{answer:?}");
    let yes = json!({"action": "accept", "content": {"decision": "yes"}});
    let requests = result["inputRequests"].as_object().unwrap();
    let responses = requests.keys().map(|key| (key.clone(), yes.clone()));
    let state = result["requestState"].as_str().unwrap().to_owned();
    (state, Value::Object(responses.collect()))
}

fn refused(answer: &Answer, reason: &str) {
    let message = answer.message();
    assert_eq!(message["error"]["code"], -32602, "{answer:?}");
    let text = message["error"]["message"].as_str().unwrap();
    assert!(
        text.starts_with("`requestState`") && text.contains(reason),
        "{text}"
    );
}

#[tokio::test]
async fn only_the_client_that_was_asked_answers_and_once() {
    let server = Server::start(authenticated);
    let (state, yes) = asked(&server, "one").await;
    // Another principal, whoever wrote the answers.
    let answer = publish("one", Some((&state, yes.clone())))
        .token("b")
        .send(server.at)
        .await;
    refused(&answer, "another principal");
    // The answers of one call are not those of another.
    let answer = publish("two", Some((&state, yes.clone())))
        .token("a")
        .send(server.at)
        .await;
    refused(&answer, "other arguments");
    assert_eq!(server.log.published(), Vec::<String>::new());
    let answer = publish("one", Some((&state, yes.clone())))
        .token("a")
        .send(server.at)
        .await;
    assert_eq!(answer.text(), "published one", "{answer:?}");
    let again = publish("one", Some((&state, yes)))
        .token("a")
        .send(server.at)
        .await;
    refused(&again, "");
    assert_eq!(server.log.published(), ["one"]);
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    let server = Server::start(authenticated);
    let (state, yes) = asked(&server, "one").await;
    let other = asked(&server, "other").await.0;
    let ticket: Value = serde_json::from_str(&state).unwrap();
    let mut forged = vec![
        String::new(),
        "{}".to_owned(),
        "null".to_owned(),
        state[..state.len() - 2].to_owned(),
        state.replace("one", "two"),
        format!("{state} "),
    ];
    // Each member of another ticket, and each one changed.
    let foreign: Value = serde_json::from_str(&other).unwrap();
    for (name, member) in ticket.as_object().unwrap() {
        let mut mixed = ticket.clone();
        mixed[name] = foreign[name].clone();
        forged.push(mixed.to_string());
        if let Some(text) = member.as_str() {
            let mut changed = ticket.clone();
            changed[name] = format!("{text}0").into();
            forged.push(changed.to_string());
        }
    }
    for state in forged {
        // White space and the order of members are no part of a ticket.
        let same = serde_json::from_str::<Value>(&state).is_ok_and(|forged| forged == ticket);
        if same {
            continue;
        }
        let answer = publish("one", Some((&state, yes.clone())))
            .token("a")
            .send(server.at)
            .await;
        refused(&answer, "");
    }
    assert_eq!(server.log.published(), Vec::<String>::new());
}
