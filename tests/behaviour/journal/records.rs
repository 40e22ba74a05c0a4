//! The records of calls: requests, and responses of each kind.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::content::{ErrorKind, ResultSource, ToolStatus};
use toolwright::event::{Event, EventKind};
use toolwright::executor::Limits;
use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::{
    Executor, ToolCall, ToolContext, ToolError, ToolOutput, ToolRegistry, ToolResult, tool,
};
use toolwright_journal::{JournalKey, MemoryLog, RecordKind};

use super::support::{FailingLog, Fault, recorded, requests, response_of, responses, words};

/// Give an object, with its members in some order.
#[tool(register = false, pure)]
fn order(names: Vec<String>) -> ToolOutput {
    let members = names
        .iter()
        .map(|name| format!("{name:?}: {{\"of\": {}}}", name.len()));
    let text = format!("{{{} }}", members.collect::<Vec<_>>().join(","));
    ToolOutput::json(&serde_json::value::RawValue::from_string(text).unwrap()).unwrap()
}

/// Give a map whose order is left to chance.
#[tool(register = false, pure)]
fn random_map(size: u32) -> HashMap<String, HashSet<u32>> {
    (0..size)
        .map(|n| (format!("key {n}"), HashSet::from([n])))
        .collect()
}

/// Say a word back.
#[tool(register = false, pure)]
fn say(word: String) -> String {
    word
}

/// Wait for ever.
#[tool(register = false, timeout = "20ms")]
async fn wait() {
    std::future::pending::<()>().await;
}

/// Fail.
#[tool(register = false)]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("it does not work").with_code("broken"))
}

/// Read what is kept.
#[tool(
    register = false,
    read_only,
    capabilities("kept:read:data", "kept:list:all")
)]
fn kept() -> &'static str {
    "kept"
}

/// Call another tool twice.
#[tool(register = false, pure)]
async fn twice(word: String, ctx: &ToolContext) -> String {
    let arguments = json!({ "word": word });
    let one = ctx.call(ToolCall::new("say", arguments.clone())).await;
    let other = ctx.call(ToolCall::new("say", arguments)).await;
    format!("{} {}", one.text(), other.text())
}

pub(super) fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(Order)
        .with(RandomMap)
        .with(Say)
        .with(Wait)
        .with(Fail)
        .with(Kept)
        .with(Twice)
}

pub(super) fn executor() -> (Executor, MemoryLog) {
    let (builder, log) = recorded(tools());
    (builder.build().unwrap(), log)
}

pub(super) type Told = Arc<Mutex<Vec<EventKind>>>;

pub(super) fn told() -> (Told, impl Fn(&Arc<Event>) + Send + Sync + 'static) {
    let told = Told::default();
    let sink = Arc::clone(&told);
    (told, move |event: &Arc<Event>| {
        sink.lock().unwrap().push(event.kind().clone());
    })
}

#[tokio::test]
async fn s1_19_a_denial_for_want_of_capabilities_is_recorded_with_tool_capabilities_and_reason() {
    let (builder, log) = recorded(tools());
    let (told, sink) = told();
    let executor = builder
        .grant_capability("kept:list:*")
        .events(sink)
        .build()
        .unwrap();
    let outcome = executor.call("kept", "{}").await;
    let error = outcome.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::CapabilityDenied);

    let response = response_of(&log, outcome.result().invocation_id());
    let recorded = response.error.unwrap();
    assert_eq!(&recorded, error);
    assert!(recorded.message().contains("kept:read:data"), "{recorded}");
    assert!(!recorded.message().contains("kept:list"), "{recorded}");
    assert_eq!(requests(&log)[0].tool, "kept");
    let told = told.lock().unwrap();
    assert!(told.iter().any(|kind| matches!(
        kind,
        EventKind::Refused { kind: ErrorKind::CapabilityDenied, missing, .. } if missing.len() == 1
    )));
}

