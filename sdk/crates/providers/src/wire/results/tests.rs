//! Whole conversations: recorded answers, the calls run by an executor, their results and the next request. The golden
//! files are judged by the vendors' own types too; see `tests/vendors`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use toolwright::executor::WaitMode;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::ticket::Answer;
use toolwright::{
    Content, Executor, PermissionRequest, Session, ToolCall, ToolError, ToolOutcome, ToolOutput,
    ToolRegistry, ToolSpec, tool,
};

use super::super::request;
use super::*;
use crate::{AssistantMessage, Message};

/// Read a file.
#[tool(name = "fs_read", read_only)]
fn fs_read(path: String, lines: Vec<u64>, ratio: f64, deep: Value) -> ToolOutput {
    assert_eq!((&*path, ratio), ("/srv/bücher/€ \"list\".txt", 0.1));
    // Gemini has no whole numbers beyond those of an `f64`.
    assert!(matches!(*lines, [1, u64::MAX | 4]));
    assert_eq!(deep, json!({"a": null}));
    ToolOutput::text("The file has two pictures:")
        .with(Content::image(b"\x89PNG\r\n\x1a\n", "image/png"))
        .with(Content::image("<svg/>", "image/svg+xml"))
        .with(Content::resource_link(
            "file:///srv/list.txt",
            "the \"list\"",
        ))
}

#[derive(Serialize, schemars::JsonSchema)]
struct Found {
    query: String,
    hits: Vec<f64>,
}

/// Search for a text.
#[tool(read_only)]
fn search(query: String, limit: Option<u32>, ratio: Option<f64>) -> Found {
    let _ = (limit, ratio);
    Found {
        query,
        hits: vec![0.5, 1.0],
    }
}

/// Tell the time.
#[tool(permission = PermissionRequest::new("clock", "now", "Look at the clock"))]
fn now() -> String {
    "12:00".to_owned()
}

/// Fail.
#[tool(read_only)]
fn fail() -> Result<String, ToolError> {
    Err(ToolError::failed("the disk is full"))
}

/// Tell a secret.
#[tool(read_only)]
fn secret() -> String {
    panic!("it is denied")
}

struct Checker;

impl PermissionChecker for Checker {
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        match tool.name().as_str() {
            "secret" => Verdict::deny("secrets stay here"),
            _ => Verdict::Allow,
        }
    }

    fn check_request(&self, _: &CallView<'_>, _: &PermissionRequest) -> Verdict {
        Verdict::ask("the clock is watched")
    }
}

const FOLDERS: [(Api, &str); 5] = [
    (Api::OpenAiChat, "openai-chat"),
    (Api::OpenAiResponses, "openai-responses"),
    (Api::Anthropic, "anthropic"),
    (Api::Gemini, "gemini"),
    (Api::Compatible, "compatible"),
];

fn file(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/wire")
        .join(folder)
        .join(name)
}

/// The tools as an app could list them by hand, since the list is not the subject here.
fn tools(api: Api) -> String {
    let schema = json!({"type": "object", "properties": {}});
    let names = ["fs_read", "search", "now", "fail", "secret"];
    let tools = names.map(|name| match api {
        Api::OpenAiChat | Api::Compatible => {
            json!({"type": "function", "function": {"name": name, "parameters": schema}})
        }
        Api::OpenAiResponses => {
            json!({"type": "function", "name": name, "parameters": schema, "strict": false})
        }
        Api::Anthropic => json!({"name": name, "input_schema": schema}),
        Api::Gemini => json!({"name": name}),
    });
    match api {
        Api::Gemini => json!([{"functionDeclarations": tools}]).to_string(),
        _ => json!(tools).to_string(),
    }
}

/// Runs the calls of a message, and returns the messages to append.
async fn answer(
    api: Api,
    session: &Session,
    response: &str,
) -> (Vec<Message>, Vec<(String, ToolOutcome)>) {
    let message = AssistantMessage::read(api, response).unwrap();
    let runnable = message
        .calls()
        .iter()
        .filter(|call| call.refusal().is_none());
    let calls = runnable
        .clone()
        .map(|call| ToolCall::new(call.name(), call.arguments()).with_id(call.id()));
    let outcomes = session.turn().call_all(calls).await;
    let mut results = outcomes.iter();
    let answered: Vec<_> = message
        .calls()
        .iter()
        .map(|call| Answered {
            call,
            content: match call.refusal() {
                Some(text) => AnswerContent::Refusal(text),
                None => AnswerContent::Result(results.next().unwrap().result()),
            },
        })
        .collect();
    assert!(results.next().is_none());
    let results = write_results(api, &answered);
    let ids = runnable
        .map(|call| call.id().to_owned())
        .collect::<Vec<_>>();
    let mut messages = message.into_messages();
    messages.extend(results);
    (messages, ids.into_iter().zip(outcomes).collect())
}

