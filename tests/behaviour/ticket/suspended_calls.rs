//! Calls that are suspended and resumed: their status, their ticket, and each way to go on.

use std::sync::Arc;

use serde_json::json;
use toolwright::content::{ErrorKind, ResultSource, ToolStatus};
use toolwright::executor::WaitMode;
use toolwright::outcome::Suspension;
use toolwright::permission::Verdict;
use toolwright::question::ExternalWait;
use toolwright::ticket::{
    Answer, Answers, CloseReason, ResumeMode, Ticket, TicketBroker, TicketErrorKind, TicketEvent,
    TicketEvents, WaitKind,
};
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutput, ToolRegistry, tool,
};

use crate::support::{HandMade, Trace, judge};
use crate::waiting_support::{Host, Runs, interrupted, opened};

pub(super) fn executor(tools: ToolRegistry) -> (Executor, Arc<Runs>, Trace) {
    let (runs, trace) = (Arc::new(Runs::default()), Trace::default());
    let executor = Executor::builder(tools)
        .resource(Arc::clone(&runs))
        .resource(trace.clone())
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    (executor, runs, trace)
}

pub(super) async fn suspended(session: &Session, tool: &str, arguments: &str) -> Suspension {
    interrupted(session.call(ToolCall::new(tool, arguments)).await)
}

#[tokio::test]
async fn s4_11_a_call_that_waits_is_pending_and_so_is_the_run() {
    let host = Host::new(WaitMode::Suspending);
    let suspension = host.suspended("deploy", r#"{"place": "test"}"#).await;
    assert_eq!(suspension.result().status(), ToolStatus::Pending);
    assert!(suspension.result().is_pending());
    assert_eq!(host.open().await.len(), 1);

    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!call.is_finished());
    let answered = host.tickets().answer(ticket.id(), Answer::yes()).await;
    assert!(answered.unwrap().is_settled());
    assert_eq!(call.await.unwrap().result().status(), ToolStatus::Success);
}

#[tokio::test]
async fn s4_16_a_result_can_be_pending_without_a_ticket() {
    let job = HandMade::new("job").run(|_, _| Ok(ToolOutput::pending("job 17 runs")));
    let outcome = crate::support::outcome(job);
    let result = outcome.result();
    assert_eq!(result.status(), ToolStatus::Pending);
    assert!(!result.is_error() && !result.is_success());
    assert_eq!(result.ticket(), None);
    assert_eq!(result.text(), "job 17 runs");
    assert!(outcome.suspension().is_none());
}

