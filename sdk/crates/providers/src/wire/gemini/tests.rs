use super::super::{AssistantMessage, StopReason};
use crate::Api;

fn read(text: &str) -> AssistantMessage<'_> {
    AssistantMessage::read(Api::Gemini, text).unwrap()
}

fn body(parts: &str, reason: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":{parts},"role":"model"}},"finishReason":"{reason}"}}]}}"#
    )
}

#[test]
fn ids_that_are_missing_stay_missing_and_repeated_ones_are_replaced() {
    let parts = r#"[{"functionCall":{"name":"f","args":{"n":1.50}},"thoughtSignature":"Cp=="},{"functionCall":{"name":"f"}}]"#;
    let text = body(parts, "STOP");
    let message = read(&text);
    assert_eq!(message.stop_reason(), &StopReason::Calls);
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|c| (c.name(), c.arguments()))
        .collect();
    assert_eq!(calls, [("f", r#"{"n":1.50}"#), ("f", "")]);
    assert_ne!(message.calls()[0].id(), message.calls()[1].id());
    let messages = message.into_messages();
    assert_eq!(
        messages[0].as_str(),
        format!(r#"{{"parts":{parts},"role":"model"}}"#)
    );

    let text = body(
        r#"[{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"Cp=="},{"thoughtSignature":"Dq==","functionCall":{"id":"x","name":"f","args":{}}}]"#,
        "STOP",
    );
    let message = read(&text);
    let id = message.calls()[1].id().to_owned();
    assert_ne!(id, "x");
    let sent = message.into_messages()[0].as_str().to_owned();
    let expected = format!(
        r#"{{"parts":[{{"functionCall":{{"id":"x","name":"f","args":{{}}}},"thoughtSignature":"Cp=="}},{{"thoughtSignature":"Dq==","functionCall":{{"id":"{id}","name":"f","args":{{}}}}}}],"role":"model"}}"#
    );
    assert_eq!(sent, expected);
}

#[test]
fn broken_parts_are_refused_calls_or_left_out() {
    let text = r#"{"parts":[null,"x",{"text":"a"},{"text":"thought","thought":true},{"functionCall":{"args":{}}},{"functionCall":[]},
        {"functionCall":{"name":"listed","args":[1]}},{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.n"}],"willContinue":true}}]}"#;
    let message = read(text);
    assert_eq!(message.text(), "a");
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|c| (c.name(), c.refusal().is_some()))
        .collect();
    assert_eq!(
        calls,
        [("", true), ("", true), ("listed", false), ("f", true)]
    );
    let sent = message.into_messages()[0].as_str().to_owned();
    assert_eq!(
        sent,
        concat!(
            r#"{"parts":[{"text":"a"},{"text":"thought","thought":true},{"functionCall":{"args":{},"name":"unnamed"}},"#,
            r#"{"functionCall":{"name":"unnamed"}},{"functionCall":{"name":"listed","args":{}}},"#,
            r#"{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.n"}],"willContinue":true}}],"role":"model"}"#
        )
    );
}

#[test]
fn an_answer_without_content_has_a_reason() {
    for (text, stop) in [
        (
            r#"{"candidates":[{"finishReason":"SAFETY"}]}"#,
            StopReason::Filtered,
        ),
        (
            r#"{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL"}]}"#,
            StopReason::MalformedCall,
        ),
        (
            r#"{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}"#,
            StopReason::Finished,
        ),
        (
            r#"{"candidates":[{"content":{"parts":[]},"finishReason":"OTHER"}]}"#,
            StopReason::Other("OTHER".to_owned()),
        ),
        (
            r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#,
            StopReason::Filtered,
        ),
    ] {
        let message = read(text);
        assert_eq!(message.stop_reason(), &stop, "{text}");
        assert_eq!(message.into_messages(), [], "{text}");
    }
}

#[test]
fn the_tokens_of_reasoning_are_output() {
    let text = r#"{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"finishReason":"MAX_TOKENS"}],
        "usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":20,"toolUsePromptTokenCount":2}}"#;
    let usage = read(text).usage().unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.cached_tokens),
        (12, 23, 4)
    );
}
