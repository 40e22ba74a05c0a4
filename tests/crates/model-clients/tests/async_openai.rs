//! `async-openai`, by Chat Completions and Responses.

use std::future::poll_fn;
use std::pin::Pin;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionRequestUserMessage, CreateChatCompletionRequest, CreateChatCompletionResponse,
};
use async_openai::types::responses::Response;
use futures_core::Stream;
use model_server::{ModelServer, Reply};
use serde::Serialize;
use serde_json::{Value, json};
use toolwright::{Content, Executor, Session, ToolOutput, ToolRegistry, tool};
use toolwright_providers::clients::async_openai::{
    answer_chat, answer_chat_text, answer_responses, chat_tools, push_chunk,
};
use toolwright_providers::{Api, MessageStream, StopReason, StreamEvent, openai};

use crate::async_openai_example::{ask_chat, ask_responses, session};

fn script() -> [Reply; 3] {
    [
        Reply::thinking("Let me see.")
            .and_text("I count.")
            .and_call("text_count", &json!({"text": "a b c"})),
        Reply::call("text_count", &json!({"text": "a"}))
            .and_call("note_delete", &json!({"name": "n"}))
            .and_call_text("text_count", "{\"text\": ")
            .and_call("text_sum", &json!({})),
        Reply::text("Three and one."),
    ]
}

fn client(server: &ModelServer) -> Client<OpenAIConfig> {
    let config = OpenAIConfig::new().with_api_key("key");
    Client::with_config(config.with_api_base(format!("{}/v1", server.url())))
}

fn are_told(results: &[String]) {
    assert_eq!(results.len(), 5);
    let parts = ["3", "1", "was denied", "JSON", "no tool"];
    for (result, part) in results.iter().zip(parts) {
        assert!(result.contains(part), "{result} has no {part:?}");
    }
}

#[tokio::test]
async fn chat_completions() {
    let server = ModelServer::start(script());
    let session = session().unwrap();
    let text = ask_chat(&session, &client(&server), "gpt-5", "How many?")
        .await
        .unwrap();
    assert_eq!(text, "Three and one.");
    are_told(&server.request(3).results());
    let tools = openai::chat(&session);
    let own: Value = serde_json::from_str(tools.list().as_str()).unwrap();
    assert_eq!(server.request(1).body["tools"], own);
}

#[tokio::test]
async fn responses() {
    let server = ModelServer::start(script());
    let session = session().unwrap();
    let text = ask_responses(&session, &client(&server), "gpt-5", "How many?")
        .await
        .unwrap();
    assert_eq!(text, "Three and one.");
    are_told(&server.request(3).results());
    let tools = openai::responses(&session);
    let own: Value = serde_json::from_str(tools.list().as_str()).unwrap();
    assert_eq!(server.request(1).body["tools"], own);
}

#[tokio::test]
async fn a_streamed_chat_is_answered_as_the_whole_response_is() {
    let server = ModelServer::start(script());
    let (session, client) = (session().unwrap(), client(&server));
    let tools = openai::chat(&session);
    let mut request = CreateChatCompletionRequest {
        model: "gpt-5".to_owned(),
        messages: vec![ChatCompletionRequestUserMessage::from("How many?").into()],
        tools: Some(chat_tools(tools.list())),
        ..CreateChatCompletionRequest::default()
    };
    let mut shown = String::new();
    loop {
        let mut chunks = client.chat().create_stream(request.clone()).await.unwrap();
        let mut stream = MessageStream::new(Api::Compatible);
        while let Some(chunk) = poll_fn(|cx| Pin::new(&mut chunks).poll_next(cx)).await {
            for event in push_chunk(&mut stream, &chunk.unwrap()).unwrap() {
                if let StreamEvent::Text(text) = event {
                    shown += &text;
                }
            }
        }
        let response = stream.finish().unwrap();
        let reply = answer_chat_text(&tools, &response).await.unwrap();
        if !reply.has_calls() {
            break;
        }
        request.messages.extend(reply.messages);
    }
    assert_eq!(shown, "I count.Three and one.");
    are_told(&server.request(3).results());
}

/// Draw a picture.
#[tool(pure)]
fn draw() -> ToolOutput {
    ToolOutput::text("one dot").with(Content::image([1, 2, 3], "image/png"))
}

fn drawing() -> Session {
    let tools = ToolRegistry::new().with(Draw);
    Executor::new(tools).unwrap().session("drawing")
}

fn as_json<M: Serialize>(messages: &[M]) -> Vec<Value> {
    let messages = messages
        .iter()
        .map(|message| serde_json::to_value(message).unwrap());
    messages.collect()
}

