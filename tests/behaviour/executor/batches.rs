//! The calls of a batch, each for itself.

use serde_json::json;
use toolwright::{Executor, ToolCall, ToolRegistry};

use crate::support::HandMade;

#[tokio::test]
async fn trap_equal_call_ids_in_a_batch_are_calls_of_their_own() {
    let executor = Executor::new(ToolRegistry::new().with(HandMade::new("echo"))).unwrap();
    let calls = [1, 2, 3].map(|n| ToolCall::new("echo", json!({"n": n})).with_id("same"));
    let outcomes = executor.session("s").call_all(calls).await;
    let mut invocations = Vec::new();
    for (outcome, n) in outcomes.iter().zip(1..) {
        assert_eq!(outcome.text(), format!("{{\"n\":{n}}}"));
        let result = outcome.result();
        assert_eq!(result.call_id().unwrap().as_str(), "same");
        assert!(!invocations.contains(&result.invocation_id()));
        invocations.push(result.invocation_id());
    }
    assert_eq!(invocations.len(), 3);
}
