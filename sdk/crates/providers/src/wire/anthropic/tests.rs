use super::super::{AssistantMessage, MessageError, StopReason};
use crate::Api;

fn read(text: &str) -> AssistantMessage<'_> {
    AssistantMessage::read(Api::Anthropic, text).unwrap()
}

fn only_message(message: AssistantMessage<'_>) -> String {
    let messages = message.into_messages();
    assert_eq!(messages.len(), 1);
    messages[0].as_str().to_owned()
}

#[test]
fn blocks_go_back_as_they_came_without_the_rest_of_the_response() {
    let blocks = r#"[{"type":"thinking","thinking":"Hm.","signature":"Eq=="},{"type": "text", "text":"a","citations":null},
        {"type":"brand_new_block","x":1.50},{"type":"text","text":"b"},{"type":"tool_use","id":"toolu_1","name":"f","input":{"n": 1.10}}]"#;
    let text = format!(
        r#"{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":{blocks},"stop_reason":"tool_use","stop_sequence":null,
        "usage":{{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":7}}}}"#
    );
    let message = read(&text);
    assert_eq!(message.text(), "ab");
    assert_eq!(message.stop_reason(), &StopReason::Calls);
    let usage = message.usage().unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.cached_tokens),
        (115, 7, 100)
    );
    assert_eq!(message.calls()[0].arguments(), r#"{"n": 1.10}"#);
    assert_eq!(
        only_message(message),
        format!(r#"{{"role":"assistant","content":{blocks}}}"#)
    );
}

#[test]
fn broken_blocks_are_refused_calls_or_left_out() {
    let text = r#"{"role":"assistant","content":[
        {"type":"text","text":""},{"type":"text","text":" \n"},"x",null,
        {"type":"tool_use","name":"f","input":{}},
        {"type":"tool_use","id":"a","input":{}},
        {"type":"tool_use","id":"a","name":"listed","input":[1]},
        {"type":"tool_use","id":"b","name":"texted","input":"{\"n\": 1.0}"},
        {"type":"tool_use","id":"c","name":"none"},
        {"type":"thinking","thinking":"t","signature":"s"}],"stop_reason":"tool_use"}"#;
    let message = read(text);
    let calls: Vec<_> = message
        .calls()
        .iter()
        .map(|c| (c.name(), c.arguments(), c.refusal().is_some()))
        .collect();
    let expected = [
        // It has no id.
        ("f", "{}", true),
        ("", "{}", true),
        ("listed", "[1]", false),
        ("texted", r#""{\"n\": 1.0}""#, false),
        ("none", "", false),
    ];
    assert_eq!(calls, expected);
    let ids: Vec<_> = message.calls().iter().map(|c| c.id().to_owned()).collect();
    assert!(
        ids[0].starts_with("toolu_") && ids[2].starts_with("toolu_"),
        "{ids:?}"
    );
    let sent = only_message(message);
    let expected = format!(
        concat!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","name":"f","input":{{}},"id":"{}"}},"#,
            r#"{{"type":"tool_use","id":"a","input":{{}},"name":"unnamed"}},"#,
            r#"{{"type":"tool_use","id":"{}","name":"listed","input":{{}}}},"#,
            r#"{{"type":"tool_use","id":"b","name":"texted","input":{{"n":1.0}}}},"#,
            r#"{{"type":"tool_use","id":"c","name":"none","input":{{}}}},"#,
            r#"{{"type":"thinking","thinking":"t","signature":"s"}}]}}"#
        ),
        ids[0], ids[2]
    );
    assert_eq!(sent, expected);
}

#[test]
fn an_answer_of_nothing_is_no_message() {
    for content in ["[]", "\"\"", r#"[{"type":"text","text":""}]"#] {
        let text =
            format!(r#"{{"role":"assistant","content":{content},"stop_reason":"end_turn"}}"#);
        assert_eq!(read(&text).into_messages(), [], "{content}");
    }
}

#[test]
fn only_a_call_at_the_very_end_can_be_cut_off() {
    let call = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
    let text = r#"{"type":"text","text":"and"}"#;
    for (stop, content, is_refused) in [
        ("max_tokens", format!("[{text},{call}]"), true),
        ("max_tokens", format!("[{call},{text}]"), false),
        ("model_context_window_exceeded", format!("[{call}]"), true),
        ("refusal", format!("[{call}]"), true),
        ("tool_use", format!("[{call}]"), false),
        ("pause_turn", format!("[{call}]"), false),
    ] {
        let body = format!(r#"{{"role":"assistant","content":{content},"stop_reason":"{stop}"}}"#);
        assert_eq!(
            read(&body).calls()[0].refusal().is_some(),
            is_refused,
            "{stop} {content}"
        );
    }
}

#[test]
fn the_body_of_an_error_is_that_error() {
    let body = r#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."},"request_id":"req_1"}"#;
    let error = AssistantMessage::read(Api::Anthropic, body).unwrap_err();
    assert!(matches!(error, MessageError::Api { .. }));
    assert_eq!(
        error.to_string(),
        "Anthropic answered with an error: rate_limit_error: Slow down."
    );
}
