//! A message of a model API, or a stream of one: read, or refused with a reason; and what goes back into the conversation is
//! read as the same calls. The first byte says which API, and if it is a stream.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolwright_providers::{Api, AssistantMessage, Message, MessageStream};

fuzz_target!(|input: &[u8]| {
    let Some((&kind, bytes)) = input.split_first() else {
        return;
    };
    let api = Api::ALL[usize::from(kind >> 1) % Api::ALL.len()];
    if kind % 2 == 0 {
        if let Ok(text) = std::str::from_utf8(bytes) {
            check(api, text);
        }
        return;
    }
    let mut whole = MessageStream::new(api);
    let pushed = whole.push(bytes).is_ok();
    let whole = whole.finish();
    let mut split = MessageStream::new(api);
    for byte in bytes.chunks(1) {
        let _ = split.push(byte);
    }
    let split = split.finish();
    assert_eq!(whole.as_ref().ok(), split.as_ref().ok());
    match whole {
        Ok(response) => {
            assert!(pushed);
            check(api, &response);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn check(api: Api, text: &str) {
    let message = match AssistantMessage::read(api, text) {
        Ok(message) => message,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let calls = message.calls();
    for (index, call) in calls.iter().enumerate() {
        assert!(!call.id().is_empty());
        assert!(calls[..index].iter().all(|other| other.id() != call.id()));
        assert!(!call.name().is_empty() || call.refusal().is_some());
    }
    let count = calls.len();
    let messages = message.into_messages();
    let texts: Vec<&str> = messages.iter().map(Message::as_str).collect();
    let back = match api {
        Api::OpenAiResponses => format!("[{}]", texts.join(",")),
        _ => texts.concat(),
    };
    if !messages.is_empty() {
        let again = AssistantMessage::read(api, &back).expect("what goes back is a message");
        assert_eq!(again.calls().len(), count);
        assert!(again.calls().iter().all(|call| !call.name().is_empty()));
    }
}
