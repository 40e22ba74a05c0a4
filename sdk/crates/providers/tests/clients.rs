//! Streams and responses, beside what the vendors' own clients found in them; see `tests/vendors/clients.py`.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_providers::{Api, AssistantMessage, MessageStream};

#[derive(Deserialize)]
struct Found {
    text: String,
    calls: Vec<FoundCall>,
}

#[derive(Deserialize)]
struct FoundCall {
    id: Option<String>,
    name: String,
    arguments: Value,
}

#[test]
fn the_vendors_clients_find_the_same_text_and_calls() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let golden = fs::read_to_string(tests.join("vendors/clients.golden.json")).unwrap();
    let golden: BTreeMap<String, Found> = serde_json::from_str(&golden).unwrap();
    assert!(golden.len() >= 19);
    let mut calls = 0;
    for (name, found) in golden {
        let api = match name.split('/').next().unwrap() {
            "openai-chat" => Api::OpenAiChat,
            "openai-responses" => Api::OpenAiResponses,
            "anthropic" => Api::Anthropic,
            "gemini" => Api::Gemini,
            folder => panic!("{folder}"),
        };
        let file = tests.join("wire").join(&name);
        let mut stream = MessageStream::new(api);
        for bytes in fs::read(file.with_extension("sse")).unwrap().chunks(61) {
            stream.push(bytes).unwrap();
        }
        let streamed = stream.finish().unwrap();
        let plain = fs::read_to_string(file.with_extension("json")).unwrap();
        for response in [streamed, plain] {
            let message = AssistantMessage::read(api, &response).unwrap();
            assert_eq!(message.text(), found.text, "{name}");
            assert_eq!(message.calls().len(), found.calls.len(), "{name}");
            let mut ids = Vec::new();
            for (call, found) in message.calls().iter().zip(&found.calls) {
                assert_eq!(call.name(), found.name, "{name}");
                match &found.id {
                    // An id that is given twice is ours the second time.
                    Some(id) if !ids.contains(id) => assert_eq!(call.id(), id, "{name}"),
                    _ => assert_eq!(api, Api::Gemini, "{name}"),
                }
                ids.extend(found.id.clone());
                // The arguments of a call that is cut off are for nobody.
                if call.refusal().is_none() {
                    let arguments = match call.arguments() {
                        "" => json!({}),
                        text => serde_json::from_str(text).unwrap(),
                    };
                    assert_eq!(arguments, found.arguments, "{name}");
                    calls += 1;
                }
            }
        }
    }
    assert_eq!(calls, 2 * 20);
}
