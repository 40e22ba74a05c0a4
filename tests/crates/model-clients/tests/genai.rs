//! `genai`, by each API that it has an adapter for.

use std::collections::HashSet;
use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatOptions, ChatRequest, ChatResponse, ChatStreamEvent, JsonSchemaDialect, MessageContent,
    StopReason, ToolCall, Usage, sanitize_json_schema,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use model_server::{ModelServer, Reply};
use serde_json::{Value, json};
use toolwright::{ToolError, ToolRegistry, ToolSpec, tool_fn};
use toolwright_providers::{Api, ModelTools, ToolList, anthropic, clients, openai};

use crate::genai_example::{ask, session};
use crate::{definitions, repeating};

const SERVERS: [&str; 8] = [
    "everything",
    "fetch",
    "filesystem",
    "git",
    "memory",
    "playwright",
    "seq",
    "time",
];

const ADAPTERS: [(AdapterKind, &str); 5] = [
    (AdapterKind::OpenAI, "/v1/"),
    (AdapterKind::OpenAIResp, "/v1/"),
    (AdapterKind::Anthropic, "/v1/"),
    (AdapterKind::Gemini, "/v1beta/"),
    (AdapterKind::DeepSeek, "/v1/"),
];

fn target(server: &ModelServer, adapter: AdapterKind, path: &str) -> ServiceTarget {
    ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{}{path}", server.url())),
        auth: AuthData::from_single("key"),
        model: ModelIden::new(adapter, "some-model"),
    }
}

#[tokio::test]
async fn a_call_several_at_once_and_one_that_is_refused_reach_the_model_again() {
    for (adapter, path) in ADAPTERS {
        let server = ModelServer::start([
            Reply::thinking("Let me see.")
                .and_text("I count.")
                .and_call("text_count", &json!({"text": "a b c"})),
            Reply::call("text_count", &json!({"text": "a"}))
                .and_call("note_delete", &json!({"name": "n"}))
                .and_call("text_count", &json!({"text": "a b"}))
                .and_call("text_count", &json!({"words": 1}))
                .and_call("text_sum", &json!({})),
            Reply::text("Three, one and two."),
        ]);
        let session = session().unwrap();
        let model = target(&server, adapter, path);
        let text = ask(&session, model, "How many?").await.unwrap();
        assert_eq!(text, "Three, one and two.", "{adapter}");
        let results = server.request(3).results();
        assert_eq!(results.len(), 6, "{adapter}");
        for (result, part) in results.iter().zip([
            "3",
            "1",
            "was denied",
            "2",
            "Valid arguments: `text`",
            "no tool",
        ]) {
            assert!(result.contains(part), "{adapter}: {result} has no {part:?}");
        }
    }
}

#[tokio::test]
async fn the_tools_are_those_of_the_list() {
    for (adapter, path) in ADAPTERS {
        let server = ModelServer::start([Reply::text("None.")]);
        let session = session().unwrap();
        ask(&session, target(&server, adapter, path), "Hm?")
            .await
            .unwrap();
        let list = ToolList::new(clients::genai::api(adapter), &session.tools());
        let mut own: Value = serde_json::from_str(list.as_str()).unwrap();
        if matches!(adapter, AdapterKind::OpenAI | AdapterKind::DeepSeek) {
            // `genai` writes what is the default.
            for tool in own.as_array_mut().unwrap() {
                let strict = &mut tool["function"]["strict"];
                *strict = (*strict == true).into();
            }
        }
        assert_eq!(server.request(1).body["tools"], own, "{adapter}");
    }
}

fn response(content: impl Into<MessageContent>, stop_reason: StopReason) -> ChatResponse {
    let model = ModelIden::new(AdapterKind::Anthropic, "some-model");
    ChatResponse {
        content: content.into(),
        reasoning_content: Some("Let me see.".to_owned()),
        model_iden: model.clone(),
        provider_model_iden: model,
        stop_reason: Some(stop_reason),
        usage: Usage {
            prompt_tokens: Some(12),
            completion_tokens: Some(3),
            ..Usage::default()
        },
        captured_raw_body: None,
        response_id: None,
    }
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        call_id: id.to_owned(),
        fn_name: name.to_owned(),
        fn_arguments: arguments,
        thought_signatures: Some(vec!["signature".to_owned()]),
    }
}

#[tokio::test]
async fn broken_calls_are_answered_and_the_history_has_one_result_for_each() {
    let session = session().unwrap();
    let tools = anthropic::messages(&session);
    let calls = vec![
        call("", "text_count", json!({"text": "a b"})),
        call("toolu_1", "text_count", json!("{\"text\": \"a\"}")),
        call("toolu_1", "text_count", json!({"text": "a b c"})),
        call("toolu_2", "", json!({})),
        call("toolu_3", "text_count", json!("{\"text\": \"a")),
    ];
    let cut_off = response(calls, StopReason::MaxTokens("max_tokens".to_owned()));
    let reply = clients::genai::answer(&tools, cut_off).await.unwrap();
    assert_eq!(
        reply.stop_reason,
        toolwright_providers::StopReason::MaxTokens
    );
    assert_eq!(reply.usage.unwrap().input_tokens, 12);
    assert_eq!(reply.outcomes.len(), 3, "no name, and cut off");
    let [assistant, told] = &reply.messages[..] else {
        panic!("{:?}", reply.messages);
    };
    let calls = assistant.content.tool_calls();
    let results = told.content.tool_responses();
    let ids: Vec<&str> = calls.iter().map(|call| &*call.call_id).collect();
    assert_eq!(
        ids,
        results
            .iter()
            .map(|told| &*told.call_id)
            .collect::<Vec<_>>()
    );
    assert!(ids.iter().all(|id| !id.is_empty()));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 5, "{ids:?}");
    assert!(
        calls
            .iter()
            .all(|call| call.fn_arguments.is_object() && !call.fn_name.is_empty())
    );
    assert!(calls.iter().all(|call| call.thought_signatures.is_some()));
    assert!(assistant.content.contains_reasoning_content());
    let texts: Vec<&str> = results.iter().map(|told| &*told.content).collect();
    assert_eq!(texts[..3], ["2", "1", "3"]);
    assert!(texts[3].contains("it has no name"), "{}", texts[3]);
    assert!(texts[4].contains("limit of tokens"), "{}", texts[4]);
}

