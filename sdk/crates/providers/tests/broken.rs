//! Messages and streams with random faults: nothing panics, each call has an id of its own, and what goes back into the
//! conversation is in order. `TOOLWRIGHT_CASES` says how many faulty forms of each file are made.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first fault"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use toolwright_providers::{Api, AssistantMessage, Message, MessageStream};

const FOLDERS: [(Api, &str); 5] = [
    (Api::OpenAiChat, "openai-chat"),
    (Api::OpenAiResponses, "openai-responses"),
    (Api::Anthropic, "anthropic"),
    (Api::Gemini, "gemini"),
    (Api::Compatible, "compatible"),
];

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (end as u64)).unwrap()
    }
}

fn files(ending: &str) -> Vec<(Api, String, String)> {
    let mut files = Vec::new();
    for (api, folder) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/wire")
            .join(folder);
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.display().to_string();
            if name.ends_with(ending) && !name.ends_with("golden.json") {
                files.push((api, fs::read_to_string(path).unwrap(), name));
            }
        }
    }
    files
}

fn cases() -> usize {
    let cases = std::env::var("TOOLWRIGHT_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

/// The nodes of a tree.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// Puts a fault at the node of a number.
fn fault(value: &mut Value, at: &mut usize, random: &mut Random) {
    if *at == 0 {
        *at = usize::MAX;
        let junk = [
            json!(null),
            json!(7),
            json!(-1.5),
            json!(true),
            json!(""),
            json!("x"),
            json!([]),
            json!([null]),
            json!({}),
            json!({"type": "x"}),
            json!("{\"a\":"),
            json!([[1], {"id": 3}]),
        ];
        match value {
            Value::Array(items) if !items.is_empty() => {
                let index = random.below(items.len());
                match random.below(3) {
                    // Repeated ids too.
                    0 => items.push(items[index].clone()),
                    1 => drop(items.remove(index)),
                    _ => items.insert(index, junk[random.below(junk.len())].clone()),
                }
            }
            Value::Object(members) if !members.is_empty() && random.below(2) == 0 => {
                let name = members
                    .keys()
                    .nth(random.below(members.len()))
                    .unwrap()
                    .clone();
                members.remove(&name);
            }
            _ => *value = junk[random.below(junk.len())].clone(),
        }
        return;
    }
    *at -= 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(members) => members.values_mut().collect(),
        _ => return,
    };
    for value in inner {
        if *at == usize::MAX {
            return;
        }
        fault(value, at, random);
    }
}

/// The text by which the messages that went back are read again.
fn again(api: Api, messages: &[Message]) -> String {
    let texts: Vec<_> = messages.iter().map(Message::as_str).collect();
    match api {
        Api::OpenAiResponses => format!("[{}]", texts.join(",")),
        _ => texts.concat(),
    }
}

/// Holds a message to what is promised of it.
fn check(api: Api, text: &str, name: &str) -> usize {
    let message = match AssistantMessage::read(api, text) {
        Ok(message) => message,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return 0;
        }
    };
    let ids: BTreeSet<_> = message
        .calls()
        .iter()
        .map(|call| call.id().to_owned())
        .collect();
    assert_eq!(ids.len(), message.calls().len(), "{name}: {text}");
    assert!(!ids.contains(""), "{name}: {text}");
    for call in message.calls() {
        assert!(
            !call.name().is_empty() || call.refusal().is_some(),
            "{name}: {text}"
        );
    }
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|call| call.id().to_owned())
        .collect();
    let names: Vec<_> = message
        .calls()
        .iter()
        .map(|call| call.name().to_owned())
        .collect();
    let messages = message.into_messages();
    let back = again(api, &messages);
    if messages.is_empty() {
        assert_eq!(calls, [""; 0], "{name}: {text}");
        return 1;
    }
    // The message that goes back is read as the same calls, and is in order: it is not written anew.
    let read = AssistantMessage::read(api, &back).unwrap_or_else(|e| panic!("{name}: {e}: {back}"));
    let back_names = read.calls().iter().map(|call| call.name().to_owned());
    let expected = names
        .iter()
        .map(|name| if name.is_empty() { "unnamed" } else { name });
    assert!(back_names.eq(expected), "{name}: {back}");
    if api != Api::Gemini && !back.contains("\"function_call\":{") {
        let back_ids = read.calls().iter().map(|call| call.id().to_owned());
        assert!(back_ids.eq(calls), "{name}: {text}\n{back}");
    }
    assert_eq!(again(api, &read.into_messages()), back, "{name}: {text}");
    1
}

#[test]
fn messages_with_faults_are_read_or_named() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut read, mut all) = (0, 0);
    for (api, text, name) in files(".json") {
        assert_eq!(check(api, &text, &name), 1, "{name}");
        let whole: Value = serde_json::from_str(&text).unwrap();
        for _ in 0..cases() {
            let mut broken = whole.clone();
            for _ in 0..=random.below(3) {
                let mut at = random.below(count(&broken));
                fault(&mut broken, &mut at, &mut random);
            }
            read += check(api, &broken.to_string(), &name);
            all += 1;
        }
    }
    // Most faults leave a message.
    assert!(read * 10 > all * 7, "{read} of {all}");
}

#[test]
fn streams_with_faults_give_a_message_or_an_error() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut all) = (0, 0);
    for (api, text, name) in files(".sse") {
        for _ in 0..cases() / 4 {
            let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
            for _ in 0..=random.below(3) {
                let at = random.below(lines.len().max(1));
                if lines.is_empty() {
                    break;
                }
                let data = lines[at]
                    .strip_prefix("data: ")
                    .map(serde_json::from_str::<Value>);
                match (random.below(4), data) {
                    (0, _) => drop(lines.remove(at)),
                    (1, _) => lines.insert(at, lines[at].clone()),
                    (_, Some(Ok(mut data))) => {
                        let mut node = random.below(count(&data));
                        fault(&mut data, &mut node, &mut random);
                        lines[at] = format!("data: {data}\n");
                    }
                    _ => {
                        let cut: String = lines[at].chars().take(random.below(40)).collect();
                        lines[at] = cut;
                    }
                }
            }
            all += 1;
            let mut stream = MessageStream::new(api);
            let pushed: Result<Vec<_>, _> = lines
                .concat()
                .as_bytes()
                .chunks(97)
                .map(|bytes| stream.push(bytes))
                .collect();
            let finished = stream.finish();
            if pushed.is_err() {
                assert!(finished.is_err());
            }
            match finished {
                Ok(response) => read += check(api, &response, &name),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert!(read * 10 > all, "{read} of {all}");
}
