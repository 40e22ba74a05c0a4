use super::super::assistant::AssistantMessage;
use super::super::{ApiError, MessageError, StopReason, Usage};
use crate::Api;

const TWO_CALLS: &str = r#"{
  "id": "chatcmpl-1", "object": "chat.completion", "created": 1741569952, "model": "gpt-5",
  "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": null, "message": {
    "role": "assistant", "content": null, "refusal": null, "annotations": [],
    "tool_calls": [
      {"id": "call_a", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"\u00e4.txt\"}"}},
      {"id": "call_b", "type": "function", "function": {"name": "list", "arguments": ""}}
    ]}}],
  "usage": {"prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99,
            "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0}}
}"#;

fn read(text: &str) -> AssistantMessage<'_> {
    AssistantMessage::read(Api::OpenAiChat, text).unwrap()
}

fn only_message(message: AssistantMessage<'_>) -> String {
    let messages = message.into_messages();
    assert_eq!(messages.len(), 1);
    messages[0].as_str().to_owned()
}

#[test]
fn a_response_is_read_and_goes_back_as_it_came() {
    let message = read(TWO_CALLS);
    assert_eq!(message.text(), "");
    assert_eq!(message.stop_reason(), &StopReason::Calls);
    assert_eq!(
        message.usage(),
        Some(Usage {
            input_tokens: 82,
            output_tokens: 17,
            cached_tokens: 64
        })
    );
    let calls: Vec<_> = message.calls().iter().collect();
    let parts = calls.iter().map(|c| (c.id(), c.name(), c.arguments()));
    let expected = [
        ("call_a", "read", r#"{"path":"ä.txt"}"#),
        ("call_b", "list", ""),
    ];
    assert_eq!(parts.collect::<Vec<_>>(), expected);
    assert!(calls.iter().all(|call| call.refusal().is_none()));
    let sent = only_message(message);
    assert!(TWO_CALLS.contains(&sent), "{sent}");
    assert!(sent.starts_with("{\n    \"role\""), "{sent}");
}

#[test]
fn a_message_alone_is_read_too() {
    let alone = r#"{"role":"assistant","content":"Hello","tool_calls":null}"#;
    let message = read(alone);
    assert_eq!(message.text(), "Hello");
    assert_eq!(message.stop_reason(), &StopReason::Unknown);
    assert_eq!(message.usage(), None);
    assert_eq!(only_message(message), alone);
}

/// Found by the fuzz target: the pieces of a stream had these members.
#[test]
fn a_message_alone_may_have_the_members_of_a_response() {
    for (name, value) in [
        ("message", "\"\""),
        ("message", "{}"),
        ("choices", "[{\"message\":{\"role\":\"assistant\"}}]"),
    ] {
        let alone = format!(r#"{{"role":"assistant","content":"Hello","{name}":{value}}}"#);
        let message = read(&alone);
        assert_eq!(message.text(), "Hello");
        assert_eq!(only_message(message), alone);
    }
}

#[test]
fn ids_that_are_missing_or_repeated_are_made_up_and_written() {
    let text = r#"{"choices":[{"message":{"role":"assistant","x":1.50,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},
        {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},
        {"id":null,"type":"function","function":{"name":"f","arguments":"{}"}},
        {"function":{"name":"f","arguments":"{}"},"extra_content":{"n":1e3}}]}}]}"#;
    for (api, prefix) in [(Api::OpenAiChat, "call_"), (Api::Compatible, "")] {
        let message = AssistantMessage::read(api, text).unwrap();
        let ids: Vec<String> = message.calls().iter().map(|c| c.id().to_owned()).collect();
        assert_eq!(ids[0], "a");
        let mut different = ids.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 4);
        for id in &ids[1..] {
            assert!(id.starts_with(prefix));
            assert!(id.len() <= 40 && id.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()));
            assert!(api == Api::OpenAiChat || id.len() == 9, "{id}");
        }
        // A repeated id still tells that the API gives ids, so that its call runs.
        let refused: Vec<_> = message
            .calls()
            .iter()
            .map(|c| c.refusal().is_some())
            .collect();
        let no_id = api == Api::OpenAiChat;
        assert_eq!(refused, [false, false, no_id, no_id]);
        let again = AssistantMessage::read(api, text).unwrap();
        let again: Vec<_> = again.calls().iter().map(|c| c.id().to_owned()).collect();
        assert_eq!(ids, again);
        let other = AssistantMessage::read(api, &text.replace("1.50", "1.51"))
            .unwrap()
            .calls()[1]
            .id()
            .to_owned();
        assert_ne!(other, ids[1]);
        let sent = only_message(message);
        let call = r#""type":"function","function":{"name":"f","arguments":"{}"}}"#;
        assert_eq!(
            sent,
            format!(
                r#"{{"role":"assistant","x":1.50,"tool_calls":[{{"id":"a",{call},{{"id":"{}",{call},{{"id":"{}",{call},{{"function":{{"name":"f","arguments":"{{}}"}},"extra_content":{{"n":1e3}},"id":"{}","type":"function"}}]}}"#,
                ids[1], ids[2], ids[3]
            )
        );
        // The message that goes back is read as the same calls.
        let back = AssistantMessage::read(api, &sent).unwrap();
        let back: Vec<_> = back.calls().iter().map(|c| c.id().to_owned()).collect();
        assert_eq!(ids, back);
    }
}