/// The ids or names of calls and those of results, in the order of a conversation.
fn ids(api: Api, messages: &[Message]) -> (Vec<String>, Vec<String>) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for message in messages {
        let message: Value = serde_json::from_str(message.as_str()).unwrap();
        let list = |name: &str| message[name].as_array().cloned().unwrap_or_default();
        match api {
            Api::OpenAiChat | Api::Compatible => {
                calls.extend(list("tool_calls").iter().map(|call| text(&call["id"])));
                results.extend(message.get("tool_call_id").map(text));
            }
            Api::OpenAiResponses => match message["type"].as_str() {
                Some("function_call") => calls.push(text(&message["call_id"])),
                Some("function_call_output") => results.push(text(&message["call_id"])),
                _ => {}
            },
            Api::Anthropic => {
                for block in list("content") {
                    match block["type"].as_str() {
                        Some("tool_use") => calls.push(text(&block["id"])),
                        Some("tool_result") => results.push(text(&block["tool_use_id"])),
                        _ => {}
                    }
                }
            }
            Api::Gemini => {
                for part in list("parts") {
                    let name = |call: &Value| format!("{} {}", text(&call["name"]), call["id"]);
                    calls.extend(part.get("functionCall").map(name));
                    results.extend(part.get("functionResponse").map(name));
                }
            }
        }
    }
    (calls, results)
}

#[tokio::test]
async fn s3_40_each_call_of_a_conversation_has_one_result_in_its_order() {
    let registry = ToolRegistry::new()
        .with(FsRead)
        .with(Search)
        .with(Now)
        .with(Fail)
        .with(Secret);
    let executor = Executor::builder(registry)
        .permission_checker(Checker)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    for (api, folder) in FOLDERS {
        let session = executor.session(folder);
        let mut messages = vec![user_message(api, "Read the list, and tell me the time.")];
        for answer_file in ["parallel.json", "errors.json"] {
            let response = fs::read_to_string(file(folder, answer_file)).unwrap();
            let (more, outcomes) = answer(api, &session, &response).await;
            messages.extend(more);
            for (id, outcome) in outcomes {
                if let ToolOutcome::Suspended(waiting) = outcome {
                    let late = session
                        .resume(waiting.ticket(), Answer::yes())
                        .await
                        .unwrap();
                    let id = (api != Api::Gemini).then_some(&*id);
                    messages.push(late_result(api, late.result(), "now", id));
                }
            }
        }
        let (calls, results) = ids(api, &messages);
        assert_eq!(calls, results, "{api}");
        assert!(calls.len() >= 7, "{api}: {calls:?}");

        let settings = match api {
            Api::Anthropic => json!({"model": "m", "max_tokens": 1024}),
            Api::Gemini => json!({}),
            _ => json!({"model": "m"}),
        };
        let body = request(api, &settings, &tools(api), &messages).unwrap();
        // In lines, for those who read it; the bytes of each message are compared below.
        let tree: crate::json::Json = serde_json::from_str(&body).unwrap();
        let lines = serde_json::to_string_pretty(&tree).unwrap() + "\n";
        let golden = file(folder, "conversation.golden.json");
        if std::env::var_os("TOOLWRIGHT_BLESS").is_some() {
            fs::write(&golden, &lines).unwrap();
        }
        assert_eq!(lines, fs::read_to_string(golden).unwrap(), "{api}");
        for message in &messages {
            assert!(body.contains(message.as_str()), "{api}: {message}");
        }
    }
}

/// Returns the result of a tool that gives these parts.
async fn result_of(output: ToolOutput) -> ToolOutcome {
    let spec = ToolSpec::new(toolwright::ToolName::new("t").unwrap(), "Give parts.")
        .with_effect(toolwright::spec::Effect::Pure);
    let tool = toolwright::tool_fn(spec, move |_: Value, _: toolwright::ToolContext| {
        let output = output.clone();
        async move { Ok::<_, ToolError>(output) }
    });
    let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
    executor.call("t", "{}").await
}

/// Returns the result of the only call of a message, as it is sent.
fn sent(api: Api, response: &str, outcome: &ToolOutcome) -> String {
    let message = AssistantMessage::read(api, response).unwrap();
    let content = AnswerContent::Result(outcome.result());
    let [call] = message.calls() else {
        panic!("{response}")
    };
    let messages = write_results(api, &[Answered { call, content }]);
    assert_eq!(messages.len(), 1);
    messages[0].as_str().to_owned()
}

const CHAT: &str = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]}"#;
const GEMINI: &str =
    r#"{"role":"model","parts":[{"functionCall":{"id":"a","name":"t","args":{}}}]}"#;