#[tokio::test]
async fn the_message_of_a_chat_keeps_what_a_request_takes() {
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-5",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": null, "message": {
            "role": "assistant", "content": "See.", "refusal": "Not that.",
            "annotations": [{"type": "url_citation", "url_citation": {
                "start_index": 0, "end_index": 1, "title": "t", "url": "https://example.org"}}],
            "audio": {"id": "audio_1", "expires_at": 1, "data": "AAAA", "transcript": "See."},
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "draw", "arguments": "{ }"}},
                {"id": "call_1", "type": "function", "function": {"name": "draw", "arguments": ""}},
                {"id": "call_2", "type": "function", "function": {"name": "", "arguments": "{}"}},
            ],
        }}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
    });
    let response: CreateChatCompletionResponse = serde_json::from_value(body.clone()).unwrap();
    let session = drawing();
    let reply = answer_chat(&openai::chat(&session), &response)
        .await
        .unwrap();
    assert_eq!(reply.usage.unwrap().input_tokens, 12);
    assert_eq!(reply.stop_reason, StopReason::Calls);
    assert_eq!(reply.outcomes.len(), 2);
    let messages = as_json(&reply.messages);
    let sent = &body["choices"][0]["message"];
    for member in ["role", "content", "refusal"] {
        assert_eq!(messages[0][member], sent[member], "{member}");
    }
    assert_eq!(messages[0]["audio"], json!({"id": "audio_1"}));
    assert_eq!(messages[0]["tool_calls"][0], sent["tool_calls"][0]);
    let calls = messages[0]["tool_calls"].as_array().unwrap();
    let ids: Vec<&Value> = calls.iter().map(|call| &call["id"]).collect();
    assert_ne!(ids[0], ids[1]);
    assert_eq!(messages.len(), 4);
    for (id, told) in ids.into_iter().zip(&messages[1..]) {
        assert_eq!(told["role"], "tool");
        assert_eq!(told["tool_call_id"], *id);
    }
    let text = messages[1]["content"].as_str().unwrap();
    assert!(text.contains("one dot\n[An image of type"), "{text}");
}

#[tokio::test]
async fn a_chat_that_was_cut_off_runs_its_whole_calls_alone() {
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-5",
        "choices": [{"index": 0, "finish_reason": "length", "logprobs": null, "message": {
            "role": "assistant", "content": null, "refusal": null,
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "draw", "arguments": "{}"}},
                {"id": "call_2", "type": "function", "function": {"name": "draw", "arguments": "{"}},
            ],
        }}],
    });
    let response: CreateChatCompletionResponse = serde_json::from_value(body).unwrap();
    let session = drawing();
    let reply = answer_chat(&openai::chat(&session), &response)
        .await
        .unwrap();
    assert_eq!(reply.outcomes.len(), 1);
    assert_eq!(reply.messages.len(), 3);

    let empty = CreateChatCompletionResponse {
        choices: Vec::new(),
        ..response
    };
    let error = answer_chat(&openai::chat(&session), &empty)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("not a message"), "{error}");
}

#[tokio::test]
async fn the_items_of_a_response_go_back_as_they_came() {
    let output = json!([
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}],
            "encrypted_content": "gAAAA"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed",
            "action": {"type": "search", "query": "dots"}},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "See.", "logprobs": [], "annotations": [
                {"type": "url_citation", "start_index": 0, "end_index": 1, "title": "t", "url": "https://example.org"}]}]},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "draw", "arguments": "{ }",
            "status": "completed"},
        {"type": "function_call", "id": "fc_2", "call_id": "call_1", "name": "draw", "arguments": "",
            "status": "completed"},
        {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_3", "name": "draw", "input": "a dot"},
    ]);
    let body = json!({
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "gpt-5",
        "output": output, "parallel_tool_calls": true, "tools": [], "tool_choice": "auto",
    });
    let response: Response = serde_json::from_value(body).unwrap();
    let session = drawing();
    let reply = answer_responses(&openai::responses(&session), &response)
        .await
        .unwrap();
    assert_eq!((&*reply.text, reply.outcomes.len()), ("See.", 2));
    let items = as_json(&reply.messages);
    assert_eq!(items.len(), 9);
    for (number, came) in output.as_array().unwrap().iter().enumerate() {
        if number != 4 {
            assert!(has(&items[number], came), "{} is not {came}", items[number]);
        }
    }
    for (call, told) in items[3..6].iter().zip(&items[6..]) {
        assert_eq!(call["call_id"], told["call_id"]);
    }
    assert_ne!(items[3]["call_id"], items[4]["call_id"]);
    let kinds = [&items[6]["type"], &items[7]["type"], &items[8]["type"]];
    assert_eq!(
        kinds,
        [
            "function_call_output",
            "function_call_output",
            "custom_tool_call_output"
        ]
    );
    let parts = &items[6]["output"];
    assert_eq!(parts[0]["text"], "one dot");
    assert_eq!(parts[1]["image_url"], "data:image/png;base64,AQID");
}

/// Returns true if a value has all that another has.
fn has(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Object(all), Value::Object(some)) => some
            .iter()
            .all(|(name, other)| all.get(name).is_some_and(|value| has(value, other))),
        (Value::Array(all), Value::Array(some)) => {
            all.len() == some.len() && all.iter().zip(some).all(|(value, other)| has(value, other))
        }
        _ => value == other,
    }
}
