//! Dispatchers that cannot be reached for a while, and those that lose calls.

use std::sync::Arc;

use toolwright::content::ErrorKind;
use toolwright::{ToolCall, ToolOutcome};

use super::relay::{Fault, Relay};
use super::{app, local, registry};
use crate::waiting_support::Runs;

struct Called {
    outcome: ToolOutcome,
    relay: Relay,
    runs: u32,
}

async fn called(tool: &str, faults: impl IntoIterator<Item = Fault>) -> Called {
    let runs = Arc::new(Runs::default());
    let relay = Relay::new(local(&runs), faults);
    let app = app(relay.clone(), registry(), |builder| builder);
    let arguments = match tool {
        "render" => r#"{"scene": "a beach"}"#,
        _ => "{}",
    };
    let session = app.session("s-1");
    let outcome = session.call(ToolCall::new(tool, arguments)).await;
    Called {
        outcome,
        relay,
        runs: runs.count(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_a_dispatcher_that_comes_back_and_runs_once() {
    use Fault::{AnswerLost, NotAsked, NotSubmitted};
    for faults in [
        vec![NotSubmitted; 12],
        vec![AnswerLost, NotSubmitted, AnswerLost],
        vec![NotAsked; 12],
        vec![NotSubmitted, AnswerLost, NotAsked, NotAsked],
    ] {
        let called = called("render", faults.clone()).await;
        assert_eq!(called.outcome.text(), "rendered a beach", "{faults:?}");
        assert_eq!(called.runs, 1, "{faults:?}");
        assert_eq!(called.relay.left(), 0, "{faults:?}");
        let id = called.outcome.result().invocation_id();
        assert!(called.relay.submitted().iter().all(|each| *each == id));
        assert!(called.relay.cancelled().is_empty(), "{faults:?}");
    }
}

#[tokio::test]
async fn of_a_lost_call_that_may_run_once_nobody_knows_the_effect() {
    for fault in [Fault::Forgotten, Fault::CutOff] {
        let called = called("render", [fault]).await;
        let error = called.outcome.error().unwrap();
        assert_eq!(
            called.outcome.text(),
            "the call was cut off where its tool runs; whether it had an effect is unknown, so check before you repeat it"
        );
        assert_eq!(
            (error.kind(), error.is_retryable()),
            (ErrorKind::Indeterminate, false)
        );
        assert_eq!(called.relay.submitted().len(), 1);
    }
}

#[tokio::test]
async fn a_lost_call_of_an_idempotent_tool_may_be_repeated() {
    let called = called("measure", [Fault::Forgotten]).await;
    let error = called.outcome.error().unwrap();
    assert_eq!(
        called.outcome.text(),
        "the call was lost on the way to where its tool runs; it may have run, and may be repeated"
    );
    assert_eq!(
        (error.kind(), error.is_retryable()),
        (ErrorKind::Unavailable, true)
    );
}

#[tokio::test]
async fn an_idempotent_call_that_was_cut_off_says_so() {
    let called = called("measure", [Fault::CutOff]).await;
    let error = called.outcome.error().unwrap();
    assert_eq!(called.outcome.text(), "the worker was shut down");
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}
