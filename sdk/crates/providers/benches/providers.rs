//! Lists of tools for the APIs, and calls from their messages beside the same calls from plain text, in turns, as medians
//! of ratios within a round.
//!
//! `cargo bench -p toolwright-providers --bench providers`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]

#[path = "../../../benches/common/mod.rs"]
mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use common::turns::{self, compare};
use serde_json::{Value, json};
use toolwright::{Session, ToolCall};
use toolwright_providers::{Api, ModelTools, ToolList};

fn main() {
    let rounds = turns::rounds();
    println!(
        "lists of 100 tools         base ns   ours ns   ratio (quartiles)        allocations of both"
    );
    for api in Api::ALL {
        let names: Vec<String> = (0..50).map(|number| format!("t{}", number * 2)).collect();
        let kept = common::hundred_tools().freeze().unwrap();
        let list = ToolList::new(api, &kept);
        let plain = kept.to_json().unwrap();
        assert!(list.as_str().len() > plain.len() / 2);
        compare(
            rounds,
            &format!("{api}, again"),
            || drop(black_box(kept.to_json().unwrap())),
            || drop(black_box(ToolList::new(api, black_box(&kept)))),
        );
        compare(
            rounds,
            &format!("{api}, 50 of them"),
            || drop(black_box(black_box(&plain).to_string())),
            || {
                drop(black_box(
                    list.select(names.iter().map(String::as_str)).unwrap(),
                ));
            },
        );
        compare(
            rounds,
            &format!("{api}, first"),
            || {
                let fresh = common::hundred_tools().freeze().unwrap();
                drop(black_box(fresh.to_json().unwrap()));
            },
            || {
                let fresh = common::hundred_tools().freeze().unwrap();
                drop(black_box(ToolList::new(api, &fresh)));
            },
        );
    }

    println!(
        "\na call from a message     plain ns   ours ns   ratio (quartiles)        allocations of both"
    );
    let executor = common::executor();
    let session = executor.session("bench");
    for (letter, name, text) in common::CASES {
        for api in Api::ALL {
            let tools = ModelTools::new(api, &session);
            let message = message(api, name, text);
            compare(
                rounds,
                &format!("{letter}, {api}"),
                || {
                    run(
                        &session,
                        ToolCall::new(black_box(name), black_box(text)).with_id("call_1"),
                    );
                },
                || answer(&tools, black_box(&message)),
            );
        }
    }
}

/// The message of a model with one call.
fn message(api: Api, name: &str, arguments: &str) -> String {
    let tree: Value = serde_json::from_str(arguments).unwrap();
    let message = match api {
        Api::OpenAiResponses => json!({"output": [
            {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": arguments}
        ]}),
        Api::Anthropic => json!({"role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": "call_1", "name": name, "input": tree}
        ]}),
        Api::Gemini => json!({"role": "model", "parts": [
            {"functionCall": {"id": "call_1", "name": name, "args": tree}}
        ]}),
        _ => json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
        ]}),
    };
    message.to_string()
}

/// Polled by hand: the app's own runtime is no part of the call.
fn run(session: &Session, call: ToolCall<'_>) {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(outcome) if outcome.is_success()));
    let _ = black_box(polled);
}

fn answer(tools: &ModelTools<'_>, message: &str) {
    let polled = pin!(tools.answer(message)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(Ok(reply)) if reply.outcomes[0].is_success()));
    let _ = black_box(polled);
}
