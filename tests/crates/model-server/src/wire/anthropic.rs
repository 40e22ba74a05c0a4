//! Anthropic's Messages.

use serde_json::{Value, json};

use super::{
    Answering, Checked, Events, Issued, check_name, check_results, check_unique, items, refuse,
    text,
};
use crate::reply::{Part, fragments, words};

const CALL: &str = "toolu_";

/// The blocks of the answer.
fn blocks(answering: Answering<'_>) -> Vec<Value> {
    let parts = answering.reply.parts.iter().enumerate();
    parts
        .map(|(at, part)| match part {
            Part::Thinking(thoughts) => {
                json!({"type": "thinking", "thinking": thoughts, "signature": answering.signature()})
            }
            Part::Text(text) => json!({"type": "text", "text": text, "citations": null}),
            Part::Call { name, arguments } => {
                // This API never says arguments that are no JSON.
                let input = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
                json!({"type": "tool_use", "id": answering.call_id(CALL, at), "name": name, "input": input})
            }
        })
        .collect()
}

fn message(answering: Answering<'_>) -> Value {
    json!({
        "id": format!("msg_{:04}", answering.number),
        "type": "message",
        "role": "assistant",
        "model": answering.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {"input_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "output_tokens": 1, "service_tier": "standard"},
    })
}

fn stop_reason(answering: Answering<'_>) -> &'static str {
    match (answering.reply.truncated, answering.reply.has_calls()) {
        (true, _) => "max_tokens",
        (false, true) => "tool_use",
        (false, false) => "end_turn",
    }
}

pub(super) fn whole(answering: Answering<'_>) -> Value {
    let mut message = message(answering);
    message["content"] = blocks(answering).into();
    message["stop_reason"] = stop_reason(answering).into();
    message["usage"]["output_tokens"] = 10.into();
    message
}

pub(super) fn events(answering: Answering<'_>) -> Events {
    let mut events = Events::default();
    let tell = |events: &mut Events, data: Value| {
        let name = text(&data["type"]).to_owned();
        events.named(&name, &data);
    };
    tell(
        &mut events,
        json!({"type": "message_start", "message": message(answering)}),
    );
    for (index, (part, mut block)) in answering
        .reply
        .parts
        .iter()
        .zip(blocks(answering))
        .enumerate()
    {
        // A block begins empty.
        match part {
            Part::Thinking(_) => {
                block["thinking"] = "".into();
                block["signature"] = "".into();
            }
            Part::Text(_) => block["text"] = "".into(),
            Part::Call { .. } => block["input"] = json!({}),
        }
        tell(
            &mut events,
            json!({"type": "content_block_start", "index": index, "content_block": block}),
        );
        if index == 0 {
            tell(&mut events, json!({"type": "ping"}));
        }
        let delta = |events: &mut Events, delta: Value| {
            tell(
                events,
                json!({"type": "content_block_delta", "index": index, "delta": delta}),
            );
        };
        match part {
            Part::Thinking(thoughts) => {
                events.pieces(&words(thoughts), |events, piece| {
                    delta(events, json!({"type": "thinking_delta", "thinking": piece}));
                });
                delta(
                    &mut events,
                    json!({"type": "signature_delta", "signature": answering.signature()}),
                );
            }
            Part::Text(text) => events.pieces(&words(text), |events, piece| {
                delta(events, json!({"type": "text_delta", "text": piece}));
            }),
            Part::Call { arguments, .. } => {
                // The first piece is always empty.
                delta(
                    &mut events,
                    json!({"type": "input_json_delta", "partial_json": ""}),
                );
                events.pieces(&fragments(arguments), |events, piece| {
                    delta(
                        events,
                        json!({"type": "input_json_delta", "partial_json": piece}),
                    );
                });
            }
        }
        tell(
            &mut events,
            json!({"type": "content_block_stop", "index": index}),
        );
    }
    let delta = json!({"stop_reason": stop_reason(answering), "stop_sequence": null});
    tell(
        &mut events,
        json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 10}}),
    );
    tell(&mut events, json!({"type": "message_stop"}));
    events
}

pub(super) fn note(answering: Answering<'_>, issued: &mut Issued) {
    let parts = &answering.reply.parts;
    if !parts.iter().any(|part| matches!(part, Part::Thinking(_))) {
        return;
    }
    issued.signatures.insert(answering.signature());
    for (at, part) in parts.iter().enumerate() {
        if matches!(part, Part::Call { .. }) {
            issued.note(answering.call_id(CALL, at), &answering.signature());
        }
    }
}

pub(super) fn check(request: &Value, issued: &Issued) -> Checked {
    if !request["max_tokens"].is_u64() {
        return refuse("max_tokens: it is required");
    }
    let tools = items(&request["tools"]);
    // Tools of the provider have a type, and no schema.
    for tool in tools.iter().filter(|tool| !tool["input_schema"].is_null()) {
        check_name(text(&tool["name"]), "-", 128)?;
        if tool["input_schema"]["type"] != "object" {
            return refuse("tools: the type of an input_schema is `object`");
        }
    }
    check_unique(tools.iter().map(|tool| text(&tool["name"])))?;
    let messages = items(&request["messages"]);
    if messages.is_empty() {
        return refuse("messages: there has to be at least one");
    }
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let blocks = items(&message["content"]);
        let of_type = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
        let results: Vec<&str> = of_type("tool_result")
            .map(|block| text(&block["tool_use_id"]))
            .collect();
        check_results(&open, &results)?;
        if blocks
            .iter()
            .skip(results.len())
            .any(|block| block["type"] == "tool_result")
        {
            return refuse(format!(
                "messages.{at}: the results come before everything else"
            ));
        }
        match text(&message["role"]) {
            "user" => open.clear(),
            "assistant" => {
                open = of_type("tool_use")
                    .map(|block| text(&block["id"]))
                    .collect();
                check_thoughts(at, blocks, &open, issued)?;
            }
            role => return refuse(format!("messages.{at}: there is no role {role:?}")),
        }
    }
    match open.first() {
        Some(call) => refuse(format!("the call {call} has no result")),
        None => Ok(()),
    }
}

/// Checks that the thoughts of a message are there as they were sent.
fn check_thoughts(at: usize, blocks: &[Value], calls: &[&str], issued: &Issued) -> Checked {
    let signatures = blocks
        .iter()
        .filter(|block| block["type"] == "thinking")
        .map(|block| text(&block["signature"]));
    if let Some(changed) = signatures
        .clone()
        .find(|signature| !issued.signatures.contains(*signature))
    {
        return refuse(format!(
            "messages.{at}: the signature {changed:?} of a thinking block is not valid"
        ));
    }
    for call in calls {
        if let Some(signature) = issued.by_call.get(*call)
            && !signatures.clone().any(|there| there == signature)
        {
            return refuse(format!(
                "messages.{at}: the thinking block before the call {call} is missing"
            ));
        }
    }
    Ok(())
}
