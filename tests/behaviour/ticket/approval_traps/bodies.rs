//! Bodies that do not do with a suspension what they should.

use std::sync::{Arc, Mutex};

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::question::{ExternalWait, Question};
use toolwright::ticket::{Answer, ResumeMode};
use toolwright::{
    Executor, Session, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool,
};

use crate::waiting_support::{Asks, Runs, door, interrupted, opened};

/// Do without an answer.
#[tool(register = false, read_only)]
async fn swallow(how: String, ctx: &ToolContext) -> Result<&'static str, ToolError> {
    match &*how {
        "question" => {
            let _ = ctx.ask(Question::text("What now?")).await;
        }
        "permission" => {
            let _ = ctx.check(door("a")).await;
        }
        _ => {
            let wait = ExternalWait::external("a job").resume(ResumeMode::AnswerIsResult);
            let _ = ctx.wait_for(wait).await;
        }
    }
    Ok("done anyway")
}

/// Give the error back in other words.
#[tool(register = false, read_only)]
async fn reword(keeps_source: bool, ctx: &ToolContext) -> Result<&'static str, ToolError> {
    match ctx.ask(Question::text("What now?")).await {
        Ok(_) => Ok("answered"),
        Err(error) if keeps_source => Err(ToolError::failed("no answer").with_source(error)),
        Err(error) => Err(ToolError::failed(format!("no answer: {error}"))),
    }
}

#[derive(Clone, Default)]
struct Drawer(Arc<Mutex<Option<ToolError>>>);

/// Give the error of the last call back.
#[tool(register = false, read_only)]
async fn keep_error(ctx: &ToolContext, drawer: &Drawer) -> Result<&'static str, ToolError> {
    let before = drawer.0.lock().unwrap().take();
    if let Some(error) = before {
        return Err(error);
    }
    let error = ctx.ask(Question::text("What now?")).await.unwrap_err();
    *drawer.0.lock().unwrap() = Some(error);
    Ok("kept")
}

/// Ask one thing after another.
#[tool(register = false, read_only, timeout = "100ms")]
async fn ask_for_ever(
    alike: bool,
    ctx: &ToolContext,
    runs: &Arc<Runs>,
) -> Result<String, ToolError> {
    runs.add();
    let mut number = 0;
    loop {
        let question = if alike {
            "Again?".to_owned()
        } else {
            format!("And number {number}?")
        };
        ctx.ask(Question::text(question)).await?;
        number += 1;
    }
}

fn executor(mode: WaitMode) -> (Executor, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let tools = ToolRegistry::new()
        .with(Swallow)
        .with(Reword)
        .with(KeepError)
        .with(AskForEver);
    let executor = Executor::builder(tools)
        .resource(Drawer::default())
        .resource(Arc::clone(&runs))
        .permission_checker(Asks)
        .approvals(mode)
        .build()
        .unwrap();
    (executor, runs)
}

async fn call(session: &Session, tool: &'static str, arguments: &'static str) -> ToolOutcome {
    session.call(ToolCall::new(tool, arguments)).await
}

async fn nothing_is_open(executor: &Executor) {
    let open = executor
        .tickets()
        .list(&toolwright::ticket::TicketFilter::all())
        .await;
    assert!(open.unwrap().is_empty());
}

#[tokio::test]
async fn a_body_that_goes_on_without_an_answer_has_its_result() {
    let (executor, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    for arguments in [
        r#"{"how": "question"}"#,
        r#"{"how": "permission"}"#,
        r#"{"how": "job"}"#,
    ] {
        let outcome = call(&session, "swallow", arguments).await;
        assert_eq!(outcome.text(), "done anyway");
        assert!(matches!(outcome, ToolOutcome::Completed(_)));
        nothing_is_open(&executor).await;
    }
}

#[tokio::test]
async fn an_error_in_other_words_suspends_if_it_keeps_the_first_as_its_source() {
    let (executor, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(call(&session, "reword", r#"{"keeps_source": true}"#).await);
    let outcome = session
        .resume(suspension.ticket(), Answer::value("this"))
        .await;
    assert_eq!(outcome.unwrap().text(), "answered");
    let outcome = call(&session, "reword", r#"{"keeps_source": false}"#).await;
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Failed);
    nothing_is_open(&executor).await;
}

#[tokio::test]
async fn the_suspension_of_one_call_does_not_suspend_another() {
    let (executor, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    assert_eq!(call(&session, "keep_error", "{}").await.text(), "kept");
    let outcome = call(&session, "keep_error", "{}").await;
    assert!(matches!(outcome, ToolOutcome::Completed(_)));
    assert!(outcome.result().is_error());
    nothing_is_open(&executor).await;
}

#[tokio::test]
async fn a_body_that_asks_for_ever_asks_once_at_a_time_and_can_be_cancelled() {
    let (executor, runs) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let mut waits = interrupted(call(&session, "ask_for_ever", r#"{"alike": false}"#).await);
    for number in 0..20 {
        assert_eq!(waits.summary(), format!("And number {number}?"));
        let resumed = session.resume(waits.ticket(), Answer::value("yes")).await;
        waits = interrupted(resumed.unwrap());
    }
    assert_eq!(runs.count(), 21);
    let open = executor
        .tickets()
        .list(&toolwright::ticket::TicketFilter::all())
        .await;
    assert_eq!(open.unwrap().len(), 1);
    executor.tickets().cancel(waits.id()).await.unwrap();
    nothing_is_open(&executor).await;
}

/// The same question has the same answer, without a wait; the call's time is over all the same.
#[tokio::test]
async fn a_body_that_asks_the_same_for_ever_runs_out_of_time() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        let (executor, _) = executor(mode);
        let session = executor.session("s-1");
        let mut events = executor.tickets().subscribe();
        let answering = async {
            let ticket = opened(&mut events).await.remove(0);
            let answer = Answer::value("yes");
            executor
                .tickets()
                .answer(ticket.id(), answer)
                .await
                .unwrap();
            ticket
        };
        let asking = call(&session, "ask_for_ever", r#"{"alike": true}"#);
        let (mut outcome, ticket) = tokio::join!(asking, answering);
        if outcome.suspension().is_some() {
            let none = toolwright::ticket::Answers::none();
            outcome = session.resume(&ticket, none).await.unwrap();
        }
        assert_eq!(
            outcome.error().unwrap().kind(),
            ErrorKind::TimedOut,
            "{mode:?}"
        );
        nothing_is_open(&executor).await;
    }
}
