use super::super::{AssistantMessage, MessageError, StopReason};
use crate::Api;

fn read(text: &str) -> AssistantMessage<'_> {
    AssistantMessage::read(Api::OpenAiResponses, text).unwrap()
}

fn sent(message: AssistantMessage<'_>) -> Vec<String> {
    message
        .into_messages()
        .iter()
        .map(ToString::to_string)
        .collect()
}

const ITEMS: [&str; 4] = [
    r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gA=="}"#,
    r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]},{"type":"output_text","text":"b"}]}"#,
    r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"n\": 1.0}","status":"completed"}"#,
    r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search"}}"#,
];

#[test]
fn items_go_back_one_by_one_as_they_came() {
    let body = format!(
        r#"{{"id":"resp_1","object":"response","status":"completed","error":null,"output":[{}]}}"#,
        ITEMS.join(" ,\n")
    );
    let list = format!("[{}]", ITEMS.join(","));
    for text in [&body, &list] {
        let message = read(text);
        assert_eq!(message.text(), "ab");
        assert_eq!(message.calls()[0].arguments(), r#"{"n": 1.0}"#);
        assert_eq!(message.calls()[0].id(), "call_1");
        assert_eq!(sent(message), ITEMS);
    }
    assert_eq!(read(&body).stop_reason(), &StopReason::Calls);
    assert_eq!(read(ITEMS[2]).calls().len(), 1);
}

#[test]
fn broken_items_are_refused_calls_or_left_out() {
    let text = r#"{"status":"completed","output":[
        {"type":"function_call","name":"f","arguments":"{}"},
        {"type":"function_call","call_id":"a","arguments":"{}"},
        {"type":"function_call","call_id":"a","name":"listed","arguments":[1]},
        {"type":"custom_tool_call","call_id":"b","name":"sql","input":"select 1"},
        3, null]}"#;
    let message = read(text);
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|c| (c.name(), c.arguments(), c.refusal().is_some()))
        .collect();
    assert_eq!(
        calls,
        [
            // It has no id.
            ("f", "{}", true),
            ("", "{}", true),
            ("listed", "[1]", false),
            ("sql", "select 1", true)
        ]
    );
    let ids: Vec<_> = message.calls().iter().map(|c| c.id().to_owned()).collect();
    let sent = sent(message);
    assert_eq!(
        sent[0],
        format!(
            r#"{{"type":"function_call","name":"f","arguments":"{{}}","call_id":"{}"}}"#,
            ids[0]
        )
    );
    assert_eq!(
        sent[1],
        r#"{"type":"function_call","call_id":"a","arguments":"{}","name":"unnamed"}"#
    );
    assert_eq!(
        sent[2],
        format!(
            r#"{{"type":"function_call","call_id":"{}","name":"listed","arguments":"[1]"}}"#,
            ids[2]
        )
    );
    assert_eq!(
        sent[3],
        r#"{"type":"custom_tool_call","call_id":"b","name":"sql","input":"select 1"}"#
    );
    assert_eq!(sent.len(), 4);
}

#[test]
fn a_call_that_is_not_whole_is_refused() {
    let call = |status: &str| {
        format!(
            r#"{{"type":"function_call","call_id":"{status}","name":"f","arguments":"{{}}","status":"{status}"}}"#
        )
    };
    let text = format!(
        r#"{{"status":"incomplete","incomplete_details":{{"reason":"max_output_tokens"}},"output":[{},{},{}]}}"#,
        call("completed"),
        call("incomplete"),
        r#"{"type":"message","content":[]}"#
    );
    let message = read(&text);
    assert_eq!(message.stop_reason(), &StopReason::MaxTokens);
    let refused: Vec<_> = message
        .calls()
        .iter()
        .map(|c| c.refusal().is_some())
        .collect();
    assert_eq!(refused, [false, true]);
}

#[test]
fn a_response_that_failed_is_its_error() {
    let text = r#"{"id":"resp_1","object":"response","status":"failed","error":{"code":"server_error","message":"Sorry."},"output":[]}"#;
    let error = AssistantMessage::read(Api::OpenAiResponses, text).unwrap_err();
    assert!(matches!(&error, MessageError::Api { .. }), "{error}");
    assert_eq!(
        error.api_error().unwrap().kind.as_deref(),
        Some("server_error")
    );
    for text in ["{}", r#"{"type":"error"}"#, r#"{"output":"x"}"#, "3"] {
        AssistantMessage::read(Api::OpenAiResponses, text).unwrap_err();
    }
}