#[tokio::test]
async fn a_strict_null_is_an_absent_argument() {
    let session = repeating();
    let tools = openai::chat(&session);
    let calls = vec![call(
        "call_1",
        "repeat",
        json!({"word": null, "times": null}),
    )];
    let called = response(calls, StopReason::ToolCall("tool_calls".to_owned()));
    let reply = clients::genai::answer(&tools, called).await.unwrap();
    let result = reply.outcomes[0].result();
    assert_eq!(
        (&*result.text(), result.repairs()),
        ("nothingnothing", &[][..])
    );
}

#[tokio::test]
async fn an_answer_without_calls_ends_the_loop() {
    let session = session().unwrap();
    let tools = anthropic::messages(&session);
    let stop = || StopReason::Completed("end_turn".to_owned());
    let reply = clients::genai::answer(&tools, response("Done.", stop()))
        .await
        .unwrap();
    assert!(!reply.has_calls());
    assert_eq!(reply.text, "Done.");
    assert_eq!(reply.messages.len(), 1);
    let nothing = response(MessageContent::default(), stop());
    let reply = clients::genai::answer(&tools, nothing).await.unwrap();
    assert!(reply.messages.is_empty() && !reply.has_calls());
}

#[tokio::test]
async fn a_stream_is_answered_as_the_whole_response_is() {
    for (adapter, path) in ADAPTERS {
        let server = ModelServer::start([
            Reply::text("I count.")
                .and_call("text_count", &json!({"text": "a b c"}))
                .and_call("text_count", &json!({"text": "a"})),
            Reply::text("Three and one."),
        ]);
        let session = session().unwrap();
        let tools = ModelTools::new(clients::genai::api(adapter), &session);
        let request = ChatRequest::from_user("How many?");
        let mut request = request.with_tools(clients::genai::tools(tools.list()));
        let options = ChatOptions::default()
            .with_capture_content(true)
            .with_capture_tool_calls(true)
            .with_capture_usage(true);
        let text = loop {
            let model = target(&server, adapter, path);
            let client = Client::new().unwrap();
            let streamed = client.exec_chat_stream(model, request.clone(), Some(&options));
            let mut stream = streamed.await.unwrap().stream;
            let end = loop {
                let event = poll_fn(|cx| Pin::new(&mut stream).poll_next(cx)).await;
                if let ChatStreamEvent::End(end) = event.unwrap().unwrap() {
                    break end;
                }
            };
            let reply = clients::genai::answer_stream(&tools, end).await.unwrap();
            if !reply.has_calls() {
                break reply.text;
            }
            request = request.append_messages(reply.messages);
        };
        assert_eq!(text, "Three and one.", "{adapter}");
        assert_eq!(
            server.request(2).results(),
            results(adapter, ["3", "1"]),
            "{adapter}"
        );
    }
}

/// The results as the server shows them: Gemini has objects.
fn results(adapter: AdapterKind, texts: [&str; 2]) -> Vec<String> {
    let shown = texts.map(|text| match adapter {
        AdapterKind::Gemini => json!({"name": "text_count", "content": text}).to_string(),
        _ => text.to_owned(),
    });
    shown.into()
}

/// `genai` changes what it takes to be outside of a strict mode. Schemas of servers in the field, in the form that we show.
#[test]
fn strict_schemas_stay_as_they_are() {
    let mut seen = 0;
    for (api, dialect) in [
        (Api::OpenAiChat, JsonSchemaDialect::OpenAiStrictTool),
        (Api::Anthropic, JsonSchemaDialect::AnthropicStructured),
    ] {
        for server in SERVERS {
            for (name, schema) in definitions(server) {
                let spec = ToolSpec::new(name.clone(), "A tool of a server.");
                let spec = spec.with_input_schema(schema);
                let tool = tool_fn(spec, async |_: Value, _| Ok::<_, ToolError>(""));
                let list = ToolList::new(api, &ToolRegistry::new().with(tool).freeze().unwrap());
                let [shown] = &clients::genai::tools(&list)[..] else {
                    panic!("{name}: {}", list.report());
                };
                if shown.strict == Some(true) {
                    let schema = shown.schema.as_ref().unwrap();
                    assert_eq!(
                        &sanitize_json_schema(schema, dialect),
                        schema,
                        "{api}: {name}"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 150, "{seen}");
}
