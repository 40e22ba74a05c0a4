//! Streams of each API, in every split of their bytes, beside the same responses without a stream.

#![allow(clippy::unwrap_used, reason = "a test stops at the first fault")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toolwright_providers::{Api, AssistantMessage, MessageStream, StreamError, StreamEvent};

const FOLDERS: [(Api, &str); 5] = [
    (Api::OpenAiChat, "openai-chat"),
    (Api::OpenAiResponses, "openai-responses"),
    (Api::Anthropic, "anthropic"),
    (Api::Gemini, "gemini"),
    (Api::Compatible, "compatible"),
];

fn files(ending: &str) -> Vec<(Api, PathBuf)> {
    let mut files = Vec::new();
    for (api, folder) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/wire")
            .join(folder);
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|e| e == ending) {
                files.push((api, path));
            }
        }
    }
    assert!(files.len() >= 24, "{files:?}");
    files
}

/// A message in a form to compare: made-up ids are left out, since they differ from text to text.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    text: String,
    stop: String,
    usage: Option<(u64, u64, u64)>,
    calls: Vec<(Option<String>, String, String, bool)>,
    /// Without the ids of calls.
    messages: Vec<Value>,
}

fn told(api: Api, text: &str) -> Told {
    let message = AssistantMessage::read(api, text).unwrap();
    let usage = message
        .usage()
        .map(|u| (u.input_tokens, u.output_tokens, u.cached_tokens));
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|call| {
            let id = text
                .contains(&format!("\"{}\"", call.id()))
                .then(|| call.id().to_owned());
            (
                id,
                call.name().to_owned(),
                call.arguments().to_owned(),
                call.refusal().is_some(),
            )
        })
        .collect();
    let made_up: Vec<String> = message.calls().iter().map(|c| c.id().to_owned()).collect();
    let made_up = made_up
        .into_iter()
        .filter(|id| !text.contains(&format!("\"{id}\"")));
    let made_up: Vec<_> = made_up.collect();
    Told {
        text: message.text().to_owned(),
        stop: message.stop_reason().to_string(),
        usage,
        calls,
        messages: message
            .into_messages()
            .iter()
            .map(|message| {
                let text = made_up
                    .iter()
                    .fold(message.to_string(), |text, id| text.replace(id, "?"));
                serde_json::from_str(&text).unwrap()
            })
            .collect(),
    }
}

/// Runs a stream in parts: what it tells while it comes, pieces of one kind joined, and the response.
fn run<'b>(
    api: Api,
    parts: impl IntoIterator<Item = &'b [u8]>,
) -> (Vec<StreamEvent>, Result<String, StreamError>) {
    let mut stream = MessageStream::new(api);
    let mut events = Vec::new();
    for part in parts {
        match stream.push(part) {
            Ok(more) => events.extend(more),
            Err(error) => return (events, Err(error)),
        }
    }
    (events, stream.finish())
}

/// Members that only one of the two forms has.
/// A stream gives arguments as text; a server may give an object where there is no stream.
fn arguments_as_text(message: &mut Value) {
    for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
        let arguments = &mut call["function"]["arguments"];
        let value = match arguments.as_str() {
            Some(text) => serde_json::from_str(text).ok(),
            None => Some(arguments.clone()),
        };
        *arguments = value.unwrap_or_else(|| arguments.clone());
    }
}

fn without_noise(mut value: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for name in ["annotations", "index", "refusal", "citations", "logprobs"] {
                    members.remove(name);
                }
                members.retain(|name, value| {
                    let is_said = (name == "type" && value == "function")
                        || (name == "content" && value == "");
                    !value.is_null() && !is_said
                });
                members.values_mut().for_each(walk);
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut value);
    value
}

