//! A model's message in, the messages to append out.

use serde_json::{Value, json};
use toolwright::executor::WaitMode;
use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::ticket::Answer;
use toolwright::{
    Content, Executor, Session, ToolError, ToolOutcome, ToolOutput, ToolRegistry, tool,
};
use toolwright_providers::{Api, ListOptions, Message, ModelTools, Strict};

use super::message;

/// Add two whole numbers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Draw a picture.
#[tool(pure)]
fn draw() -> ToolOutput {
    ToolOutput::from(Content::image([1, 2, 3], "image/png"))
}

/// Fail.
#[tool(pure)]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("there is no paper"))
}

/// Deploy to a place.
#[tool]
async fn deploy_site(place: String) -> String {
    format!("deployed to {place}")
}

/// Repeat the optional word.
#[tool(pure)]
fn repeat(word: Option<String>, #[arg(default = 2)] times: usize) -> String {
    word.as_deref().unwrap_or("nothing").repeat(times)
}

fn registry() -> ToolRegistry {
    ToolRegistry::new()
        .with(Add)
        .with(Draw)
        .with(Fail)
        .with(DeploySite)
        .with(Repeat)
}

fn session() -> Session {
    let executor = Executor::builder(registry()).permission_checker(AllowAll);
    executor.build().unwrap().session("s")
}

/// A gate that ends every turn.
struct Spent;

impl ToolGate for Spent {
    fn decide(&self, _: &GateCall<'_>) -> Option<GateDecision> {
        Some(GateDecision::block("the budget is spent"))
    }
}

/// The results in messages, in their order: the id of the call, and all of it.
fn results(api: Api, messages: &[Message]) -> Vec<(String, Value)> {
    let parsed = |message: &Message| serde_json::from_str::<Value>(message.as_str()).unwrap();
    let all: Vec<Value> = messages.iter().map(parsed).collect();
    let blocks: Vec<Value> = match api {
        Api::OpenAiChat | Api::Compatible | Api::OpenAiResponses => all,
        Api::Anthropic => all
            .iter()
            .flat_map(|m| m["content"].as_array().unwrap().clone())
            .collect(),
        _ => all
            .iter()
            .flat_map(|m| m["parts"].as_array().unwrap().clone())
            .map(|part| part["functionResponse"].clone())
            .collect(),
    };
    let id = |block: &Value| {
        let fields = ["tool_call_id", "call_id", "tool_use_id", "id"];
        let id = fields.iter().find_map(|field| block[*field].as_str());
        id.unwrap_or_else(|| panic!("{block}")).to_owned()
    };
    blocks
        .into_iter()
        .map(|block| (id(&block), block))
        .collect()
}

#[tokio::test]
async fn s3_40_every_call_has_exactly_one_result_in_the_order_of_the_calls() {
    let session = session();
    for api in Api::ALL {
        let tools = ModelTools::new(api, &session);
        let calls = [
            ("c1", "add", json!({"a": 1, "b": 2})),
            ("c2", "no_such_tool", json!({})),
            ("c3", "fail", json!({})),
            ("c4", "add", json!({"a": "x"})),
            ("c5", "draw", json!({})),
            ("c6", "add", json!([1, 2])),
        ];
        let asked = message(api, &calls);
        let reply = tools.answer(&asked).await.unwrap();
        assert!(reply.has_calls());
        assert_eq!(reply.suspended().count(), 0);
        let own = if api == Api::OpenAiResponses {
            calls.len()
        } else {
            1
        };
        let results = results(api, &reply.messages[own..]);
        let ids: Vec<&str> = results.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["c1", "c2", "c3", "c4", "c5", "c6"], "{api}");
        let texts: Vec<String> = results.iter().map(|(_, block)| block.to_string()).collect();
        for (text, expected) in texts.iter().zip([
            "3",
            "no_such_tool",
            "there is no paper",
            "`/b`",
            "image/png",
            "object",
        ]) {
            assert!(text.contains(expected), "{api}: {text}");
        }
        if api == Api::Anthropic {
            let errors: Vec<bool> = results.iter().map(|(_, r)| r["is_error"] == true).collect();
            assert_eq!(errors, [false, true, true, true, false, true]);
        }
    }
}

#[tokio::test]
async fn a_message_without_calls_ends_the_loop() {
    let session = session();
    for (api, text) in [
        (
            Api::OpenAiChat,
            json!({"role": "assistant", "content": "Done."}),
        ),
        (
            Api::Compatible,
            json!({"message": {"role": "assistant", "content": "Done."}}),
        ),
        (
            Api::OpenAiResponses,
            json!({"output": [{"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": "Done.", "annotations": []}]}]}),
        ),
        (
            Api::Anthropic,
            json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
        ),
        (
            Api::Gemini,
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}}]}),
        ),
    ] {
        let tools = ModelTools::new(api, &session);
        let reply = tools.answer(&text.to_string()).await.unwrap();
        assert!(!reply.has_calls());
        assert_eq!(
            (reply.text.as_str(), reply.messages.len()),
            ("Done.", 1),
            "{api}"
        );
    }
}

