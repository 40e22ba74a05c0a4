//! Arguments and answers that come another way than those that were approved.

use std::sync::Arc;

use serde_json::json;
use toolwright::executor::WaitMode;
use toolwright::question::ExternalWait;
use toolwright::ticket::{Answer, Answers, ResumeMode, TicketErrorKind, WaitKind};
use toolwright::{Executor, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool};

use crate::waiting_support::{Host, Runs, interrupted, opened};

/// Pay somebody; whom the accounts office says, if nobody is named.
#[tool(register = false)]
async fn pay(to: Option<String>, ctx: &ToolContext, runs: &Arc<Runs>) -> Result<String, ToolError> {
    let Some(to) = to else {
        let wait =
            ExternalWait::external("the accounts office").resume(ResumeMode::AnswerIsArguments);
        ctx.wait_for(wait).await?;
        return Ok("nobody is paid".to_owned());
    };
    runs.add();
    Ok(format!("paid {to}"))
}

#[tokio::test]
async fn arguments_that_come_from_elsewhere_are_approved_anew() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Pay))
        .resource(Arc::clone(&runs))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let approval = interrupted(session.call(ToolCall::new("pay", "{}")).await);
    assert_eq!(approval.kind(), WaitKind::Approval);
    let outcome = session
        .resume(approval.ticket(), Answer::yes())
        .await
        .unwrap();
    let office = interrupted(outcome);
    assert_eq!(office.kind(), WaitKind::ExternalResult);
    // Whoever answers for the office was not asked whether it may be paid.
    let arguments = Answer::value(json!({"to": "Mallory"}));
    let outcome = session.resume(office.ticket(), arguments).await.unwrap();
    let again = interrupted(outcome);
    assert_eq!(again.kind(), WaitKind::Approval);
    assert_eq!(
        again.ticket().call().arguments(),
        Some(&json!({"to": "Mallory"}))
    );
    assert_eq!(runs.count(), 0);
    let outcome = session.resume(again.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "paid Mallory");
    assert_eq!(runs.count(), 1);
}

/// A call that waits in its place has somebody who waits for it; who resumes it besides runs it once
/// with it, or not at all.
#[tokio::test]
async fn a_call_that_waits_in_place_and_is_resumed_runs_once() {
    for answered_before in [true, false] {
        let host = Host::new(WaitMode::Blocking);
        let mut events = host.tickets().subscribe();
        let call = host.spawn("deploy", r#"{"place": "test"}"#);
        let ticket = opened(&mut events).await.remove(0);
        let answers = if answered_before {
            let answered = host.tickets().answer(ticket.id(), Answer::yes()).await;
            assert!(answered.unwrap().is_settled());
            Answers::none()
        } else {
            Answer::yes().into()
        };
        let resumed = host.session.resume(&ticket, answers).await;
        let waited = call.await.unwrap();
        let succeeded = |outcome: &ToolOutcome| u32::from(outcome.is_success());
        let ends = succeeded(&waited)
            + match &resumed {
                Ok(outcome) => succeeded(outcome),
                Err(error) => {
                    assert_eq!(error.kind(), TicketErrorKind::Used);
                    0
                }
            };
        assert_eq!((ends, host.runs.count()), (1, 1), "{waited:?} {resumed:?}");
    }
}
