//! Gemini's `generateContent`.

use serde_json::{Value, json};

use super::{Answering, Checked, Events, Issued, check_name, check_unique, items, refuse, text};
use crate::reply::{Part, words};

/// The parts of the answer. Calls have no id, as in most answers of this API.
fn parts(answering: Answering<'_>) -> Vec<Value> {
    let parts = &answering.reply.parts;
    let mut signed = !parts.iter().any(|part| matches!(part, Part::Thinking(_)));
    parts
        .iter()
        .map(|part| match part {
            Part::Thinking(thoughts) => json!({"text": thoughts, "thought": true}),
            Part::Text(text) => json!({"text": text}),
            Part::Call { name, arguments } => {
                let arguments: Value =
                    serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
                let mut part = json!({"functionCall": {"name": name, "args": arguments}});
                // The first call alone has the signature.
                if !std::mem::replace(&mut signed, true) {
                    part["thoughtSignature"] = signature(answering).into();
                }
                part
            }
        })
        .collect()
}

/// The signature in base 64. The vendor's client writes it anew, in an alphabet of its own.
fn signature(answering: Answering<'_>) -> String {
    format!("Sg{:04}AABBCC", answering.number)
}

fn response(answering: Answering<'_>, parts: &[Value], finish_reason: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"parts": parts, "role": "model"}, "index": 0});
    if let Some(reason) = finish_reason {
        candidate["finishReason"] = reason.into();
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 10, "totalTokenCount": 30},
        "modelVersion": answering.model,
        "responseId": format!("r{:04}", answering.number),
    })
}

/// This API has no reason of its own for calls.
fn finish_reason(answering: Answering<'_>) -> &'static str {
    if answering.reply.truncated {
        "MAX_TOKENS"
    } else {
        "STOP"
    }
}

pub(super) fn whole(answering: Answering<'_>) -> Value {
    response(answering, &parts(answering), Some(finish_reason(answering)))
}

pub(super) fn events(answering: Answering<'_>) -> Events {
    let mut events = Events::default();
    for (part, whole) in answering.reply.parts.iter().zip(parts(answering)) {
        let is_thought = matches!(part, Part::Thinking(_));
        match part {
            Part::Thinking(text) | Part::Text(text) => {
                events.pieces(&words(text), |events, piece| {
                    let mut part = json!({"text": piece});
                    if is_thought {
                        part["thought"] = true.into();
                    }
                    events.data(&response(answering, &[part], None));
                });
            }
            // A call comes whole.
            Part::Call { .. } => {
                events.data(&response(answering, &[whole], None));
                events.middle = events.texts.len();
            }
        }
    }
    let empty = [json!({"text": ""})];
    events.data(&response(answering, &empty, Some(finish_reason(answering))));
    events
}

/// The name and arguments of a call, which stand for the id that it does not have.
fn key(call: &Value) -> String {
    format!("{} {}", text(&call["name"]), call["args"])
}

pub(super) fn note(answering: Answering<'_>, issued: &mut Issued) {
    for part in parts(answering) {
        if let Some(signature) = part["thoughtSignature"].as_str() {
            issued.note(key(&part["functionCall"]), signature);
        }
    }
}

pub(super) fn check(request: &Value, issued: &Issued) -> Checked {
    let declared: Vec<&str> = items(&request["tools"])
        .iter()
        .flat_map(|tool| items(&tool["functionDeclarations"]))
        .map(|declaration| text(&declaration["name"]))
        .collect();
    for name in &declared {
        check_name(name, "-.:", 128)?;
        if name.starts_with(|c: char| !c.is_ascii_alphabetic() && c != '_') {
            return refuse(format!("the name {name:?} begins with no letter"));
        }
    }
    check_unique(declared.iter().copied())?;
    let contents = items(&request["contents"]);
    if contents.is_empty() {
        return refuse("contents: there has to be at least one");
    }
    let mut open: Vec<&Value> = Vec::new();
    for (at, content) in contents.iter().enumerate() {
        let parts = items(&content["parts"]);
        if parts.is_empty() {
            return refuse(format!("contents[{at}]: it has no parts"));
        }
        let of = |member: &'static str| {
            parts
                .iter()
                .map(move |part| &part[member])
                .filter(|part| !part.is_null())
        };
        let results: Vec<&Value> = of("functionResponse").collect();
        check_responses(at, &open, &results)?;
        open = of("functionCall").collect();
        for part in parts {
            let signature = part["thoughtSignature"].as_str();
            if signature.is_some_and(|there| !issued.signatures.contains(there)) {
                return refuse(format!("contents[{at}]: a thought signature is not valid"));
            }
            let sent = issued.by_call.get(&key(&part["functionCall"]));
            if sent.is_some() && sent.map(String::as_str) != signature {
                return refuse(format!(
                    "contents[{at}]: a function call misses its thought signature"
                ));
            }
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    refuse("the content after function calls has their responses")
}

/// Checks that there are as many responses as calls, by their names, and by their ids where there are some.
fn check_responses(at: usize, calls: &[&Value], responses: &[&Value]) -> Checked {
    if calls.len() != responses.len() {
        return refuse(format!(
            "contents[{at}]: {} function responses to {} function calls",
            responses.len(),
            calls.len()
        ));
    }
    for (call, response) in calls.iter().zip(responses) {
        if call["name"] != response["name"] {
            return refuse(format!(
                "contents[{at}]: a response to {} is of {}",
                call["name"], response["name"]
            ));
        }
        if !call["id"].is_null() && call["id"] != response["id"] {
            return refuse(format!(
                "contents[{at}]: the response to {} has another id",
                call["id"]
            ));
        }
        if !response["response"].is_object() {
            return refuse(format!("contents[{at}]: a function response is an object"));
        }
    }
    Ok(())
}
