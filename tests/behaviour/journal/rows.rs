//! The rows of the list that the journal shows.

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
use toolwright_journal::{CanonicalJson, JournalKey, MemoryLog, RecordKind, RecordedOutput};

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

fn tools() -> ToolRegistry {
    ToolRegistry::new()
        .with(Order)
        .with(RandomMap)
        .with(Say)
        .with(Wait)
        .with(Fail)
        .with(Kept)
        .with(Twice)
}

fn executor() -> (Executor, MemoryLog) {
    let (builder, log) = recorded(tools());
    (builder.build().unwrap(), log)
}

type Told = Arc<Mutex<Vec<EventKind>>>;

fn told() -> (Told, impl Fn(&Arc<Event>) + Send + Sync + 'static) {
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
async fn s1_23_the_order_of_members_does_not_change_what_is_recorded() {
    let (executor, log) = executor();
    for names in [
        ["a", "bc", "\u{20ac}"],
        ["\u{20ac}", "a", "bc"],
        ["bc", "\u{20ac}", "a"],
    ] {
        executor.call("order", json!({ "names": names })).await;
    }
    let recorded: Vec<RecordedOutput> = responses(&log).into_iter().map(|r| r.output).collect();
    assert_eq!(recorded.len(), 3);
    let RecordedOutput::Inline(first) = &recorded[0] else {
        panic!("it is small");
    };
    assert_eq!(
        first.as_str(),
        r#"{"content":[{"json":{"a":{"of":1},"bc":{"of":2},"€":{"of":3}},"type":"json"}],"status":"success"}"#
    );
    assert!(recorded.iter().all(|output| *output == recorded[0]));
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
async fn s1_30_outputs_that_differ_in_the_order_of_members_alone_share_a_hash() {
    let (executor, _) = executor();
    let hash = async |names: &[&str]| {
        let outcome = executor.call("order", json!({ "names": names })).await;
        outcome.result().response_hash().unwrap()
    };
    let one = hash(&["a", "b"]).await;
    assert_eq!(one, hash(&["b", "a"]).await);
    assert_ne!(one, hash(&["a", "c"]).await);
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
async fn s1_32_maps_of_any_order_have_one_hash_over_100_runs() {
    let (executor, _) = executor();
    let mut hashes = HashSet::new();
    for _ in 0..100 {
        let outcome = executor.call("random_map", r#"{"size": 20}"#).await;
        hashes.insert(outcome.result().response_hash().unwrap());
    }
    assert_eq!(hashes.len(), 1);
}

#[test]
fn s1_33_canonical_json_is_that_of_rfc_8785() {
    for (text, canonical) in [
        // The sample of §3.2.3.
        (
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
        ),
        // Names as UTF-16: a pair of surrogates goes before U+FB33.
        (
            r#"{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"1":4,"\r":5}"#,
            "{\"\\r\":5,\"1\":4,\"€\":3,\"😀\":2,\"\u{fb33}\":1}",
        ),
        (
            r#"[56.0,{"d":true,"10":null,"1":[]}]"#,
            r#"[56,{"1":[],"10":null,"d":true}]"#,
        ),
        (
            r#"{"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}"#,
            r#"{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}"#,
        ),
    ] {
        assert_eq!(CanonicalJson::from_text(text).unwrap().as_str(), canonical);
    }
}

/// These hashes are part of the form: a journal of before has them.
#[tokio::test]
async fn s1_34_hashes_are_the_same_on_every_run_and_machine() {
    let (executor, log) = executor();
    let outcome = executor.call("order", r#"{"names": ["b", "a"]}"#).await;
    let request = requests(&log).remove(0);
    assert_eq!(request.input.arguments.as_str(), r#"{"names":["b","a"]}"#);
    let by_hand = r#"{"arguments":{"names":["b","a"]},"tool":"order"}"#;
    assert_eq!(
        request.input.request_hash,
        toolwright::content::ContentHash::of(by_hand)
    );
    assert_eq!(
        request.input.request_hash.to_string(),
        "f27c145e653b51ca274fe30076e622d317e2159cc6b6c330f86b9777832e2099"
    );
    assert_eq!(
        outcome.result().response_hash().unwrap().to_string(),
        "30193eff82d69b56435bc0539a0d127f3cf3f96327d507cf5303ca5522e66ce0"
    );
    let failed = executor.call("fail", "{}").await;
    assert_eq!(
        failed.result().response_hash().unwrap().to_string(),
        "2329ea9fb51035414e4aef2120f9b3371aeb29e61d7548c265e1757106d14786"
    );
    assert_eq!(
        toolwright_journal::verify(&log)
            .unwrap()
            .run_hash
            .to_string(),
        "cba2c7a099c90da2d2ba5f38fc20cea4de67061ca5bbdf9602044696eb0bdd2c"
    );
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

#[tokio::test]
async fn s1_39_each_response_names_the_hash_of_its_request() {
    let (builder, log) = recorded(tools());
    let (told, sink) = told();
    let executor = builder.events(sink).build().unwrap();
    executor.call("say", r#"{"word": "a"}"#).await;
    executor.call("twice", r#"{"word": "b"}"#).await;
    executor.call("fail", "{}").await;
    executor.call("nothing", "{}").await;
    let (requests, responses) = (requests(&log), responses(&log));
    assert_eq!(requests.len(), 6);
    for request in &requests {
        let response = response_of(&log, request.invocation);
        assert_eq!(response.request_hash, request.input.request_hash);
    }
    // Equal calls have equal hashes, and events name them.
    let of = |tool: &str| {
        let of: Vec<_> = requests.iter().filter(|r| r.tool == tool).collect();
        of.iter().map(|r| r.input.request_hash).collect::<Vec<_>>()
    };
    assert_eq!(of("say")[1], of("say")[2]);
    assert_ne!(of("say")[0], of("say")[1]);
    let finished = told.lock().unwrap();
    let named: Vec<_> = finished
        .iter()
        .filter_map(|kind| match kind {
            EventKind::Finished {
                request_hash,
                response_hash,
                ..
            } => Some(request_hash.zip(*response_hash).unwrap()),
            _ => None,
        })
        .collect();
    let recorded: Vec<_> = responses
        .iter()
        .map(|r| (r.request_hash, r.response_hash))
        .collect();
    assert_eq!(named, recorded);
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