const CLAUDE: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{},"toolset_name":"x"}]}"#;

#[tokio::test]
async fn images_travel_where_the_api_takes_them() {
    let png = Content::image([0_u8; 3], "image/png");
    let gif = Content::image([0_u8; 3], "image/gif");
    let outcome = result_of(ToolOutput::text("x").with(png.clone()).with(gif)).await;
    assert_eq!(
        sent(Api::Gemini, GEMINI, &outcome),
        concat!(
            r#"{"role":"user","parts":[{"functionResponse":{"id":"a","name":"t","response":{"output":"#,
            r#""x\n[An image of type \"image/gif\", about 3 bytes, which cannot be shown here.]"},"#,
            r#""parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]}"#
        )
    );
    assert_eq!(
        sent(
            Api::Anthropic,
            CLAUDE,
            &result_of(ToolOutput::text(" ").with(png.clone())).await
        ),
        concat!(
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","#,
            r#""source":{"type":"base64","media_type":"image/png","data":"AAAA"}}],"toolset_name":"x"}]}"#
        )
    );
    for (api, image) in [
        (
            Api::OpenAiChat,
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}"#,
        ),
        (
            Api::OpenAiResponses,
            r#"{"type":"input_image","image_url":"data:image/png;base64,AAAA"}"#,
        ),
        (
            Api::Anthropic,
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#,
        ),
        (
            Api::Gemini,
            r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#,
        ),
        (Api::Compatible, r"[An image of type \"),
    ] {
        let outcome = result_of(ToolOutput::empty().with(png.clone())).await;
        let late = late_result(api, outcome.result(), "t", None);
        assert!(late.as_str().contains(image), "{late}");
        assert!(
            late.as_str()
                .contains("The call of `t` that was waiting has ended."),
            "{late}"
        );
    }
}

#[tokio::test]
async fn errors_are_marked_where_the_api_has_no_mark() {
    let outcome = result_of(ToolOutput::error("no disk")).await;
    assert!(sent(Api::OpenAiChat, CHAT, &outcome).contains(r#""content":"Error: no disk""#));
    assert!(sent(Api::Compatible, CHAT, &outcome).contains(r#""content":"Error: no disk""#));
    assert!(
        sent(Api::Anthropic, CLAUDE, &outcome).contains(r#""content":"no disk","is_error":true"#)
    );
    assert!(sent(Api::Gemini, GEMINI, &outcome).contains(r#""response":{"error":"no disk"}"#));
    let call = r#"[{"type":"function_call","call_id":"a","name":"t","arguments":"{}","caller":{"type":"program","caller_id":"p"}}]"#;
    assert_eq!(
        sent(Api::OpenAiResponses, call, &outcome),
        r#"{"type":"function_call_output","call_id":"a","output":"Error: no disk","caller":{"type":"program","caller_id":"p"}}"#
    );
}

#[tokio::test]
async fn results_of_nothing_and_of_old_and_custom_calls() {
    let outcome = result_of(ToolOutput::empty()).await;
    assert!(sent(Api::OpenAiChat, CHAT, &outcome).ends_with(r#""content":""}"#));
    assert!(sent(Api::Anthropic, CLAUDE, &outcome).contains(r#""tool_use_id":"a","toolset_name""#));
    assert!(sent(Api::Gemini, GEMINI, &outcome).contains(r#""response":{"output":""}"#));
    let old =
        r#"{"role":"assistant","content":null,"function_call":{"name":"t","arguments":"{}"}}"#;
    assert_eq!(
        sent(Api::OpenAiChat, old, &outcome),
        r#"{"role":"function","name":"t","content":""}"#
    );
    let custom = r#"[{"type":"custom_tool_call","call_id":"a","name":"t","input":"x"}]"#;
    assert!(
        sent(Api::OpenAiResponses, custom, &outcome)
            .starts_with(r#"{"type":"custom_tool_call_output","call_id":"a""#)
    );
    assert_eq!(write_results(Api::Anthropic, &[]), []);
}

#[tokio::test]
async fn data_that_gemini_could_not_read_goes_as_text() {
    let data = |text: String| {
        ToolOutput::empty().with(
            toolwright::content::JsonText::from_text(text)
                .unwrap()
                .into(),
        )
    };
    let sent_of =
        async |text: &str| sent(Api::Gemini, GEMINI, &result_of(data(text.to_owned())).await);
    assert!(
        sent_of(r#"[1.50,{"a":null}]"#)
            .await
            .contains(r#"{"output":[1.50,{"a":null}]}"#)
    );
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    assert!(
        sent_of(&deep)
            .await
            .contains(&format!("{{\"output\":\"{deep}\"}}"))
    );
}