#[test]
fn a_stream_gives_the_same_message_as_the_response_without_one() {
    for (api, path) in files("sse") {
        let bytes = fs::read(&path).unwrap();
        let (events, response) = run(api, [&*bytes]);
        let response = response.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let plain = fs::read_to_string(path.with_extension("json")).unwrap();
        let (mut streamed, mut plain) = (told(api, &response), told(api, &plain));
        let name = path.display();
        for told in [&mut streamed, &mut plain] {
            told.messages = told.messages.drain(..).map(without_noise).collect();
            told.messages.iter_mut().for_each(arguments_as_text);
            // The input of the plain form was written anew by a test; it has the same value.
            for call in &mut told.calls {
                if let Ok(value) = serde_json::from_str::<Value>(&call.2) {
                    call.2 = value.to_string();
                }
            }
        }
        // Compatible servers count tokens where they are asked to.
        if api == Api::Compatible {
            streamed.usage = None;
            plain.usage = None;
        }
        // A call of Anthropic that is cut off has no input that could be read in the form without a stream.
        if path.ends_with("anthropic/max-tokens.sse") {
            assert_eq!(streamed.calls[1].2, r#""{\"path\":\"/srv/bü""#);
            streamed.calls[1].2 = "{}".to_owned();
        }
        assert_eq!(streamed, plain, "{name}");
        shows_the_same(&events, &streamed, &name.to_string());
    }
}

/// Asserts that the news of a message and the message tell the same.
fn shows_the_same(events: &[StreamEvent], message: &Told, name: &str) {
    let mut text = String::new();
    let mut calls: Vec<(String, String)> = Vec::new();
    for event in events {
        match event {
            StreamEvent::Text(piece) => text += piece,
            StreamEvent::CallStarted { index, name, .. } => {
                assert_eq!(*index, calls.len());
                calls.push((name.clone(), String::new()));
            }
            StreamEvent::ArgumentsDelta { index, text, .. } => calls[*index].1 += text,
            _ => {}
        }
    }
    assert_eq!(text, message.text, "{name}");
    let names: Vec<_> = message.calls.iter().map(|call| &call.1).collect();
    assert_eq!(
        calls.iter().map(|call| &call.0).collect::<Vec<_>>(),
        names,
        "{name}"
    );
    for ((_, arguments), call) in calls.iter().zip(&message.calls) {
        if !call.3 {
            let value = |text: &str| serde_json::from_str::<Value>(text).ok();
            let empty = |text: &str| text.is_empty() || text == "{}";
            assert!(
                value(arguments) == value(&call.2) || (empty(arguments) && empty(&call.2)),
                "{name}"
            );
        }
    }
}

/// Runs a check for each stream, side by side.
fn for_each_stream(check: impl Fn(Api, &str, &[u8]) + Sync) {
    std::thread::scope(|scope| {
        for (api, path) in files("sse") {
            let check = &check;
            scope.spawn(move || check(api, &path.display().to_string(), &fs::read(&path).unwrap()));
        }
    });
}

#[test]
fn every_split_of_the_bytes_gives_the_same_message() {
    for_each_stream(|api, name, bytes| {
        let (events, response) = run(api, [bytes]);
        let response = response.unwrap();
        let check = |parts: Vec<&[u8]>| {
            let (other_events, other) = run(api, parts);
            assert_eq!(other.unwrap(), response, "{name}");
            assert_eq!(other_events, events, "{name}");
        };
        for size in [1, 2, 3, 5, 7, 64, 1000] {
            check(bytes.chunks(size).collect());
        }
        for at in 0..=bytes.len() {
            let (first, second) = bytes.split_at(at);
            check(vec![first, second]);
        }
        // Some splits into many parts of random sizes.
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..100 {
            let (mut rest, mut parts) = (bytes, Vec::new());
            while !rest.is_empty() {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let size = usize::try_from(seed % 90).unwrap().min(rest.len());
                let (part, left) = rest.split_at(size);
                parts.push(part);
                rest = left;
            }
            check(parts);
        }
    });
}

#[test]
fn a_stream_that_breaks_off_gives_no_message() {
    for_each_stream(|api, name, bytes| {
        let whole = told(api, &run(api, [bytes]).1.unwrap());
        for end in 0..bytes.len() {
            match run(api, [&bytes[..end]]).1 {
                Err(error) => assert!(error.is_cut_off(), "{name} {end}: {error}"),
                // The end of the message has come, though not the end of the stream.
                Ok(response) => {
                    let told = told(api, &response);
                    assert_eq!(told.calls, whole.calls, "{name} {end}");
                    assert_eq!(told.text, whole.text, "{name} {end}");
                    assert!(bytes.len() - end < 500, "{name} {end}");
                }
            }
        }
    });
}

#[test]
fn bytes_after_the_end_are_ignored() {
    // The end of a stream of Gemini is the end of its bytes.
    for (api, path) in files("sse")
        .into_iter()
        .filter(|(api, _)| *api != Api::Gemini)
    {
        let bytes = fs::read(&path).unwrap();
        let mut stream = MessageStream::new(api);
        stream.push(&bytes).unwrap();
        if api != Api::Compatible {
            assert!(stream.is_complete(), "{}", path.display());
        }
        if stream.is_complete() {
            assert_eq!(stream.push(b"data: {\n\n").unwrap(), []);
        }
        stream.finish().unwrap();
    }
}
