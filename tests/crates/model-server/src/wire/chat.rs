//! `OpenAI`'s Chat Completions.

use serde_json::{Value, json};

use super::{
    Answering, Checked, Events, check_name, check_results, check_unique, items, refuse, text,
};
use crate::reply::{Part, fragments, words};

const CALL: &str = "call_";

pub(super) fn whole(answering: Answering<'_>) -> Value {
    let mut content: Option<String> = None;
    let mut calls = Vec::new();
    for (at, part) in answering.reply.parts.iter().enumerate() {
        match part {
            // This API shows no thoughts.
            Part::Thinking(_) => {}
            Part::Text(text) => content.get_or_insert_default().push_str(text),
            Part::Call { name, arguments } => calls.push(json!({
                "id": answering.call_id(CALL, at),
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            })),
        }
    }
    let mut message =
        json!({"role": "assistant", "content": content, "refusal": null, "annotations": []});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({
        "id": format!("chatcmpl-{:04}", answering.number),
        "object": "chat.completion",
        "created": 1_764_000_000,
        "model": answering.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(answering)}],
        "usage": usage(),
        "service_tier": "default",
        "system_fingerprint": "fp_0",
    })
}

pub(super) fn events(answering: Answering<'_>, request: &Value) -> Events {
    let mut events = Events::default();
    let chunk = |choices: Value, usage: Option<Value>| {
        let mut chunk = json!({
            "id": format!("chatcmpl-{:04}", answering.number),
            "object": "chat.completion.chunk",
            "created": 1_764_000_000,
            "model": answering.model,
            "service_tier": "default",
            "system_fingerprint": "fp_0",
            "choices": choices,
        });
        if let Some(usage) = usage {
            chunk["usage"] = usage;
        }
        chunk
    };
    let with_usage = request["stream_options"]["include_usage"] == true;
    let none = with_usage.then_some(Value::Null);
    let delta = |delta: Value| {
        let choice = json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": null}]);
        chunk(choice, none.clone())
    };
    events.data(&delta(
        json!({"role": "assistant", "content": "", "refusal": null}),
    ));
    let mut index = 0;
    for (at, part) in answering.reply.parts.iter().enumerate() {
        match part {
            Part::Thinking(_) => {}
            Part::Text(text) => events.pieces(&words(text), |events, piece| {
                events.data(&delta(json!({"content": piece})));
            }),
            Part::Call { name, arguments } => {
                let function = json!({"name": name, "arguments": ""});
                let call = json!({"index": index, "id": answering.call_id(CALL, at),
                    "type": "function", "function": function});
                events.data(&delta(json!({"tool_calls": [call]})));
                events.pieces(&fragments(arguments), |events, piece| {
                    let call = json!({"index": index, "function": {"arguments": piece}});
                    events.data(&delta(json!({"tool_calls": [call]})));
                });
                index += 1;
            }
        }
    }
    let finish = json!([{"index": 0, "delta": {}, "logprobs": null, "finish_reason": finish_reason(answering)}]);
    events.data(&chunk(finish, none.clone()));
    if with_usage {
        events.data(&chunk(json!([]), Some(usage())));
    }
    events.texts.push("data: [DONE]\n\n".to_owned());
    events
}

fn finish_reason(answering: Answering<'_>) -> &'static str {
    match (answering.reply.truncated, answering.reply.has_calls()) {
        (true, _) => "length",
        (false, true) => "tool_calls",
        (false, false) => "stop",
    }
}

fn usage() -> Value {
    json!({
        "prompt_tokens": 20,
        "completion_tokens": 10,
        "total_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0,
            "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0},
    })
}

pub(super) fn check(request: &Value) -> Checked {
    let tools = items(&request["tools"]);
    for tool in tools {
        check_name(text(&tool["function"]["name"]), "-", 64)?;
    }
    check_unique(tools.iter().map(|tool| text(&tool["function"]["name"])))?;
    let messages = items(&request["messages"]);
    if messages.is_empty() {
        return refuse("messages: there has to be at least one");
    }
    let mut at = 0;
    while let Some(message) = messages.get(at) {
        at += 1;
        match text(&message["role"]) {
            "assistant" => {
                let calls: Vec<&str> = items(&message["tool_calls"])
                    .iter()
                    .map(|call| text(&call["id"]))
                    .collect();
                if calls.is_empty() && message["content"].is_null() {
                    return refuse(format!(
                        "messages[{}]: an assistant says a text or makes calls",
                        at - 1
                    ));
                }
                let results: Vec<&str> = messages[at..]
                    .iter()
                    .take_while(|message| message["role"] == "tool")
                    .map(|message| text(&message["tool_call_id"]))
                    .collect();
                check_results(&calls, &results)?;
                at += results.len();
            }
            "tool" => {
                return refuse("a message of the role `tool` follows on one with `tool_calls`");
            }
            "system" | "developer" | "user" => {}
            role => return refuse(format!("messages[{}]: there is no role {role:?}", at - 1)),
        }
    }
    Ok(())
}
