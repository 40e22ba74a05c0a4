//! A call from the message of each API, read by this crate, beside a call from plain text: two integers (a), and a tool of
//! 12 fields (b). The bar is 1.3 times on b.
//!
//! Beside it a call from the message as an app would read it by hand: into the members that it needs, without a look at
//! what may be broken.
//!
//! `cargo bench -p toolwright-providers --bench envelope`.

#![allow(missing_docs, reason = "no interface")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds are small"
)]

#[path = "../../../benches/common/mod.rs"]
mod common;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use common::turns::{self, compare};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolwright::{Session, ToolCall};
use toolwright_providers::{Api, AssistantMessage};

fn main() {
    let rounds = turns::rounds();
    let executor = common::executor();
    let session = executor.session("bench");
    println!(
        "call           plain ns   ours ns   ratio (quartiles)        allocations plain, ours"
    );
    let (_, name, text) = common::CASES[1];
    let plain = || {
        run(
            &session,
            ToolCall::new(black_box(name), black_box(text)).with_id("call_1"),
        );
    };
    let body = message(Api::OpenAiChat, name, text);
    compare(rounds, "b, Chat Completions by hand", plain, || {
        let message: ByHandChat = serde_json::from_str(black_box(&body)).unwrap();
        for call in message.tool_calls {
            let ByHandFunction { name, arguments } = call.function;
            run(&session, ToolCall::new(name, arguments).with_id(call.id));
        }
    });
    let body = message(Api::Anthropic, name, text);
    compare(rounds, "b, Anthropic by hand", plain, || {
        let message: ByHandAnthropic<'_> = serde_json::from_str(black_box(&body)).unwrap();
        for block in message.content {
            run(
                &session,
                ToolCall::new(block.name, block.input.get()).with_id(block.id),
            );
        }
    });
    for (letter, name, text) in &common::CASES[..2] {
        for api in Api::ALL {
            for (form, body) in [
                ("message", message(api, name, text)),
                ("response", response(api, name, text)),
            ] {
                let read = AssistantMessage::read(api, &body).unwrap();
                assert_eq!(read.calls().len(), 1);
                compare(
                    rounds,
                    &format!("{letter}, {api}, {form}"),
                    || {
                        run(
                            &session,
                            ToolCall::new(black_box(*name), black_box(*text)).with_id("call_1"),
                        );
                    },
                    || {
                        let read = AssistantMessage::read(api, black_box(&body)).unwrap();
                        for call in read.calls() {
                            let id = call.id().to_owned();
                            run(
                                &session,
                                ToolCall::new(call.name(), call.arguments()).with_id(id),
                            );
                        }
                        black_box(read);
                    },
                );
            }
        }
    }
}

/// The message of Chat Completions, by hand.
#[derive(Deserialize)]
struct ByHandChat {
    tool_calls: Vec<ByHandCall>,
}

#[derive(Deserialize)]
struct ByHandCall {
    id: String,
    function: ByHandFunction,
}

#[derive(Deserialize)]
struct ByHandFunction {
    name: String,
    arguments: String,
}

/// The message of Anthropic, by hand.
#[derive(Deserialize)]
struct ByHandAnthropic<'m> {
    #[serde(borrow)]
    content: Vec<ByHandBlock<'m>>,
}

#[derive(Deserialize)]
struct ByHandBlock<'m> {
    id: String,
    name: String,
    #[serde(borrow)]
    input: &'m RawValue,
}

/// Polled by hand: the host's own runtime is no part of the call.
fn run(session: &Session, call: ToolCall<'_>) {
    let polled = pin!(session.call(call)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(&polled, Poll::Ready(outcome) if outcome.is_success()));
    let _ = black_box(polled);
}

/// The message alone.
fn message(api: Api, name: &str, text: &str) -> String {
    let arguments: Value = serde_json::from_str(text).unwrap();
    match api {
        Api::OpenAiResponses => json!([{
            "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": text,
            "status": "completed",
        }]),
        Api::Anthropic => json!({
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "call_1", "name": name, "input": arguments}],
        }),
        Api::Gemini => json!({
            "role": "model",
            "parts": [{"functionCall": {"id": "call_1", "name": name, "args": arguments}}],
        }),
        _ => json!({
            "role": "assistant", "content": null,
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}],
        }),
    }
    .to_string()
}

/// The whole body of a response.
fn response(api: Api, name: &str, text: &str) -> String {
    let message: Value = serde_json::from_str(&message(api, name, text)).unwrap();
    match api {
        Api::OpenAiResponses => json!({
            "id": "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b", "object": "response",
            "created_at": 1_764_000_000, "status": "completed", "error": null, "incomplete_details": null,
            "model": "m", "output": message, "tools": [],
            "usage": {"input_tokens": 81, "input_tokens_details": {"cached_tokens": 16}, "output_tokens": 35},
        }),
        Api::Anthropic => json!({
            "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant", "model": "m",
            "content": message["content"], "stop_reason": "tool_use", "stop_sequence": null,
            "usage": {"input_tokens": 472, "cache_read_input_tokens": 0, "output_tokens": 89},
        }),
        Api::Gemini => json!({
            "candidates": [{"content": message, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 71, "candidatesTokenCount": 18, "totalTokenCount": 89},
            "modelVersion": "m", "responseId": "HqO0aPOEJbeC",
        }),
        _ => json!({
            "id": "chatcmpl-BxF3r0hqP1mYJk", "object": "chat.completion", "created": 1_764_000_000, "model": "m",
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99},
        }),
    }
    .to_string()
}
