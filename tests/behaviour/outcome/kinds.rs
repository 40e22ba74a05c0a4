//! The kinds of outcome: completed, suspended, failed.

use toolwright::content::ToolStatus;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, WaitKind};
use toolwright::{Executor, PermissionRequest, ToolError, ToolOutcome, ToolRegistry, tool};

use crate::waiting_support::{Host, interrupted};

/// Fail in a way that ends the run.
#[tool(register = false, pure)]
fn give_up() -> Result<String, ToolError> {
    Err(ToolError::failed("the disk is gone").into_fatal())
}

#[tokio::test]
async fn s0_25_a_call_that_came_to_its_end_is_completed() {
    let host = Host::new(WaitMode::Suspending);
    for (arguments, succeeds) in [(r#"{"n": 3}"#, true), (r#"{"n": "three"}"#, false)] {
        let outcome = host.call("count_to", arguments).await;
        assert!(matches!(outcome, ToolOutcome::Completed(_)), "{outcome:?}");
        assert_eq!(outcome.is_success(), succeeds);
    }
}

#[tokio::test]
async fn s0_25_a_call_that_waits_is_interrupted() {
    let host = Host::new(WaitMode::Suspending);
    let outcome = host.call("deploy", r#"{"place": "test"}"#).await;
    assert!(matches!(outcome, ToolOutcome::Suspended(_)));
    assert!(outcome.suspension().is_some());
}

#[tokio::test]
async fn s0_25_a_call_that_should_end_the_run_has_failed() {
    let executor = Executor::builder(ToolRegistry::new().with(GiveUp))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let ToolOutcome::Failed(failed) = executor.call("give_up", "{}").await else {
        panic!("it is fatal");
    };
    assert_eq!(failed.error().message(), "the disk is gone");
    assert!(failed.result().is_error());
}

#[tokio::test]
async fn s0_26_an_interruption_holds_id_kind_and_summary() {
    let host = Host::new(WaitMode::Suspending);
    let suspension = host.suspended("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(suspension.id(), suspension.ticket().id());
    assert_eq!(suspension.kind(), WaitKind::Approval);
    assert_eq!(suspension.summary(), "Deploy to test");
    let asked = PermissionRequest::from_pending(&suspension.requests()[0]).unwrap();
    assert_eq!((asked.kind(), asked.target()), ("deploy", "test"));
}

#[tokio::test]
async fn s0_28_to_need_approval_is_no_error() {
    let host = Host::new(WaitMode::Suspending);
    let outcome = host.call("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(outcome.error(), None);
    assert!(!outcome.result().is_error() && !outcome.is_success());
    assert_eq!(outcome.result().status(), ToolStatus::Pending);
    let suspension = interrupted(outcome);
    let ticket = suspension.ticket();
    let resumed = host.session.resume(ticket, Answer::yes()).await.unwrap();
    assert!(resumed.is_success());
    assert_eq!(resumed.text(), "deployed to test");
}
