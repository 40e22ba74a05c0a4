use super::*;
use crate::AssistantMessage;

fn error(api: Api, text: &str) -> StreamError {
    let mut stream = MessageStream::new(api);
    match stream.push(text.as_bytes()) {
        Err(error) => error,
        Ok(_) => stream.finish().unwrap_err(),
    }
}

#[test]
fn an_error_in_the_stream_keeps_its_words() {
    for (api, text, kind) in [
        (
            Api::Anthropic,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
            Some("overloaded_error"),
        ),
        (
            Api::OpenAiChat,
            "data: {\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\",\"code\":null}}\n\n",
            Some("server_error"),
        ),
        (
            Api::Compatible,
            "data: {\"error\":\"Overloaded\"}\n\n",
            None,
        ),
        (
            Api::OpenAiResponses,
            "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"Overloaded\",\"param\":null,\"sequence_number\":3}\n\n",
            Some("server_error"),
        ),
        (
            Api::OpenAiResponses,
            "data: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"Overloaded\"},\"output\":[]}}\n\n",
            Some("server_error"),
        ),
        (
            Api::Gemini,
            "data: {\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}\r\n\r\n",
            Some("UNAVAILABLE"),
        ),
        // In place of a stream.
        (
            Api::Gemini,
            "{\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}",
            Some("UNAVAILABLE"),
        ),
        (
            Api::Anthropic,
            " \n{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
            Some("overloaded_error"),
        ),
    ] {
        let error = error(api, text);
        let told = error
            .api_error()
            .unwrap_or_else(|| panic!("{text}: {error}"));
        assert_eq!(
            (told.kind.as_deref(), &*told.message),
            (kind, "Overloaded"),
            "{text}"
        );
        assert!(error.to_string().contains(api.name()), "{error}");
    }
}

#[test]
fn what_was_written_before_an_error_is_told_first() {
    let mut stream = MessageStream::new(Api::OpenAiChat);
    let told = stream
        .push(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\n\ndata: x\n\n")
        .unwrap();
    assert_eq!(told, [StreamEvent::Text("a".to_owned())]);
    let error = stream.push(b"").unwrap_err();
    assert!(matches!(error, StreamError::Unreadable { .. }), "{error}");
    assert_eq!(
        stream.push(b"data: [DONE]\n\n").unwrap_err().to_string(),
        error.to_string()
    );
    assert!(!stream.is_complete());
    assert_eq!(stream.finish().unwrap_err().to_string(), error.to_string());
}

#[test]
fn a_response_that_is_no_stream_is_taken_or_named() {
    let text =
        r#"{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}"#;
    let mut stream = MessageStream::new(Api::OpenAiChat);
    for byte in format!("\u{feff} {text}\n").as_bytes().chunks(1) {
        assert_eq!(stream.push(byte).unwrap(), []);
    }
    let response = stream.finish().unwrap();
    assert_eq!(
        AssistantMessage::read(Api::OpenAiChat, &response)
            .unwrap()
            .text(),
        "Hi"
    );

    for text in [
        "<html>502</html>",
        "[{\"candidates\":[]}]",
        "{\"a\":1}\n{\"b\":2}",
    ] {
        let error = error(Api::Gemini, text);
        assert!(
            matches!(error, StreamError::NotEvents { .. }),
            "{text}: {error}"
        );
    }
    for text in [
        "",
        "  \n",
        "{\"candidates\":[",
        "nonsense\n\n",
        ": only a comment\n\n",
    ] {
        assert!(error(Api::Gemini, text).is_cut_off(), "{text}");
    }
}

#[test]
fn the_place_of_a_break_is_named() {
    let start = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"deploy\",\"arguments\":\"{\\\"pl\"}}]}}]}\n\n";
    let text = error(Api::OpenAiChat, start).to_string();
    assert!(
        text.contains("within the call of `deploy`")
            && text.contains("no call of the message has run"),
        "{text}"
    );
    // The end mark without a reason, and the reason without the end mark.
    assert!(error(Api::OpenAiChat, &format!("{start}data: [DONE]\n\n")).is_cut_off());
    let reason = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    assert!(error(Api::OpenAiChat, &format!("{start}{reason}")).is_cut_off());
    // A block that has not ended.
    let text = concat!(
        "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"deploy\",\"input\":{}}}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    );
    assert!(
        error(Api::Anthropic, text)
            .to_string()
            .contains("within the call of `deploy`")
    );
}

#[test]
fn a_hostile_stream_ends_in_an_error() {
    // A line without end, data without end, calls without end, deep nesting.
    let mut stream = MessageStream::new(Api::Compatible).with_max_bytes(100_000);
    let error = (0..200)
        .find_map(|_| stream.push(&[b'd'; 1000]).err())
        .unwrap();
    assert!(
        matches!(error, StreamError::TooLarge { limit: 100_000, .. }),
        "{error}"
    );

    let delta = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}\n\n";
    let mut stream = MessageStream::new(Api::Compatible);
    let error = (0..5000)
        .find_map(|_| stream.push(delta.as_bytes()).err())
        .unwrap();
    assert!(error.to_string().contains("calls or blocks"), "{error}");

    let deep = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"x\":{}1{}}}}}]}}\n\n",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for api in Api::ALL {
        let mut stream = MessageStream::new(api);
        let _ = stream.push(deep.as_bytes());
        assert!(stream.finish().is_err());
    }
    // Members without end, each with a name of its own.
    let names: Vec<String> = (0..100_000).map(|n| format!("\"m{n}\":1")).collect();
    let many = format!(
        "data: {{\"choices\":[{{\"delta\":{{{}}},\"finish_reason\":\"stop\"}}]}}\n\ndata: [DONE]\n\n",
        names.join(",")
    );
    let mut stream = MessageStream::new(Api::OpenAiChat);
    stream.push(many.as_bytes()).unwrap();
    assert!(stream.finish().unwrap().len() < 10_000);

    // Numbers that are no numbers of a call or a block.
    let far = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":18446744073709551615,\"function\":{\"name\":\"f\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    let mut stream = MessageStream::new(Api::OpenAiChat);
    stream.push(far.as_bytes()).unwrap();
    stream.finish().unwrap();
}

#[test]
fn a_character_that_is_cut_in_two_does_not_end_the_stream() {
    let mut stream = MessageStream::new(Api::OpenAiChat);
    let text = concat!(
        r#"data: {"choices":[{"delta":{"content":"a\ud83d"}}]}"#,
        "\n\n",
        r#"data: {"choices":[{"delta":{"content":"\ude00b \ud83d\ude00"},"finish_reason":"stop"}]}"#,
        "\n\ndata: [DONE]\n\n"
    );
    stream.push(text.as_bytes()).unwrap();
    let response = stream.finish().unwrap();
    let message = AssistantMessage::read(Api::OpenAiChat, &response).unwrap();
    assert_eq!(message.text(), "a\u{fffd}\u{fffd}b 😀");
}
