//! `OpenAI`'s Responses.

use serde_json::{Value, json};

use super::{
    Answering, Checked, Events, Issued, check_name, check_results, check_unique, items, refuse,
    text,
};
use crate::reply::{Part, fragments, words};

const CALL: &str = "call_";

/// The items of the answer.
fn output(answering: Answering<'_>) -> Vec<Value> {
    let parts = answering.reply.parts.iter().enumerate();
    parts
        .map(|(at, part)| match part {
            Part::Thinking(thoughts) => json!({
                "type": "reasoning", "id": answering.call_id("rs_", at),
                "summary": [{"type": "summary_text", "text": thoughts}],
                "encrypted_content": answering.signature(),
            }),
            Part::Text(said) => json!({
                "type": "message", "id": answering.call_id("msg_", at), "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": said, "annotations": [], "logprobs": []}],
            }),
            Part::Call { name, arguments } => json!({
                "type": "function_call", "id": answering.call_id("fc_", at),
                "call_id": answering.call_id(CALL, at),
                "name": name, "arguments": arguments, "status": "completed",
            }),
        })
        .collect()
}

fn response(answering: Answering<'_>, status: &str, output: &[Value]) -> Value {
    let is_over = status != "in_progress";
    let usage = json!({
        "input_tokens": 20, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 30,
    });
    let incomplete = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));
    json!({
        "id": format!("resp_{:04}", answering.number),
        "object": "response",
        "created_at": 1_764_000_000,
        "status": status,
        "error": null,
        "incomplete_details": incomplete,
        "instructions": null,
        "metadata": {},
        "model": answering.model,
        "output": output,
        "parallel_tool_calls": true,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": is_over.then_some(usage),
    })
}

fn status(answering: Answering<'_>) -> &'static str {
    if answering.reply.truncated {
        "incomplete"
    } else {
        "completed"
    }
}

pub(super) fn whole(answering: Answering<'_>) -> Value {
    response(answering, status(answering), &output(answering))
}

/// The events, numbered.
#[derive(Default)]
struct Numbered {
    events: Events,
    number: usize,
}

impl Numbered {
    fn tell(&mut self, kind: &str, mut data: Value) {
        data["type"] = kind.into();
        data["sequence_number"] = self.number.into();
        self.number += 1;
        self.events.named(kind, &data);
    }

    /// Tells the pieces of an item.
    fn deltas(&mut self, kind: &str, pieces: &[String], data: &Value) {
        for (at, piece) in pieces.iter().enumerate() {
            let mut data = data.clone();
            data["delta"] = piece.as_str().into();
            self.tell(kind, data);
            if at == pieces.len() / 2 {
                self.events.middle = self.events.texts.len();
            }
        }
    }
}

pub(super) fn events(answering: Answering<'_>) -> Events {
    let mut stream = Numbered::default();
    let begun = response(answering, "in_progress", &[]);
    stream.tell("response.created", json!({"response": begun}));
    stream.tell("response.in_progress", json!({"response": begun}));
    let output = output(answering);
    for (index, (part, item)) in answering.reply.parts.iter().zip(&output).enumerate() {
        let mut empty = item.clone();
        match part {
            Part::Thinking(_) => empty["summary"] = json!([]),
            Part::Text(_) => {
                empty["content"] = json!([]);
                empty["status"] = "in_progress".into();
            }
            Part::Call { .. } => {
                empty["arguments"] = "".into();
                empty["status"] = "in_progress".into();
            }
        }
        stream.tell(
            "response.output_item.added",
            json!({"output_index": index, "item": empty}),
        );
        let at = json!({"item_id": item["id"], "output_index": index});
        tell_part(&mut stream, part, item, &at);
        stream.tell(
            "response.output_item.done",
            json!({"output_index": index, "item": item}),
        );
    }
    let kind = format!("response.{}", status(answering));
    stream.tell(&kind, json!({"response": whole(answering)}));
    stream.events
}

/// Tells what an item holds, piece by piece and then whole.
fn tell_part(stream: &mut Numbered, part: &Part, item: &Value, at: &Value) {
    let with = |more: Value| {
        let mut data = at.clone();
        for (name, value) in more.as_object().into_iter().flatten() {
            data[name] = value.clone();
        }
        data
    };
    match part {
        Part::Thinking(thoughts) => {
            let summary = |text: &str| json!({"type": "summary_text", "text": text});
            let added = with(json!({"summary_index": 0, "part": summary("")}));
            stream.tell("response.reasoning_summary_part.added", added);
            let data = with(json!({"summary_index": 0}));
            stream.deltas(
                "response.reasoning_summary_text.delta",
                &words(thoughts),
                &data,
            );
            let done = with(json!({"summary_index": 0, "text": thoughts}));
            stream.tell("response.reasoning_summary_text.done", done);
            let done = with(json!({"summary_index": 0, "part": summary(thoughts)}));
            stream.tell("response.reasoning_summary_part.done", done);
        }
        Part::Text(said) => {
            let empty =
                json!({"type": "output_text", "text": "", "annotations": [], "logprobs": []});
            stream.tell(
                "response.content_part.added",
                with(json!({"content_index": 0, "part": empty})),
            );
            let data = with(json!({"content_index": 0, "logprobs": []}));
            stream.deltas("response.output_text.delta", &words(said), &data);
            let done = with(json!({"content_index": 0, "logprobs": [], "text": said}));
            stream.tell("response.output_text.done", done);
            let done = with(json!({"content_index": 0, "part": item["content"][0]}));
            stream.tell("response.content_part.done", done);
        }
        Part::Call { name, arguments } => {
            let kind = "response.function_call_arguments.delta";
            stream.deltas(kind, &fragments(arguments), at);
            let done = with(json!({"name": name, "arguments": arguments}));
            stream.tell("response.function_call_arguments.done", done);
        }
    }
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
    let tools = items(&request["tools"]);
    for tool in tools.iter().filter(|tool| tool["type"] == "function") {
        check_name(text(&tool["name"]), "-", 64)?;
    }
    check_unique(tools.iter().map(|tool| text(&tool["name"])))?;
    if request["input"].is_string() {
        return Ok(());
    }
    let input = items(&request["input"]);
    if input.is_empty() {
        return refuse("input: it is required");
    }
    let of_type = |kind: &'static str| input.iter().filter(move |item| item["type"] == kind);
    let calls: Vec<&str> = of_type("function_call")
        .map(|item| text(&item["call_id"]))
        .collect();
    let results: Vec<&str> = of_type("function_call_output")
        .map(|item| text(&item["call_id"]))
        .collect();
    check_results(&calls, &results)?;
    let thoughts: Vec<&str> = of_type("reasoning")
        .map(|item| text(&item["encrypted_content"]))
        .collect();
    if thoughts
        .iter()
        .any(|thought| !issued.signatures.contains(*thought))
    {
        return refuse("the encrypted content of a reasoning item cannot be verified");
    }
    for call in calls {
        let signature = issued.by_call.get(call);
        if signature.is_some_and(|signature| !thoughts.contains(&signature.as_str())) {
            return refuse(format!(
                "the call {call} is there without its reasoning item"
            ));
        }
    }
    Ok(())
}
