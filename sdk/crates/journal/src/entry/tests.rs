use serde_json::{Value, json};

use super::*;
use crate::record::RecordKind;

const ID: &str = "00000000000000070000000000000009";

/// Texts that are written with escapes or sorted otherwise than as bytes.
const TEXTS: [&str; 6] = [
    "add",
    "",
    "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/\u{7f}",
    "\u{e9}\u{2028}\u{fb33}\u{1f600}\u{ffff}",
    "a\\",
    "\"",
];

fn entry(kind: &RecordKind) -> Entry<'_> {
    match kind {
        RecordKind::Opened { format } => Entry::Opened { format: *format },
        RecordKind::Requested(request) => Entry::Requested(request),
        RecordKind::Suspended(suspended) => Entry::Suspended(suspended),
        RecordKind::Resumed(resumed) => Entry::Resumed(resumed.invocation, &resumed.input),
        RecordKind::Responded(response) => Entry::Responded(response),
    }
}

/// The text is that which the record has in general, and leads back.
fn check(json: &Value) {
    let kind: RecordKind = serde_json::from_str(&json.to_string()).unwrap();
    let mut text = String::new();
    entry(&kind).write(&mut text).unwrap();
    assert_eq!(text, serde_json::to_string(&kind).unwrap());
    assert_eq!(serde_json::from_str::<RecordKind>(&text).unwrap(), kind);
}

fn with(base: &Value, name: &str, value: Value) -> Value {
    let mut whole = base.clone();
    whole[name] = value;
    whole
}

#[test]
fn a_record_is_written_as_its_type_is() {
    let hash = "a".repeat(64);
    check(&json!({"opened": {"format": 1}}));
    for wait in ["approval", "sign_in", "question", "external_result"] {
        check(&json!({"suspended": {"invocation": ID, "ticket": ID, "wait": wait}}));
    }
    let input = json!({"arguments": {"a": [1, "\n"]}, "request_hash": hash});
    let mut inputs = vec![input.clone()];
    inputs.push(with(&input, "sealed", json!(true)));
    inputs.push(with(&input, "changed", json!(true)));
    inputs.push(with(&inputs[1], "seed", json!(hash)));
    for input in &inputs {
        check(&json!({"resumed": {"invocation": ID, "input": input}}));
    }
    let request = json!({
        "invocation": ID, "session": "s", "turn": u64::MAX, "tool": "add", "effect": "pure",
        "determinism": "deterministic", "input": input,
    });
    let mut requests = vec![request.clone()];
    for name in ["parent", "resumes"] {
        requests.push(with(&request, name, json!(ID)));
    }
    for name in ["session", "call_id", "tool", "version"] {
        requests.extend(TEXTS.map(|text| with(&request, name, json!(text))));
    }
    for effect in ["pure", "read_only", "idempotent", "at_most_once"] {
        requests.push(with(&request, "effect", json!(effect)));
    }
    for determinism in ["bounded", "non_deterministic"] {
        requests.push(with(&request, "determinism", json!(determinism)));
    }
    requests.extend(
        inputs
            .iter()
            .map(|input| with(&request, "input", input.clone())),
    );
    for request in &requests {
        check(&json!({"requested": request}));
    }
}

#[test]
fn a_response_is_written_as_its_type_is() {
    let hash = "b".repeat(64);
    let response = json!({
        "invocation": ID, "request_hash": hash, "response_hash": hash, "status": "success",
        "source": "tool", "output": {"inline": {"content": [], "status": "success"}},
    });
    let mut responses = vec![response.clone()];
    let error = json!({"kind": "failed", "code": "c", "message": TEXTS[2], "retryable": true});
    for (name, value) in [
        ("output", json!({"stored": {"bytes": 70_000}})),
        ("error", error),
        ("metadata", json!({"b": 0.5, "a": [null, TEXTS[3]]})),
        ("remarks", json!(TEXTS)),
        ("clock", json!([-1, 0, i64::MAX])),
    ] {
        responses.push(with(&response, name, value));
    }
    for flag in ["changed", "attended", "unrepeatable"] {
        responses.push(with(&response, flag, json!(true)));
    }
    for status in ["error", "pending"] {
        responses.push(with(&response, "status", json!(status)));
    }
    for source in ["executor", "answer", "gate", "cache", "replay"] {
        responses.push(with(&response, "source", json!(source)));
    }
    for response in &responses {
        check(&json!({"responded": response}));
    }
}

#[test]
fn each_text_is_written_as_serde_json_writes_it() {
    let all: String = (0..0x300).filter_map(char::from_u32).collect();
    for text in TEXTS.into_iter().chain([all.as_str()]) {
        let mut out = String::new();
        push_text(text, &mut out);
        assert_eq!(out, serde_json::to_string(text).unwrap());
    }
}
