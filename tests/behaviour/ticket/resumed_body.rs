//! Facts that a body finds when its suspended call is resumed.

use std::sync::{Arc, Mutex};

use toolwright::context::ResumeInfo;
use toolwright::executor::WaitMode;
use toolwright::permission::Verdict;
use toolwright::question::{ExternalWait, Question};
use toolwright::ticket::{Answer, Ticket};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolRegistry, tool,
};

use super::suspended_calls::{executor, suspended};
use crate::support::{Trace, judge};
use crate::waiting_support::interrupted;

/// Paint the fence.
#[tool(register = false, read_only)]
async fn colour_fence(ctx: &ToolContext, trace: &Trace) -> Result<String, ToolError> {
    match ctx.resumed() {
        None => trace.note("new"),
        Some(resumed) => {
            let answers: Vec<String> = resumed
                .answers()
                .map(|(asked, answer)| format!("{} {answer:?}", asked.summary()))
                .collect();
            let reason = resumed.reason().unwrap_or("no reason");
            trace.note(format!("{} {reason} {}", resumed.ticket(), answers.len()));
        }
    }
    let colour = ctx.ask(Question::text("Which colour?")).await?;
    Ok(format!("the fence is {colour}"))
}

#[tokio::test]
async fn s4_29_what_was_answered_is_there_in_a_resumed_call_alone() {
    let (executor, _, trace) = executor(ToolRegistry::new().with(ColourFence));
    let session = executor.session("s-1");
    let suspension = suspended(&session, "colour_fence", "{}").await;
    assert_eq!(trace.take(), ["new"]);
    let answer = Answer::value("red");
    let outcome = session.resume(suspension.ticket(), answer).await;
    assert_eq!(outcome.unwrap().text(), "the fence is red");
    assert_eq!(trace.take(), [format!("{} no reason 1", suspension.id())]);
}

/// Open the vault.
#[tool(register = false, permission = PermissionRequest::new("open", "vault", "Open the vault"))]
async fn open_vault(ctx: &ToolContext, trace: &Trace) -> Result<String, ToolError> {
    if let Some(resumed) = ctx.resumed() {
        let said = resumed.reason().unwrap_or("nothing");
        let (id, why) = (resumed.ticket(), resumed.suspension_reason());
        trace.note(format!("{id}: {why}; answered: {said}"));
    }
    Ok("open".to_owned())
}

#[tokio::test]
async fn s4_30_the_context_tells_the_ticket_and_why_the_call_was_suspended() {
    let trace = Trace::default();
    let executor = Executor::builder(ToolRegistry::new().with(OpenVault))
        .resource(trace.clone())
        .permission_checker(judge(
            |_| Verdict::Allow,
            |_, _| Verdict::ask("there is gold in it"),
        ))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let ticket = suspended(&session, "open_vault", "{}")
        .await
        .ticket()
        .clone();
    assert_eq!(ticket.reason(), "there is gold in it");
    assert!(trace.take().is_empty());
    // The reason of the person is kept separately.
    let answer = Answer::yes().because("the king wants it");
    let outcome = session.resume(&ticket, answer).await.unwrap();
    assert!(outcome.is_success());
    let (id, why) = (ticket.id(), ticket.reason());
    assert_eq!(
        trace.take(),
        [format!("{id}: {why}; answered: the king wants it")]
    );
}

/// The reasons for a suspension, as a body reads them when it runs again.
struct Seen(Mutex<Vec<String>>);

/// Open a door, once somebody has said which.
#[tool(register = false, permission = PermissionRequest::new("open", "door", "Open a door"))]
async fn open_door(ctx: &ToolContext, seen: &Seen) -> Result<String, ToolError> {
    let why = ctx.resumed().map(ResumeInfo::suspension_reason);
    seen.0
        .lock()
        .unwrap()
        .push(why.unwrap_or_else(|| "-".to_owned()));
    let sign_in = ExternalWait::sign_in("Gate", "https://gate.example/in");
    ctx.wait_for(sign_in.why("to see the doors")).await?;
    let which = ctx.ask(Question::text("Which door?")).await?;
    Ok(format!("{which} is open"))
}

#[tokio::test]
async fn s4_56_a_resumed_body_reads_why_it_was_suspended() {
    let seen = Arc::new(Seen(Mutex::default()));
    let executor = Executor::builder(ToolRegistry::new().with(OpenDoor))
        .resource_arc(Arc::clone(&seen))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s");
    let waits = interrupted(session.call(ToolCall::new("open_door", "{}")).await);
    let approval = "it may change things (it is not declared pure or read-only)";
    assert_eq!(waits.ticket().reason(), approval);
    assert_eq!(waits.reason(), approval);
    // It is part of what is stored.
    let stored = serde_json::to_string(waits.ticket()).unwrap();
    let stored: Ticket = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored.reason(), approval);

    let waits = interrupted(session.resume(waits.ticket(), Answer::yes()).await.unwrap());
    assert_eq!(waits.reason(), "to see the doors");
    let waits = interrupted(session.resume(waits.ticket(), Answer::yes()).await.unwrap());
    assert_eq!(waits.reason(), "it asks a question");
    let answer = Answer::value("the left one");
    let done = session.resume(waits.ticket(), answer).await.unwrap();
    assert_eq!(done.text(), "the left one is open");
    let both = format!("{approval}; to see the doors");
    assert_eq!(*seen.0.lock().unwrap(), [approval, &both, &both]);
}