#[tokio::test]
async fn s4_17_a_suspended_call_has_its_ticket() {
    let host = Host::new(WaitMode::Suspending);
    let outcome = host.call("deploy", r#"{"place": "test"}"#).await;
    let id = outcome.result().ticket().unwrap();
    assert_eq!(host.tickets().get(id).await.unwrap().id(), id);
    assert_eq!(interrupted(outcome).id(), id);
}

#[tokio::test]
async fn a_checker_that_asks_leaves_the_call_to_a_decision_from_outside() {
    let runs = Arc::new(Runs::default());
    let of_tool = Arc::clone(&runs);
    let tool = HandMade::new("plain").run(move |_, _| {
        of_tool.add();
        Ok(ToolOutput::text("ran"))
    });
    let executor = Executor::builder(ToolRegistry::new().with(tool))
        .permission_checker(judge(
            |_| Verdict::ask("the gate says so"),
            |_, _| Verdict::Allow,
        ))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let suspension = suspended(&session, "plain", "{}").await;
    assert_eq!(suspension.kind(), WaitKind::Approval);
    assert_eq!(suspension.requests()[0].why(), Some("the gate says so"));
    assert_eq!(runs.count(), 0);
    let waits = session.resume(suspension.ticket(), Answers::none()).await;
    assert_eq!(interrupted(waits.unwrap()).id(), suspension.id());
    assert_eq!(runs.count(), 0);
    let outcome = session.resume(suspension.ticket(), Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "ran");
    assert_eq!(runs.count(), 1);
}

/// The events of a ticket, in short.
fn told(events: &mut TicketEvents, ticket: &Ticket) -> Vec<&'static str> {
    let mut told = Vec::new();
    while let Some(event) = events.try_recv() {
        let (of, what) = match event {
            TicketEvent::Opened(tickets) => (tickets[0].id(), "opened"),
            TicketEvent::Answered { ticket, .. } => (ticket.id(), "answered"),
            TicketEvent::Resuming(ticket) => (ticket.id(), "resuming"),
            TicketEvent::Running(ticket) => (ticket.id(), "running"),
            TicketEvent::Closed { ticket, how, .. } => {
                let what = match how {
                    CloseReason::Used => "used",
                    _ => "not used",
                };
                (ticket.id(), what)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(of, ticket.id());
        told.push(what);
    }
    told
}

#[tokio::test]
async fn s4_50_a_suspended_call_is_resuming_and_then_running() {
    let host = Host::new(WaitMode::Suspending);
    let mut events = host.tickets().subscribe();
    let suspension = host.suspended("deploy", r#"{"place": "test"}"#).await;
    let ticket = suspension.ticket();
    host.session.resume(ticket, Answer::yes()).await.unwrap();
    let expected = ["opened", "answered", "used", "resuming", "running"];
    assert_eq!(told(&mut events, ticket), expected);

    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let mut others = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    host.tickets()
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    call.await.unwrap();
    assert_eq!(told(&mut others, &ticket), expected);
}

#[tokio::test]
async fn s4_50_a_refused_call_is_never_resuming() {
    let host = Host::new(WaitMode::Suspending);
    let mut events = host.tickets().subscribe();
    let suspension = host.suspended("deploy", r#"{"place": "test"}"#).await;
    let ticket = suspension.ticket();
    host.session.resume(ticket, Answer::no()).await.unwrap();
    assert_eq!(told(&mut events, ticket), ["opened", "answered", "used"]);
}

/// Count what is there, or wait for the count.
#[tool(register = false, read_only)]
async fn count(
    n: Option<u64>,
    how: String,
    ctx: &ToolContext,
    runs: &Arc<Runs>,
) -> Result<String, ToolError> {
    runs.add();
    let Some(n) = n else {
        let resume = match &*how {
            "run again" => ResumeMode::RunAgain,
            "result" => ResumeMode::AnswerIsResult,
            _ => ResumeMode::AnswerIsArguments,
        };
        let wait = ExternalWait::external("somebody counts").resume(resume);
        let answer = ctx.wait_for(wait).await?;
        return Ok(format!("told of {answer}"));
    };
    Ok(format!("there are {n}"))
}

async fn resumed(how: &str, answer: Answer) -> (toolwright::ToolOutcome, u32) {
    let (executor, runs, _) = executor(ToolRegistry::new().with(Count));
    let session = executor.session("s-1");
    let arguments = json!({ "how": how }).to_string();
    let suspension = suspended(&session, "count", &arguments).await;
    assert_eq!(runs.count(), 1);
    let outcome = session.resume(suspension.ticket(), answer).await.unwrap();
    assert_eq!(
        outcome.result().invocation_id(),
        suspension.result().invocation_id()
    );
    (outcome, runs.count())
}

#[tokio::test]
async fn s4_52_a_call_runs_again_and_finds_the_decision() {
    let (outcome, runs) = resumed("run again", Answer::value(17)).await;
    assert_eq!(outcome.text(), "told of 17");
    assert_eq!(outcome.result().source(), ResultSource::Tool);
    assert_eq!(runs, 2);
}

#[tokio::test]
async fn s4_52_the_decision_is_the_result() {
    let (outcome, runs) = resumed("result", Answer::value(17)).await;
    assert_eq!(outcome.text(), "17");
    assert_eq!(outcome.result().source(), ResultSource::Answer);
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn s4_52_the_decision_is_the_arguments() {
    let arguments = json!({"n": 17, "how": "arguments"});
    let (outcome, runs) = resumed("arguments", Answer::value(arguments)).await;
    assert_eq!(outcome.text(), "there are 17");
    assert_eq!(runs, 2);
    // They are validated like any.
    let arguments = json!({"n": "many", "how": "arguments"});
    let (outcome, runs) = resumed("arguments", Answer::value(arguments)).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::InvalidArguments);
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn s4_53_a_ticket_has_what_is_asked_the_call_and_the_mode_and_survives_as_json() {
    let (executor, _, _) = executor(ToolRegistry::new().with(Count));
    let session = executor.session("s-1");
    for (how, mode) in [
        ("run again", ResumeMode::RunAgain),
        ("result", ResumeMode::AnswerIsResult),
        ("arguments", ResumeMode::AnswerIsArguments),
    ] {
        let arguments = json!({ "how": how });
        let call = ToolCall::new("count", arguments.clone()).with_id("c-1");
        let suspension = interrupted(session.call(call).await);
        let text = serde_json::to_string(&suspension).unwrap();
        let read: Suspension = serde_json::from_str(&text).unwrap();
        assert_eq!(read, suspension);
        let ticket = read.ticket();
        assert_eq!(ticket.requests()[0].summary(), "somebody counts");
        assert_eq!(ticket.call().tool().as_str(), "count");
        assert_eq!(ticket.call().call_id().unwrap().as_str(), "c-1");
        assert_eq!(ticket.call().arguments(), Some(&arguments));
        assert_eq!(ticket.resume_mode(), mode);
        // A ticket that was read from JSON works as the original.
        let text = serde_json::to_string(&**ticket).unwrap();
        let ticket: Ticket = serde_json::from_str(&text).unwrap();
        let answer = Answer::value(json!({"n": 1, "how": how}));
        assert!(session.resume(&ticket, answer).await.unwrap().is_success());
    }
}

async fn cancelled(tickets: &TicketBroker, ticket: &Ticket) {
    tickets.cancel(ticket.id()).await.unwrap();
    let error = tickets
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::Cancelled);
}

#[tokio::test]
async fn s4_54_a_decision_may_be_to_cancel() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy", r#"{"place": "test"}"#);
    let ticket = opened(&mut events).await.remove(0);
    cancelled(host.tickets(), &ticket).await;
    let outcome = call.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
    assert_eq!(host.runs.count(), 0);

    let host = Host::new(WaitMode::Suspending);
    let suspension = host.suspended("deploy", r#"{"place": "test"}"#).await;
    let ticket = suspension.ticket();
    cancelled(host.tickets(), ticket).await;
    for answers in [Answers::none(), Answer::yes().into()] {
        let error = host.session.resume(ticket, answers).await.unwrap_err();
        assert_eq!(error.kind(), TicketErrorKind::Cancelled);
    }
    assert_eq!(host.runs.count(), 0);
}