#[tokio::test]
async fn a_strict_null_means_absent() {
    let executor = Executor::builder(registry()).permission_checker(AllowAll);
    // Arguments that follow the shown schema are no slip: nothing has to be repaired.
    let session = executor.strict(true).build().unwrap().session("s");
    for api in [Api::OpenAiChat, Api::OpenAiResponses] {
        let tools = ModelTools::new(api, &session);
        let options = ListOptions::new().strict(Strict::Force);
        let tools = tools.with_options(options).unwrap();
        let asked = message(
            api,
            &[
                ("c1", "repeat", json!({"word": "ab", "times": null})),
                ("c2", "repeat", json!({"word": null, "times": 1})),
            ],
        );
        let reply = tools.answer(&asked).await.unwrap();
        let texts: Vec<String> = reply.outcomes.iter().map(ToolOutcome::text).collect();
        assert_eq!(texts, ["abab", "nothing"], "{api}");
        assert!(
            reply
                .outcomes
                .iter()
                .all(|o| o.result().repairs().is_empty()),
            "{api}"
        );
    }
}

#[tokio::test]
async fn a_suspended_call_has_a_placeholder_and_a_late_result() {
    for api in Api::ALL {
        let executor = Executor::builder(registry()).approvals(WaitMode::Suspending);
        let session = executor.build().unwrap().session("s");
        let tools = ModelTools::new(api, &session);
        let calls = [
            ("c1", "deploy_site", json!({"place": "test"})),
            ("c2", "add", json!({"a": 1, "b": 2})),
        ];
        let reply = tools.answer(&message(api, &calls)).await.unwrap();
        let own = if api == Api::OpenAiResponses { 2 } else { 1 };
        let results = results(api, &reply.messages[own..]);
        assert_eq!(results.len(), 2);
        assert!(results[1].1.to_string().contains('3'), "{api}");
        let waits = reply.suspended().next().unwrap();
        let placeholder = waits.result().text();
        let shown = results[0].1.to_string();
        assert!(
            shown.contains(placeholder.lines().next().unwrap()),
            "{api}: {shown}"
        );

        let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
        let late = tools.late_result(outcome.result());
        let late: Value = serde_json::from_str(late.as_str()).unwrap();
        assert_eq!(late["role"], "user", "{api}: {late}");
        assert!(
            late.to_string().contains("deployed to test"),
            "{api}: {late}"
        );
        assert!(late.to_string().contains("deploy_site"), "{api}: {late}");
    }
}

#[tokio::test]
async fn a_block_ends_the_run_and_every_call_still_has_its_result() {
    let executor = Executor::builder(registry())
        .permission_checker(AllowAll)
        .gate(Spent);
    let session = executor.build().unwrap().session("s");
    let tools = ModelTools::new(Api::OpenAiChat, &session);
    let calls = [
        ("c1", "add", json!({"a": 1, "b": 2})),
        ("c2", "deploy_site", json!({"place": "x"})),
    ];
    let reply = tools
        .answer(&message(Api::OpenAiChat, &calls))
        .await
        .unwrap();
    assert!(
        reply
            .failed()
            .unwrap()
            .error()
            .to_string()
            .contains("the budget is spent")
    );
    assert_eq!(results(Api::OpenAiChat, &reply.messages[1..]).len(), 2);
}

#[tokio::test]
async fn text_that_is_no_message_runs_nothing_and_says_what_it_is() {
    let session = session();
    for api in Api::ALL {
        let tools = ModelTools::new(api, &session);
        for text in ["", "<html>502</html>", "17", "{}"] {
            let error = tools.answer(text).await.unwrap_err();
            assert!(!error.to_string().is_empty(), "{api}: {text}");
        }
        let refused = json!({"error": {"type": "rate_limit_error", "message": "slow down"}});
        let error = tools.answer(&refused.to_string()).await.unwrap_err();
        assert!(error.to_string().contains("slow down"), "{api}: {error}");
    }
}

#[tokio::test]
async fn a_request_has_the_tools_and_messages_byte_for_byte() {
    let session = session();
    for api in Api::ALL {
        let tools = ModelTools::new(api, &session);
        let asked = message(api, &[("c1", "add", json!({"a": 1, "b": 2}))]);
        let reply = tools.answer(&asked).await.unwrap();
        let mut messages = vec![tools.user("Add \"1\" and 2.")];
        messages.extend(reply.messages);
        let body = tools.request(&json!({"model": "m"}), &messages).unwrap();
        let parsed: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(parsed["model"], "m");
        assert!(body.contains(tools.list().as_str()), "{api}");
        for message in &messages {
            assert!(body.contains(message.as_str()), "{api}");
        }
        for field in ["messages", "input", "contents"] {
            if parsed.get(field).is_some() {
                let twice = tools.request(&json!({ field: [] }), &messages);
                let error = twice.unwrap_err().to_string();
                assert!(error.contains(field), "{api}: {error}");
            }
        }
        assert!(tools.request(&json!("gpt"), &messages).is_err());
        let none = tools.select([]).unwrap();
        let body = none.request(&json!({"model": "m"}), &messages).unwrap();
        assert!(!body.contains("\"tools\""), "{api}: {body}");
    }
}
