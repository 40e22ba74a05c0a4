use serde_json::json;

use super::*;

fn message(text: &str) -> Message {
    Message::from(json!(text))
}

#[test]
fn tools_and_messages_stand_byte_for_byte() {
    let tools = r#"[ {"n":1.50} , {"a" : 2} ]"#;
    let messages: Vec<Message> = serde_json::from_str(r#"[{"b" :1.0,"a":1}, "x"]"#).unwrap();
    for (api, member) in [
        (Api::OpenAiChat, "messages"),
        (Api::Compatible, "messages"),
        (Api::Anthropic, "messages"),
        (Api::OpenAiResponses, "input"),
        (Api::Gemini, "contents"),
    ] {
        let body = request(api, &json!({"model": "m"}), tools, &messages).unwrap();
        let expected =
            format!(r#"{{"model":"m","tools":{tools},"{member}":[{{"b" :1.0,"a":1}},"x"]}}"#);
        assert_eq!(body, expected);
    }
}

#[test]
fn the_tools_of_the_api_stand_before_those_of_the_app() {
    let body = |settings, tools| request(Api::Gemini, &settings, tools, &[message("x")]).unwrap();
    assert_eq!(
        body(
            json!({"tools": [{"googleSearch": {}}]}),
            r#"[{"functionDeclarations":[]}]"#
        ),
        r#"{"tools":[{"googleSearch":{}},{"functionDeclarations":[]}],"contents":["x"]}"#
    );
    assert_eq!(
        body(json!({"tools": [1]}), " [] "),
        r#"{"tools":[1],"contents":["x"]}"#
    );
    // Some APIs refuse an empty list.
    assert_eq!(body(json!({"tools": []}), "[ ]"), r#"{"contents":["x"]}"#);
    assert_eq!(body(json!({}), "[1]"), r#"{"tools":[1],"contents":["x"]}"#);
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    let error = |settings| {
        request(Api::Anthropic, &settings, "[]", &[])
            .unwrap_err()
            .to_string()
    };
    assert!(error(json!("x")).contains("are no object"));
    assert!(error(json!({"messages": []})).contains("`messages`"));
    assert!(error(json!({"tools": {}})).contains("`tools`"));
    let unwritable = request(
        Api::Anthropic,
        &[((1, 2), 3)]
            .into_iter()
            .collect::<std::collections::BTreeMap<_, _>>(),
        "[]",
        &[],
    );
    assert!(matches!(unwritable, Err(RequestError::Unwritable { .. })));
}
