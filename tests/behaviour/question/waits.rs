//! Sign-ins, and results that come from elsewhere.

use std::sync::Mutex;

use serde_json::json;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::executor::WaitMode;
use toolwright::question::{ExternalWait, SignIn};
use toolwright::ticket::{Answer, ResumeMode, TicketErrorKind, WaitKind};
use toolwright::{Executor, ToolContext, ToolError, ToolOutcome, ToolRegistry, tool};

use super::{events, interrupted, opened};
use crate::support::{Trace, ready_now};

#[derive(Default)]
struct Account(Mutex<Option<String>>);

/// List the issues.
#[tool(register = false, read_only)]
async fn issues(ctx: &ToolContext, account: &Account, trace: &Trace) -> Result<String, ToolError> {
    trace.note("begins");
    let signed_in = account.0.lock().unwrap().clone();
    if signed_in.is_none() {
        let sign_in = ExternalWait::sign_in("GitHub", "https://github.com/login/device")
            .data(json!({"user_code": "AB12"}))
            .why("to see your private issues");
        ctx.wait_for(sign_in).await?;
    }
    let name = account.0.lock().unwrap().clone();
    let name = name.ok_or_else(|| ToolError::unavailable("nobody has signed in"))?;
    Ok(format!("no issues of {name}"))
}

/// Export everything, which takes days.
#[tool(register = false, read_only)]
async fn export(ctx: &ToolContext, trace: &Trace) -> Result<String, ToolError> {
    trace.note("begins");
    let job = ExternalWait::external("export job 17")
        .data(json!({"job": 17}))
        .resume(ResumeMode::AnswerIsResult);
    ctx.wait_for(job).await?;
    trace.note("goes on");
    Ok("never".to_owned())
}

/// Welcome somebody, whoever that is.
#[tool(register = false, read_only)]
async fn welcome(
    name: Option<String>,
    ctx: &ToolContext,
    trace: &Trace,
) -> Result<String, ToolError> {
    trace.note("begins");
    if let Some(name) = name {
        return Ok(format!("hello {name}"));
    }
    let who = ExternalWait::external("whom to greet").resume(ResumeMode::AnswerIsArguments);
    ctx.wait_for(who).await?;
    Ok("hello nobody".to_owned())
}

fn executor(mode: WaitMode) -> (Executor, Trace, std::sync::Arc<Account>) {
    let (trace, account) = (Trace::default(), std::sync::Arc::<Account>::default());
    let tools = ToolRegistry::new().with(Issues).with(Export).with(Welcome);
    let executor = Executor::builder(tools)
        .resource(trace.clone())
        .resource_arc(account.clone())
        .approvals(mode)
        .build()
        .unwrap();
    (executor, trace, account)
}

fn sign_in(account: &Account) {
    *account.0.lock().unwrap() = Some("ada".to_owned());
}

#[tokio::test]
async fn s0_27_a_tool_that_needs_a_sign_in_waits_for_it_and_goes_on() {
    let (executor, trace, account) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "issues").await;
    assert_eq!(suspension.kind(), WaitKind::SignIn);
    assert_eq!(suspension.summary(), "Sign in with GitHub");
    let request = &suspension.requests()[0];
    assert_eq!(request.why(), Some("to see your private issues"));
    let wanted = SignIn::of(request).unwrap();
    assert_eq!(wanted.provider(), "GitHub");
    assert_eq!(wanted.url(), "https://github.com/login/device");
    assert_eq!(wanted.data(), Some(&json!({"user_code": "AB12"})));

    sign_in(&account);
    let done = session.resume(suspension.ticket(), Answer::yes()).await;
    let done = done.unwrap();
    assert!(done.is_success());
    assert_eq!(done.text(), "no issues of ada");
    assert_eq!(trace.take(), ["begins", "begins"]);
}

#[tokio::test]
async fn a_sign_in_is_awaited_or_declined() {
    let (executor, trace, account) = executor(WaitMode::Blocking);
    let mut events = events(&executor);
    let tickets = executor.interactions().tickets();
    let answer = async {
        let id = opened(&mut events).await.id();
        sign_in(&account);
        tickets
            .answer(id, Answer::value(json!({"code": 4})))
            .await
            .unwrap();
    };
    let (done, ()) = tokio::join!(executor.call("issues", "{}"), answer);
    assert_eq!(done.text(), "no issues of ada");
    assert_eq!(trace.take(), ["begins"]);

    *account.0.lock().unwrap() = None;
    let decline = async {
        let id = opened(&mut events).await.id();
        tickets.decline(id, Some("not mine")).await.unwrap();
    };
    let (declined, ()) = tokio::join!(executor.call("issues", "{}"), decline);
    let error = declined.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Denied);
    assert_eq!(error.code(), "sign_in_declined");
    assert!(error.message().contains("not mine"));
}

#[test]
fn without_anybody_nothing_is_waited_for() {
    let (executor, ..) = executor(WaitMode::Unattended);
    for (tool, code) in [
        ("issues", "sign_in_unavailable"),
        ("export", "external_result_unavailable"),
    ] {
        let outcome = ready_now(executor.call(tool, "{}"));
        assert_eq!(outcome.error().unwrap().code(), code);
    }
}

#[tokio::test]
async fn a_result_from_elsewhere_is_the_result_of_the_call() {
    for mode in [WaitMode::Suspending, WaitMode::Blocking] {
        let (executor, trace, _) = executor(mode);
        let session = executor.session("s-1");
        let done = if mode == WaitMode::Suspending {
            let suspension = interrupted(&session, "export").await;
            assert_eq!(suspension.kind(), WaitKind::ExternalResult);
            assert_eq!(suspension.requests()[0].subject(), &json!({"job": 17}));
            let rows = Answer::value(json!({"rows": 3}));
            session.resume(suspension.ticket(), rows).await.unwrap()
        } else {
            let mut events = events(&executor);
            let answer = async {
                let id = opened(&mut events).await.id();
                let rows = Answer::value(json!({"rows": 3}));
                let tickets = executor.interactions().tickets();
                tickets.answer(id, rows).await.unwrap();
            };
            let call = session.call(toolwright::ToolCall::new("export", "{}"));
            tokio::join!(call, answer).0
        };
        assert_eq!(done.text(), r#"{"rows":3}"#, "{mode:?}");
        assert_eq!(done.result().source(), ResultSource::Answer);
        assert_eq!(trace.take(), ["begins"]);
    }
}

#[tokio::test]
async fn an_answer_can_become_the_arguments() {
    let (executor, trace, _) = executor(WaitMode::Suspending);
    let session = executor.session("s-1");
    let suspension = interrupted(&session, "welcome").await;
    let text = session.resume(suspension.ticket(), Answer::value("ada"));
    assert_eq!(text.await.unwrap_err().kind(), TicketErrorKind::UnfitAnswer);
    let who = Answer::value(json!({"name": "ada"}));
    let done = session.resume(suspension.ticket(), who).await.unwrap();
    assert_eq!(done.text(), "hello ada");
    assert_eq!(trace.take(), ["begins", "begins"]);
    let ToolOutcome::Completed(_) = done else {
        panic!("{done:?}");
    };
}