#[tokio::test]
async fn s1_21_a_limit_that_is_exceeded_is_recorded() {
    let (builder, log) = recorded(tools());
    let (told, sink) = told();
    let executor = builder
        .limits(Limits::new().max_input_bytes(100))
        .events(sink)
        .build()
        .unwrap();
    let word = "x".repeat(200);
    let outcome = executor.call("say", json!({ "word": word })).await;
    let response = response_of(&log, outcome.result().invocation_id());
    let error = response.error.unwrap();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.message().contains("100"), "{error}");
    assert!(!log.to_text().contains(&word));
    let told = told.lock().unwrap();
    let limit = told.iter().find_map(|kind| match kind {
        EventKind::Refused { limit, .. } => *limit,
        _ => None,
    });
    assert!(limit.is_some(), "{told:?}");
}

#[tokio::test]
async fn s1_24_what_is_returned_was_recorded_before_and_what_cannot_be_is_not_returned() {
    let (executor, log) = executor();
    let outcome = executor.call("say", r#"{"word": "one"}"#).await;
    let response = response_of(&log, outcome.result().invocation_id());
    assert_eq!(
        Some(response.response_hash),
        outcome.result().response_hash()
    );

    let log = FailingLog::default();
    let (journal, _) = toolwright_journal::Journal::open(log.clone()).unwrap();
    let executor = Executor::builder(tools())
        .call_recorder(journal)
        .build()
        .unwrap();
    log.fail_after(1, Fault::Unwritten);
    let outcome = executor.call("say", r#"{"word": "one"}"#).await;
    let error = outcome.error().unwrap();
    assert!(matches!(outcome, toolwright::ToolOutcome::Failed(_)));
    assert_eq!(error.code(), "journal_unavailable");
    assert!(!outcome.text().contains("one"), "{}", outcome.text());
}

#[tokio::test]
async fn s1_25_the_data_that_is_returned_is_the_data_that_was_recorded() {
    let (executor, log) = executor();
    for (tool, arguments) in [
        (
            "order",
            json!({"names": ["z", "y", "\u{1f600}", "\u{fb33}"]}),
        ),
        ("random_map", json!({"size": 9})),
        ("say", json!({"word": "as \u{e9}\n it is"})),
    ] {
        let outcome = executor.call(tool, arguments).await;
        let result = outcome.result();
        let response = response_of(&log, result.invocation_id());
        let output = response.read_output(None).await.unwrap();
        assert_eq!(output.content(), result.content());
        let texts = |content: &[toolwright::Content]| -> Vec<String> {
            let texts = content.iter().filter_map(|part| part.as_text());
            texts.map(str::to_owned).collect()
        };
        assert_eq!(texts(output.content()), texts(result.content()));
        assert!(result.is_normalized());
    }
}

#[tokio::test]
async fn s1_29_a_result_has_its_data_the_hash_of_it_and_what_there_is_to_know_and_is_json() {
    let (builder, _) = recorded(tools());
    let executor = builder.measure_time(true).build().unwrap();
    let outcome = executor.call("random_map", r#"{"size": 2}"#).await;
    let result = outcome.result();
    assert!(result.response_hash().is_some() && result.duration().is_some());
    let written = result.to_json().unwrap();
    assert_eq!(written["source"], "tool");
    assert_eq!(written["normalized"], true);
    assert_eq!(written["response_hash"].as_str().map(str::len), Some(64));
    assert_eq!(
        written["content"][0]["json"],
        json!({"key 0": [0], "key 1": [1]})
    );
    let back: ToolResult = serde_json::from_value(written).unwrap();
    assert_eq!(&back, result);

    let plain = Executor::new(tools())
        .unwrap()
        .call("say", r#"{"word": "a"}"#)
        .await;
    assert_eq!(plain.result().response_hash(), None);
    assert!(!plain.result().is_normalized());
    let written = plain.result().to_json().unwrap();
    assert!(written.get("response_hash").is_none() && written.get("normalized").is_none());
    assert_eq!(
        &serde_json::from_value::<ToolResult>(written).unwrap(),
        plain.result()
    );
}

#[tokio::test]
async fn s1_31_an_answer_out_of_a_cache_says_so() {
    struct Cache;
    impl ToolGate for Cache {
        fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
            match call.arguments().ok()?.get("word")?.as_str()? {
                "cached" => Some(GateDecision::cached("from before")),
                "set" => Some(GateDecision::set_result("by a rule")),
                _ => None,
            }
        }
    }
    let (builder, log) = recorded(tools());
    let executor = builder.gate(Cache).build().unwrap();
    for (word, source, text) in [
        ("cached", ResultSource::Cache, "from before"),
        ("set", ResultSource::Gate, "by a rule"),
        ("run", ResultSource::Tool, "run"),
    ] {
        let outcome = executor.call("say", json!({ "word": word })).await;
        let result = outcome.result();
        assert_eq!((result.source(), result.text().as_str()), (source, text));
        assert_eq!(response_of(&log, result.invocation_id()).source, source);
        assert_eq!(result.to_json().unwrap()["source"], json!(source));
    }
}

#[tokio::test]
async fn s1_35_timeouts_denials_and_failures_are_recorded_as_responses_with_an_error() {
    let (builder, log) = recorded(tools());
    let executor = builder
        .permission_checker(toolwright::permission::DenyAll)
        .build()
        .unwrap();
    let denied = executor.call("say", r#"{"word": "a"}"#).await;
    let (builder, other) = recorded(tools());
    let executor = builder.build().unwrap();
    let late = executor.call("wait", "{}").await;
    let failed = executor.call("fail", "{}").await;
    let absent = executor.call("nothing", "{}").await;
    let unread = executor.call("say", r#"{"word": 7, "x": 1}"#).await;
    for (log, outcome, kind) in [
        (&log, &denied, ErrorKind::Denied),
        (&other, &late, ErrorKind::TimedOut),
        (&other, &failed, ErrorKind::Failed),
        (&other, &absent, ErrorKind::NotFound),
        (&other, &unread, ErrorKind::InvalidArguments),
    ] {
        let result = outcome.result();
        let response = response_of(log, result.invocation_id());
        assert_eq!(response.status, ToolStatus::Error);
        let error = response.error.as_ref().unwrap();
        assert_eq!(error.kind(), kind);
        assert_eq!(Some(error), result.error());
        assert!(!error.message().is_empty());
        assert_eq!(Some(response.response_hash), result.response_hash());
        assert_eq!(
            response.read_output(None).await.unwrap().content(),
            result.content()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s1_36_n_calls_leave_n_requests_and_n_responses() {
    let (executor, log) = executor();
    let session = executor.session("s");
    let turn = session.turn();
    let calls = (0..30).map(|n| match n % 5 {
        0 => ToolCall::new("say", json!({ "word": format!("{n}") })),
        1 => ToolCall::new("fail", "{}"),
        2 => ToolCall::new("twice", json!({ "word": format!("{n}") })),
        3 => ToolCall::new("there_is_none", "{}"),
        _ => ToolCall::new("say", "no JSON"),
    });
    let outcomes = turn.call_all(calls.collect::<Vec<_>>()).await;
    let spawned: Vec<_> = (0..10)
        .map(|n| session.spawn(ToolCall::new("random_map", json!({ "size": n }))))
        .collect();
    for handle in spawned {
        assert!(handle.join().await.is_success());
    }
    assert_eq!(outcomes.len(), 30);
    // Each of the six calls of `twice` makes two.
    let (requests, responses) = (requests(&log), responses(&log));
    assert_eq!((requests.len(), responses.len()), (52, 52));
    let asked: BTreeMap<_, _> = requests.iter().map(|r| (r.invocation, r)).collect();
    assert_eq!(asked.len(), 52);
    assert!(
        responses
            .iter()
            .all(|response| asked.contains_key(&response.invocation))
    );
    let nested = requests.iter().filter_map(|request| request.parent);
    let parents: Vec<_> = nested.map(|parent| asked[&parent].tool.clone()).collect();
    assert_eq!(parents, vec!["twice"; 12]);
    assert_eq!(words(&log).len(), 105);
}

#[test]
fn records_are_json_and_lead_back() {
    let kind: RecordKind = serde_json::from_value(json!({ "opened": { "format": 1 } })).unwrap();
    assert_eq!(
        serde_json::to_value(&kind).unwrap(),
        json!({ "opened": { "format": 1 } })
    );
    assert!(serde_json::from_value::<RecordKind>(Value::Null).is_err());
    let key = JournalKey::from_bytes([7; 32]);
    assert_eq!(format!("{key:?}"), "JournalKey");
}
