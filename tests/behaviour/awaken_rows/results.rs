//! Results: how they are made, told apart, written and read.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwright::{
    Content, ErrorKind, Executor, ExecutorBuilder, ResultSource, ToolCall, ToolError, ToolOutput,
    ToolRegistry, ToolResult, ToolStatus, tool,
};

/// Count the words of a text.
#[tool(name = "text.words", pure, register = false)]
fn words(text: String) -> Result<ToolOutput, serde_json::Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let output = ToolOutput::message(&json!({ "words": words }), format!("{} words", words.len()));
    Ok(output?.with_metadata("cost", 3))
}

/// Answer with an error.
#[tool(pure, register = false)]
fn refuse(
    /// The code to answer with.
    code: Option<String>,
) -> ToolOutput {
    match code {
        Some(code) => ToolOutput::error_with_code(code, "the index is being rebuilt"),
        None => ToolOutput::error("the index is being rebuilt"),
    }
}

/// Have nothing to say.
#[tool(pure, register = false)]
fn nothing() {}

fn builder() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Words).with(Refuse).with(Nothing))
}

async fn run(builder: ExecutorBuilder, name: &'static str, arguments: Value) -> ToolResult {
    let session = builder.build().unwrap().session("results");
    let call = ToolCall::new(name, arguments).with_id("call-1");
    session.call(call).await.into_result()
}

/// Results of all sorts, successes first.
async fn all_sorts() -> (Vec<ToolResult>, Vec<ToolResult>) {
    let good = vec![
        run(builder(), "text.words", json!({"text": "a b"})).await,
        run(builder().measure_time(true), "nothing", json!({})).await,
    ];
    let bad = vec![
        run(builder(), "refuse", json!({})).await,
        run(builder(), "refuse", json!({"code": "rebuilding"})).await,
        run(builder(), "text.words", json!({"txt": 1})).await,
        run(builder(), "no.such.tool", json!({})).await,
    ];
    (good, bad)
}

#[tokio::test]
async fn s4_09_a_result_is_written_and_read_back() {
    let (good, bad) = all_sorts().await;
    for result in good.iter().chain(&bad) {
        let text = serde_json::to_string(result).unwrap();
        let back: ToolResult = serde_json::from_str(&text).unwrap();
        assert_eq!(back, *result, "{text}");
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }
    let written = serde_json::to_value(&good[0]).unwrap();
    assert_eq!(written["tool"], "text.words");
    assert_eq!(written["status"], "success");
    assert_eq!(
        written["content"],
        json!([
            {"type": "json", "json": {"words": ["a", "b"]}},
            {"type": "text", "text": "2 words"},
        ])
    );
    assert_eq!(written["metadata"], json!({"cost": 3}));
    assert!(good[1].duration().is_some());
}

#[tokio::test]
async fn s4_10_success_is_made_and_told() {
    for output in [ToolOutput::empty(), ToolOutput::text("done"), "done".into()] {
        assert!(!output.is_error());
        assert_eq!(output.as_error(), None);
    }
    let result = run(builder(), "nothing", json!({})).await;
    assert_eq!(result.status(), ToolStatus::Success);
    assert!(result.is_success());
    assert_eq!(result.content(), []);
    assert_eq!(result.source(), ResultSource::Tool);
}

#[tokio::test]
async fn s4_14_s4_15_an_error_keeps_its_message_and_its_code() {
    let plain = run(builder(), "refuse", json!({})).await;
    assert_eq!(plain.status(), ToolStatus::Error);
    assert_eq!(plain.text(), "the index is being rebuilt");
    let error = plain.error().unwrap();
    assert_eq!(error.message(), "the index is being rebuilt");
    // Without a code of its own it has that of its kind.
    assert_eq!((error.kind(), error.code()), (ErrorKind::Failed, "failed"));

    let coded = run(builder(), "refuse", json!({"code": "rebuilding"})).await;
    assert_eq!(coded.status(), ToolStatus::Error);
    assert_eq!(coded.error().map(ToolError::code), Some("rebuilding"));
    assert_eq!(coded.to_json().unwrap()["error"]["code"], "rebuilding");
    let text = coded.text();
    assert!(text.contains("rebuilding"), "{text}");
    assert!(text.contains("the index is being rebuilt"), "{text}");
    assert_eq!(coded.content(), [Content::text(text)]);
}

#[tokio::test]
async fn s4_18_exactly_one_predicate_holds_and_the_json_is_stable() {
    let (good, bad) = all_sorts().await;
    for (results, success) in [(&good, true), (&bad, false)] {
        for result in results {
            assert_eq!(
                (result.is_success(), result.is_error()),
                (success, !success)
            );
            assert_eq!(result.error().is_some(), !success);
            assert_eq!(result.to_json().unwrap(), result.to_json().unwrap());
        }
    }

    let once = good[0].to_json().unwrap();
    let again = run(builder(), "text.words", json!({"text": "a b"})).await;
    let again = again.to_json().unwrap();
    let differing: BTreeSet<&String> = once
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, value)| again.get(key) != Some(value))
        .map(|(key, _)| key)
        .collect();
    assert_eq!(differing, BTreeSet::from([&"invocation_id".to_owned()]));

    let mut refused = bad[1].to_json().unwrap();
    refused["invocation_id"].take();
    assert_eq!(
        refused,
        json!({
            "call_id": "call-1",
            "invocation_id": null,
            "tool": "refuse",
            "status": "error",
            "source": "tool",
            "content": [{"type": "text", "text": "[rebuilding] the index is being rebuilt"}],
            "error": {
                "kind": "failed",
                "code": "rebuilding",
                "message": "[rebuilding] the index is being rebuilt",
                "retryable": false,
            },
        })
    );
}