#[test]
fn a_broken_call_is_refused_and_the_others_are_left_alone() {
    let text = r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"good","arguments":"{\"n\":1}"}},
        {"id":"b","type":"function","function":{"arguments":"{}"}},
        {"id":"c","type":"function","function":{"name":["x"],"arguments":"{}"}},
        {"id":"d","type":"function","function":{"name":"listed","arguments":[1,2]}},
        {"id":"e","type":"function","function":{"name":"none","arguments":null}},
        {"id":"f","type":"function"},
        {"id":"g","type":"mystery","mystery":{}},
        {"id":"h","type":"custom","custom":{"name":"sql","input":"select 1"}},
        null, "text", 5, [1],
        {"id":7,"type":"function","function":"x"}
    ]}}]}"#;
    let message = read(text);
    let told: Vec<_> = message
        .calls()
        .iter()
        .map(|c| (c.name(), c.arguments(), c.refusal()))
        .collect();
    assert_eq!(told[0], ("good", r#"{"n":1}"#, None));
    assert!(told[1].2.unwrap().contains("it has no name"));
    assert!(
        told[2]
            .2
            .unwrap()
            .contains("its name is a list, not a text")
    );
    // The tool says what is wrong with these, as it does for a plain call.
    assert_eq!(told[3], ("listed", "[1,2]", None));
    assert_eq!(told[4], ("none", "", None));
    assert!(told[5].2.is_some());
    assert!(told[6].2.unwrap().contains("of the type \"mystery\""));
    assert!(told[7].2.unwrap().contains("`sql` as a custom tool"));
    assert!(told[8].2.unwrap().contains("there is nothing in its place"));
    assert!(told[9].2.unwrap().contains("there is a text in its place"));
    assert!(
        told[10]
            .2
            .unwrap()
            .contains("there is a number in its place")
    );
    assert!(told[11].2.unwrap().contains("there is a list in its place"));
    assert!(told[12].2.is_some());
    assert_eq!(told.len(), 13);

    let ids: Vec<_> = message.calls().iter().map(|c| c.id().to_owned()).collect();
    let sent: serde_json::Value = serde_json::from_str(&only_message(message)).unwrap();
    for (call, id) in sent["tool_calls"].as_array().unwrap().iter().zip(&ids) {
        assert_eq!(call["id"], **id);
        let (kind, member) = match &*call["type"].as_str().unwrap().to_owned() {
            "custom" => (&call["custom"], "input"),
            kind => (&call[kind], "arguments"),
        };
        assert!(!kind["name"].as_str().unwrap().is_empty(), "{call}");
        assert!(kind[member].is_string(), "{call}");
    }
}

#[test]
fn a_list_of_calls_that_is_none_is_one_refused_call() {
    for (wrong, kind) in [("{}", "an object"), ("\"x\"", "a text"), ("3", "a number")] {
        let text = format!(r#"{{"role":"assistant","content":null,"tool_calls":{wrong}}}"#);
        let message = read(&text);
        assert_eq!(message.calls().len(), 1);
        assert!(message.calls()[0].refusal().unwrap().contains(kind));
        let id = message.calls()[0].id().to_owned();
        let sent = only_message(message);
        let call = r#""type":"function","function":{"name":"unnamed","arguments":""}"#;
        let expected = format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}",{call}}}]}}"#
        );
        assert_eq!(sent, expected);
    }
    // The API refuses an empty list.
    let sent = only_message(read(
        r#"{"role":"assistant","content":"x","tool_calls":[]}"#,
    ));
    assert_eq!(sent, r#"{"role":"assistant","content":"x"}"#);
}

#[test]
fn the_last_call_of_an_answer_that_was_cut_off_is_refused() {
    for (reason, stop) in [
        ("length", StopReason::MaxTokens),
        ("content_filter", StopReason::Filtered),
    ] {
        let text = TWO_CALLS.replace(
            r#""finish_reason": "tool_calls""#,
            &format!(r#""finish_reason": "{reason}""#),
        );
        let message = read(&text);
        assert_eq!(message.stop_reason(), &stop);
        assert_eq!(message.calls()[0].refusal(), None);
        let refusal = message.calls()[1].refusal().unwrap();
        assert!(
            refusal.contains("within this call") && refusal.contains("Call `list` again"),
            "{refusal}"
        );
    }
}

#[test]
fn servers_that_are_compatible_may_differ() {
    fn read(text: &str) -> AssistantMessage<'_> {
        AssistantMessage::read(Api::Compatible, text).unwrap()
    }
    // Ollama's own API: the message at the root, arguments as an object, no ids.
    let message = read(
        r#"{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"n":1.0}}}]},"done":true,"done_reason":"stop"}"#,
    );
    assert_eq!(message.calls()[0].arguments(), r#"{"n":1.0}"#);
    assert_eq!(message.stop_reason(), &StopReason::Calls);
    assert!(only_message(message).contains(r#""arguments":{"n":1.0}"#));
    // They read the arguments of the history as JSON, and fail for what is none.
    for bad in [r#""""#, r#""{\"a\":""#, r#""[1]""#, "null", "[1]"] {
        let text = format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":{bad}}}}}]}}"#
        );
        let sent = only_message(read(&text));
        assert!(sent.contains(r#""arguments":"{}""#), "{sent}");
    }
    // Mistral: content in parts.
    let message = read(
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
    );
    assert_eq!(message.text(), "ab");
}

#[test]
fn the_call_from_before_calls_had_ids() {
    let alone = r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\"n\":2}"}}"#;
    let message = read(alone);
    assert_eq!(message.calls().len(), 1);
    assert_eq!(message.calls()[0].arguments(), r#"{"n":2}"#);
    assert!(message.calls()[0].id().starts_with("call_"));
    assert_eq!(only_message(message), alone);
}

#[test]
fn a_refusal_is_text() {
    let message = read(
        r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"I cannot."}}]}"#,
    );
    assert_eq!(message.text(), "I cannot.");
    assert_eq!(message.stop_reason(), &StopReason::Refused);
}

