//! Calls that are suspended, and resumed here or elsewhere.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolwright::content::{ErrorKind, ResultSource, ToolStatus};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::outcome::Suspension;
use toolwright::question::ExternalWait;
use toolwright::ticket::{Answer, Answers, MemoryTickets, ResumeMode, TicketErrorKind};
use toolwright::{
    Executor, ToolCall, ToolContext, ToolError, ToolName, ToolOutcome, ToolOutput, ToolRegistry,
    ToolSpec, tool, tool_fn,
};

use crate::waiting_support::{Asks, Host, Runs, deployment, interrupted, key};

#[tokio::test]
async fn a_suspended_call_is_data_and_runs_in_another_process() {
    let store = MemoryTickets::new();
    let written = {
        let here = Host::process(&store);
        let call = ToolCall::new("deploy", r#"{"place": "test", "token": "hunter2"}"#)
            .with_id("c-1")
            .with_metadata(json!({"trace": 7}).as_object().cloned().unwrap());
        let outcome = here.session.call(call).await;
        assert_eq!(here.runs.count(), 0);
        assert_eq!(outcome.result().status(), ToolStatus::Pending);
        assert!(!outcome.is_success() && outcome.error().is_none());
        let suspension = interrupted(outcome);
        assert_eq!(suspension.result().ticket(), Some(suspension.id()));
        assert_eq!(
            suspension.result().text(),
            "the call waits for approval (Deploy to test): it has not run, and its result comes later"
        );
        serde_json::to_string(&suspension).unwrap()
    };
    assert!(!written.contains("hunter2"), "{written}");
    let there = Host::process(&store);
    let suspension: Suspension = serde_json::from_str(&written).unwrap();
    let resumed = there.session.resume(suspension.ticket(), Answer::yes());
    let outcome = resumed.await.unwrap();
    assert_eq!(outcome.text(), "deployed to test with hunter2");
    let result = outcome.result();
    assert_eq!(
        result.call_id().map(toolwright::id::CallId::as_str),
        Some("c-1")
    );
    assert_eq!(result.invocation_id(), suspension.ticket().invocation());
    assert_eq!(there.runs.count(), 1);
    let again = there.session.resume(suspension.ticket(), Answers::none());
    assert_eq!(again.await.unwrap_err().kind(), TicketErrorKind::Used);
    assert_eq!(there.runs.count(), 1);
}

#[tokio::test]
async fn trap_two_asks_in_one_call_keep_their_answers_over_every_resume() {
    let store = MemoryTickets::new();
    let host = Host::process(&store);
    let call = r#"{"names": ["a", "b", "c", "a"]}"#;
    let mut suspension = host.suspended("doors", call).await;
    for name in ["a", "b", "c"] {
        assert_eq!(suspension.summary(), format!("Open {name}"));
        let other = Host::process(&store);
        let resumed = other.session.resume(suspension.ticket(), Answer::yes());
        let outcome = resumed.await.unwrap();
        assert_eq!(other.runs.count(), 1);
        if name == "c" {
            assert_eq!(outcome.text(), "opened a, b, c, a");
        } else {
            suspension = interrupted(outcome);
        }
    }
}

#[tokio::test]
async fn answers_come_in_any_order_and_a_no_among_three_ends_it() {
    let host = Host::new(WaitMode::Suspending);
    let places = r#"{"places": ["a", "b", "c"]}"#;
    let suspension = host.suspended("deploy_all", places).await;
    assert_eq!(suspension.requests().len(), 3);
    let ticket = suspension.ticket();
    let some = Answers::none().with(2, Answer::yes());
    let outcome = host.session.resume(ticket, some).await.unwrap();
    assert_eq!(interrupted(outcome).ticket(), ticket);
    let some = Answers::none().with(0, Answer::yes());
    let outcome = host.session.resume(ticket, some).await.unwrap();
    assert_eq!(interrupted(outcome).id(), ticket.id());
    host.tickets()
        .answer(ticket.id(), Answers::none().with(1, Answer::yes()))
        .await
        .unwrap();
    let outcome = host.session.resume(ticket, Answers::none()).await.unwrap();
    assert_eq!(outcome.text(), "deployed to a, b, c");
    assert_eq!(host.runs.count(), 1);

    let suspension = host.suspended("deploy_all", places).await;
    let no = Answers::none().with(1, Answer::no().because("b is frozen"));
    let outcome = host.session.resume(suspension.ticket(), no).await.unwrap();
    assert_eq!(
        outcome.text(),
        "the user denied `deploy_all` (Deploy to b): b is frozen"
    );
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn what_was_cancelled_or_ended_is_not_resumed() {
    let host = Host::new(WaitMode::Suspending);
    let kind =
        |result: Result<ToolOutcome, toolwright::ticket::TicketError>| result.unwrap_err().kind();

    let suspension = host.suspended("deploy", r#"{"place": "a"}"#).await;
    host.tickets().cancel(suspension.id()).await.unwrap();
    let resumed = host.session.resume(suspension.ticket(), Answer::yes());
    assert_eq!(kind(resumed.await), TicketErrorKind::Cancelled);

    let suspension = host.suspended("deploy", r#"{"place": "a"}"#).await;
    let other = host.executor.session("s-2");
    let resumed = other.resume(suspension.ticket(), Answer::yes());
    assert_eq!(kind(resumed.await), TicketErrorKind::OtherSession);
    // Nothing was answered by that.
    assert_eq!(host.open().await[0].answer(0), None);

    host.session.cancel();
    let resumed = host.session.resume(suspension.ticket(), Answer::yes());
    assert_eq!(kind(resumed.await), TicketErrorKind::Cancelled);
    // It was cancelled in one handle only.
    let session = host.executor.session("s-1");
    let resumed = session.resume(suspension.ticket(), Answer::yes());
    assert_eq!(resumed.await.unwrap().text(), "deployed to a");

    let interrupted = interrupted(
        session
            .call(ToolCall::new("deploy", r#"{"place": "a"}"#))
            .await,
    );
    session.end().await.unwrap();
    let session = host.executor.session("s-1");
    let resumed = session.resume(interrupted.ticket(), Answer::yes());
    assert!(matches!(
        kind(resumed.await),
        TicketErrorKind::Unknown | TicketErrorKind::Cancelled
    ));
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn an_approved_call_runs_once_however_many_resume_it() {
    let store = MemoryTickets::new();
    let hosts: Vec<Host> = (0..5).map(|_| Host::process(&store)).collect();
    let suspension = hosts[0].suspended("deploy", r#"{"place": "a"}"#).await;
    hosts[0]
        .tickets()
        .answer(suspension.id(), Answer::yes())
        .await
        .unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..50 {
        let session = hosts[n % 5].session.clone();
        let ticket = Arc::clone(suspension.ticket());
        tasks.spawn(async move { session.resume(&ticket, Answers::none()).await });
    }
    let ended = tasks.join_all().await;
    let ran: Vec<_> = ended.iter().flatten().collect();
    assert_eq!(ran.len(), 1);
    assert_eq!(ran[0].text(), "deployed to a");
    let refused = ended.iter().filter_map(|ended| ended.as_ref().err());
    assert!(
        refused
            .clone()
            .all(|error| error.kind() == TicketErrorKind::Used)
    );
    let runs: u32 = hosts.iter().map(|host| host.runs.count()).sum();
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn a_changed_tool_is_not_what_somebody_was_asked_about() {
    let store = MemoryTickets::new();
    let executor = |description: &'static str, runs: &Arc<Runs>| {
        let runs = Arc::clone(runs);
        let spec = ToolSpec::new(ToolName::new("up").unwrap(), description);
        let up = tool_fn(
            spec,
            move |_arguments: serde_json::Value, _ctx: ToolContext| {
                runs.add();
                async { Ok::<_, ToolError>(ToolOutput::text("up")) }
            },
        );
        Executor::builder(ToolRegistry::new().with(up))
            .approvals(
                Approvals::new()
                    .waiting(WaitMode::Suspending)
                    .ticket_store(store.clone())
                    .ticket_key(key()),
            )
            .build()
            .unwrap()
    };
    let runs = Arc::new(Runs::default());
    let before = executor("Go up.", &runs);
    let suspension = interrupted(before.session("s").call(ToolCall::new("up", "{}")).await);
    let after = executor("Go up, and delete everything.", &runs);
    let resumed = after.session("s");
    let error = resumed
        .resume(suspension.ticket(), Answer::yes())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::ChangedTool);
    assert_eq!(runs.count(), 0);
    let same = executor("Go up.", &runs);
    let resumed = same.session("s");
    let outcome = resumed
        .resume(suspension.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!((outcome.text().as_str(), runs.count()), ("up", 1));
}

#[tokio::test]
async fn a_description_that_is_made_anew_each_time_is_no_change_of_the_tool() {
    let looks = Runs::default();
    let describe = move || {
        looks.add();
        format!("Look once more, for the {}th time.", looks.count())
    };
    let spec =
        ToolSpec::new(ToolName::new("look").unwrap(), "").with_computed_description(describe);
    let look = tool_fn(spec, async |_: serde_json::Value, _: ToolContext| {
        Ok::<_, ToolError>(ToolOutput::text("seen"))
    });
    let executor = Executor::builder(ToolRegistry::new().with(look))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s");
    let suspension = interrupted(session.call(ToolCall::new("look", "{}")).await);
    let outcome = session.resume(suspension.ticket(), Answer::yes()).await;
    assert_eq!(outcome.unwrap().text(), "seen");
}

/// Wait for a job.
#[tool(register = false, read_only)]
async fn job(
    how: String,
    n: Option<u32>,
    ctx: &ToolContext,
    runs: &Arc<Runs>,
) -> Result<String, ToolError> {
    runs.add();
    if let Some(n) = n {
        return Ok(format!("{how} {n}"));
    }
    let mode = match how.as_str() {
        "result" => ResumeMode::AnswerIsResult,
        "arguments" => ResumeMode::AnswerIsArguments,
        _ => ResumeMode::RunAgain,
    };
    let wait = ExternalWait::external("the job").resume(mode);
    let value = ctx.wait_for(wait).await?;
    Ok(format!("the job said {value}"))
}

#[tokio::test]
async fn an_answer_is_found_or_becomes_the_result_or_the_arguments() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        for (how, answer, text, source, count) in [
            (
                "again",
                json!({"n": 4}),
                r#"the job said {"n":4}"#,
                ResultSource::Tool,
                2,
            ),
            (
                "result",
                json!({"n": 4}),
                r#"{"n":4}"#,
                ResultSource::Answer,
                1,
            ),
            (
                "arguments",
                json!({"how": "new", "n": 4}),
                "new 4",
                ResultSource::Tool,
                2,
            ),
        ] {
            let runs = Arc::new(Runs::default());
            let executor = Executor::builder(ToolRegistry::new().with(Job))
                .resource(Arc::clone(&runs))
                .approvals(mode)
                .build()
                .unwrap();
            let session = executor.session("s");
            let mut events = executor.tickets().subscribe();
            let arguments = json!({"how": how});
            let call = session.call(ToolCall::new("job", &arguments));
            let answer = async {
                let ticket = crate::waiting_support::opened(&mut events).await.remove(0);
                executor
                    .tickets()
                    .answer(ticket.id(), Answer::value(answer))
                    .await
                    .unwrap();
            };
            let (mut outcome, ()) = tokio::join!(call, answer);
            if let ToolOutcome::Suspended(suspension) = &outcome {
                let resumed = session.resume(suspension.ticket(), Answers::none());
                outcome = resumed.await.unwrap();
            }
            assert_eq!(outcome.text(), text, "{mode:?} {how}");
            assert_eq!(outcome.result().source(), source, "{mode:?} {how}");
            let in_place = mode == WaitMode::Blocking && how == "again";
            assert_eq!(
                runs.count(),
                if in_place { 1 } else { count },
                "{mode:?} {how}"
            );
        }
    }
}

/// Panic.
#[tool(register = false, permission = deployment("a"))]
async fn panics(runs: &Arc<Runs>) {
    runs.add();
    panic!("on purpose");
}

#[tokio::test]
async fn a_tool_that_panics_after_its_approval_has_run() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Panics))
        .resource(Arc::clone(&runs))
        .permission_checker(Asks)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s");
    let suspension = interrupted(session.call(ToolCall::new("panics", "{}")).await);
    let outcome = session
        .resume(suspension.ticket(), Answer::yes())
        .await
        .unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Panicked);
    let again = session.resume(suspension.ticket(), Answers::none()).await;
    assert_eq!(again.unwrap_err().kind(), TicketErrorKind::Used);
    assert_eq!(runs.count(), 1);
}

/// Tell what the context says.
#[tool(register = false, read_only)]
async fn told(ctx: &ToolContext) -> Result<String, ToolError> {
    let before = ctx.verdict(&crate::waiting_support::door("a"));
    ctx.check(crate::waiting_support::door("a")).await?;
    let after = ctx.verdict(&crate::waiting_support::door("a"));
    let other = ctx.verdict(&crate::waiting_support::door("b"));
    let reason = ctx.resumed().and_then(|resumed| resumed.reason());
    Ok(format!(
        "{before:?} {after:?} {} {reason:?}",
        other == toolwright::permission::Verdict::Allow
    ))
}

#[tokio::test]
async fn a_body_that_runs_again_knows_what_was_answered() {
    let executor = Executor::builder(ToolRegistry::new().with(Told))
        .permission_checker(Asks)
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_lifetime(Duration::from_secs(60)),
        )
        .build()
        .unwrap();
    let session = executor.session("s");
    let suspension = interrupted(session.call(ToolCall::new("told", "{}")).await);
    let yes = Answer::yes().because("go on");
    let outcome = session.resume(suspension.ticket(), yes).await.unwrap();
    assert_eq!(
        outcome.text(),
        "Allow Allow false Some(\"go on\")\nThe user allowed this call and said: go on"
    );
}
