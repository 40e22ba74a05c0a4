//! Results: how they are made, told apart, written and read.

use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ResultSource, ToolStatus};
use toolwright::executor::WaitMode;
use toolwright::permission::Verdict;
use toolwright::{
    Content, Executor, ExecutorBuilder, ToolCall, ToolError, ToolOutput, ToolRegistry, ToolResult,
    ToolSpec, tool,
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

/// A result that is not there yet: of a job elsewhere, and of a call that waits for a person.
async fn pending() -> Vec<ToolResult> {
    let job = crate::support::HandMade::new("job").run(|_, _| Ok(ToolOutput::pending("it runs")));
    let ask = |tool: &ToolSpec| match tool.name().as_str() {
        "nothing" => Verdict::ask("it is early"),
        _ => Verdict::Allow,
    };
    let builder = || {
        Executor::builder(ToolRegistry::new().with(job.clone()).with(Nothing))
            .permission_checker(crate::support::judge(ask, |_, _| Verdict::Allow))
            .approvals(WaitMode::Suspending)
    };
    vec![
        run(builder(), "job", json!({})).await,
        run(builder(), "nothing", json!({})).await,
    ]
}

/// As JSON, without the ids that differ from call to call.
fn without_ids(result: &ToolResult) -> Value {
    let mut json = result.to_json().unwrap();
    for id in ["invocation_id", "ticket"] {
        if let Some(id) = json.get_mut(id) {
            assert!(!id.take().is_null());
        }
    }
    json
}

#[tokio::test]
async fn s4_18_exactly_one_predicate_holds_and_the_json_is_stable() {
    let [(good, bad), (good_again, bad_again)] = [all_sorts().await, all_sorts().await];
    let [waiting, waiting_again] = [pending().await, pending().await];
    for (results, again, expected) in [
        (&good, &good_again, ToolStatus::Success),
        (&bad, &bad_again, ToolStatus::Error),
        (&waiting, &waiting_again, ToolStatus::Pending),
    ] {
        for (result, again) in results.iter().zip(again) {
            assert_eq!(result.status(), expected);
            let holds = [
                (result.is_success(), ToolStatus::Success),
                (result.is_error(), ToolStatus::Error),
                (result.is_pending(), ToolStatus::Pending),
            ];
            let holds = holds.iter().filter(|(holds, _)| *holds);
            assert_eq!(holds.map(|(_, of)| *of).collect::<Vec<_>>(), [expected]);
            assert_eq!(result.error().is_some(), expected == ToolStatus::Error);
            assert_eq!(result.to_json().unwrap()["status"], json!(expected));
            // The same call once more, and the same result once it was read back.
            let back = serde_json::from_value(result.to_json().unwrap()).unwrap();
            assert_eq!(
                result.to_json().unwrap(),
                ToolResult::to_json(&back).unwrap()
            );
            if result.duration().is_none() {
                assert_eq!(without_ids(result), without_ids(again));
            }
        }
    }
    let text = json!({"type": "text", "text": "2 words"});
    let words = json!({"type": "json", "json": {"words": ["a", "b"]}});
    let refused = "[rebuilding] the index is being rebuilt";
    for (result, expected) in [
        (
            &good[0],
            json!({
                "call_id": "call-1",
                "invocation_id": null,
                "tool": "text.words",
                "status": "success",
                "source": "tool",
                "content": [words, text],
                "metadata": {"cost": 3},
            }),
        ),
        (
            &bad[1],
            json!({
                "call_id": "call-1",
                "invocation_id": null,
                "tool": "refuse",
                "status": "error",
                "source": "tool",
                "content": [{"type": "text", "text": refused}],
                "error": {
                    "kind": "failed",
                    "code": "rebuilding",
                    "message": refused,
                    "retryable": false,
                },
            }),
        ),
        (
            &waiting[0],
            json!({
                "call_id": "call-1",
                "invocation_id": null,
                "tool": "job",
                "status": "pending",
                "source": "tool",
                "content": [{"type": "text", "text": "it runs"}],
            }),
        ),
    ] {
        assert_eq!(without_ids(result), expected);
    }
    assert!(waiting[1].ticket().is_some());
}