#[test]
fn what_is_no_message_is_named() {
    let error = |text: &str| AssistantMessage::read(Api::OpenAiChat, text).unwrap_err();
    let html = error("<html>\n<body>502 Bad Gateway</body></html>");
    assert!(matches!(html, MessageError::NotJson { .. }));
    assert!(html.to_string().contains("502 Bad Gateway"), "{html}");
    assert!(matches!(error(""), MessageError::NotJson { .. }));
    assert!(matches!(
        error(r#"{"choices":[{"message":{"role":"assistant""#),
        MessageError::NotJson { .. }
    ));
    for text in [
        "[]",
        "3",
        "null",
        "\"x\"",
        "{}",
        r#"{"choices":[]}"#,
        r#"{"choices":[{"message":3}]}"#,
        r#"{"candidates":[]}"#,
    ] {
        assert!(
            matches!(error(text), MessageError::NotMessage { .. }),
            "{text}"
        );
    }
    assert!(
        error(r#"{"candidates":[]}"#)
            .to_string()
            .contains("an object of `candidates`")
    );
    for (body, kind, message) in [
        (
            r#"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"x"}}"#,
            Some("invalid_request_error"),
            "no",
        ),
        (
            r#"{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}"#,
            Some("INVALID_ARGUMENT"),
            "no",
        ),
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"no"}}"#,
            Some("overloaded_error"),
            "no",
        ),
        (r#"{"error":"model not found"}"#, None, "model not found"),
        (
            r#"{"object":"error","message":"no","type":"BadRequestError","code":400}"#,
            Some("BadRequestError"),
            "no",
        ),
        (r#"{"detail":"Not Found"}"#, None, "Not Found"),
        (
            r#"[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]"#,
            Some("INVALID_ARGUMENT"),
            "no",
        ),
    ] {
        let error = error(body);
        let expected = ApiError {
            kind: kind.map(str::to_owned),
            message: message.to_owned(),
        };
        assert_eq!(error.api_error(), Some(&expected), "{body}");
    }
}

#[test]
fn a_hostile_message_is_an_error() {
    let deep = format!(
        r#"{{"role":"assistant","content":{}1{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(
        AssistantMessage::read(Api::OpenAiChat, &deep).is_ok()
            || AssistantMessage::read(Api::OpenAiChat, &deep).is_err()
    );
    let many = format!(
        r#"{{"role":"assistant","tool_calls":[{}]}}"#,
        vec!["0"; 2000].join(",")
    );
    let error = AssistantMessage::read(Api::OpenAiChat, &many).unwrap_err();
    assert!(error.to_string().contains("1024 calls"), "{error}");
    let many = format!(
        r#"{{"role":"assistant","tool_calls":[{}]}}"#,
        vec!["0"; 70_000].join(",")
    );
    let error = AssistantMessage::read(Api::OpenAiChat, &many).unwrap_err();
    assert!(error.to_string().contains("65536 items"), "{error}");
}
