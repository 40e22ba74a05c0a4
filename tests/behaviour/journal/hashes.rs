//! The hashes of requests, results and runs.

use std::collections::HashSet;

use serde_json::json;
use toolwright::event::EventKind;
use toolwright_journal::{CanonicalJson, RecordedOutput};

use super::records::{executor, told, tools};
use super::support::{recorded, requests, response_of, responses};

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
