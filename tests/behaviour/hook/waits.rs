//! Calls that wait because a gate wants it, and what gates and hooks see of calls that go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::content::{CallStatus, ResultSource};
use toolwright::executor::{Approvals, WaitMode};
use toolwright::hook::{BeforeDecision, GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::question::{ExternalWait, Question};
use toolwright::ticket::{Answer, Answers, MemoryTickets, ResumeMode, TicketFilter, WaitKind};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolError, ToolOutput, ToolRegistry, tool,
};

use super::parts::{before, gate};
use crate::support::{HandMade, Trace};
use crate::waiting_support::{CountTo, Deploy, Runs, interrupted, key, opened};

fn process(store: &MemoryTickets, runs: &Arc<Runs>, trace: &Trace) -> Executor {
    let seen = trace.clone();
    Executor::builder(ToolRegistry::new().with(Deploy).with(CountTo))
        .resource(Arc::clone(runs))
        .permission_checker(AllowAll)
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
        .gate(gate("first", |call| {
            let place = call.arguments().ok()?.get("place")?.as_str()?;
            (place == "production")
                .then(|| GateDecision::suspend(Question::yes_no("Is it after hours?")))
        }))
        .gate(gate("second", |call| {
            let place = call.arguments().ok()?.get("place")?.as_str()?;
            (place == "production").then(|| {
                let request = PermissionRequest::new("release", place, "Release to production");
                GateDecision::suspend(request)
            })
        }))
        .before(before(move |_| {
            seen.note("before");
            Ok(BeforeDecision::proceed())
        }))
        .build()
        .unwrap()
}

fn deploy() -> ToolCall<'static> {
    ToolCall::new("deploy", r#"{"place": "production"}"#)
}

/// A gate that leaves a release to others, and what saw the call after it.
fn gated(mode: WaitMode, store: &MemoryTickets, runs: &Arc<Runs>, trace: &Trace) -> Executor {
    let seen = trace.clone();
    Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(runs))
        .permission_checker(AllowAll)
        .approvals(
            Approvals::new()
                .waiting(mode)
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
        .gate(gate("release", |_| {
            let request = PermissionRequest::new("release", "production", "Release it");
            Some(GateDecision::suspend(request))
        }))
        .before(before(move |_| {
            seen.note("before");
            Ok(BeforeDecision::proceed())
        }))
        .build()
        .unwrap()
}

#[tokio::test]
async fn s4_38_what_a_gate_suspends_waits_for_a_decision_from_outside() {
    for (answer, end, ran) in [
        (Answer::yes(), "deployed to production", 1),
        (
            Answer::no().because("not on a Friday"),
            "not on a Friday",
            0,
        ),
    ] {
        let (store, runs, trace) = Default::default();
        let here = gated(WaitMode::Suspending, &store, &runs, &trace).session("s-1");
        let call = here.spawn(deploy());
        let mut watch = call.watch();
        let waits = interrupted(call.join().await);
        assert_eq!(watch.next().await, Some(CallStatus::Suspended));
        assert!(waits.result().is_pending());
        assert_eq!(waits.summary(), "Release it");
        // Nobody has decided, so it still waits.
        let still = here.resume(waits.ticket(), Answers::none()).await.unwrap();
        assert_eq!(interrupted(still).id(), waits.id());
        assert_eq!((runs.count(), trace.take().len()), (0, 0));
        let elsewhere = gated(WaitMode::Suspending, &store, &runs, &trace).session("s-1");
        let ended = elsewhere.resume(waits.ticket(), answer.clone()).await;
        assert!(ended.unwrap().text().contains(end));
        assert_eq!((runs.count(), trace.take().len()), (ran, ran as usize));

        // The same in place: the run of the call waits until a decision comes from elsewhere.
        let (store, runs, trace) = Default::default();
        let executor = gated(WaitMode::Blocking, &store, &runs, &trace);
        let mut events = executor.tickets().subscribe();
        let call = executor.session("s-1").spawn(deploy());
        let ticket = opened(&mut events).await.remove(0);
        assert_eq!(call.status(), CallStatus::Suspended);
        assert_eq!((runs.count(), trace.take().len()), (0, 0));
        executor
            .tickets()
            .answer(ticket.id(), answer)
            .await
            .unwrap();
        assert!(call.join().await.text().contains(end));
        assert_eq!((runs.count(), trace.take().len()), (ran, ran as usize));
    }
}

#[tokio::test]
async fn what_a_gate_asked_is_asked_once_in_this_process_and_another() {
    let store = MemoryTickets::new();
    let runs = Arc::new(Runs::default());
    let trace = Trace::default();
    let here = process(&store, &runs, &trace).session("s-1");
    let waits = interrupted(here.call(deploy()).await);
    assert_eq!(waits.kind(), WaitKind::Question);
    assert_eq!(waits.summary(), "Is it after hours?");

    let there = process(&store, &runs, &trace).session("s-1");
    let answer = Answer::value(true);
    let outcome = there.resume(waits.ticket(), answer).await.unwrap();
    let waits = interrupted(outcome);
    assert_eq!(waits.kind(), WaitKind::Approval);
    assert_eq!(waits.summary(), "Release to production");
    assert_eq!(trace.take(), [""; 0]);
    assert_eq!(runs.count(), 0);

    let outcome = here.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "deployed to production");
    assert_eq!(trace.take(), ["before"]);
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn a_no_to_what_a_gate_asked_ends_the_call() {
    let store = MemoryTickets::new();
    let runs = Arc::new(Runs::default());
    let session = process(&store, &runs, &Trace::default()).session("s-1");
    let waits = interrupted(session.call(deploy()).await);
    let answer = Answer::no().because("it is noon");
    let outcome = session.resume(waits.ticket(), answer).await.unwrap();
    let error = outcome.error().unwrap();
    assert_eq!(error.code(), "question_declined");
    assert!(error.message().contains("it is noon"));
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn the_answer_to_a_gate_may_be_the_result() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .approvals(WaitMode::Suspending)
        .gate(gate("front end", |_| {
            let elsewhere = ExternalWait::external("the deployment, done by the front end");
            Some(GateDecision::suspend(
                elsewhere.resume(ResumeMode::AnswerIsResult),
            ))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let waits = interrupted(session.call(deploy()).await);
    let answer = Answer::value(json!({"version": 7}));
    let outcome = session.resume(waits.ticket(), answer).await.unwrap();
    assert_eq!(outcome.text(), r#"{"version":7}"#);
    assert_eq!(outcome.result().source(), ResultSource::Answer);
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn a_gate_may_suspend_a_call_that_waits_in_place() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .approvals(WaitMode::Blocking)
        .gate(gate("careful", |call| {
            let request = PermissionRequest::new("release", "production", "Release");
            assert!(call.answers().count() <= 1);
            Some(GateDecision::suspend(request))
        }))
        .build()
        .unwrap();
    let mut events = executor.tickets().subscribe();
    let session = executor.session("s-1");
    let call = tokio::spawn({
        let session = session.clone();
        async move { session.call(deploy()).await }
    });
    let tickets = opened(&mut events).await;
    assert_eq!(tickets[0].summary(), "Release");
    let answer = executor
        .tickets()
        .answer(tickets[0].id(), Answer::yes())
        .await;
    answer.unwrap();
    assert_eq!(call.await.unwrap().text(), "deployed to production");
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn two_gates_that_wait_for_different_things_without_data_are_told_apart() {
    let runs = Arc::new(Runs::default());
    let wait = |what: &'static str| {
        gate(what, move |_| {
            Some(GateDecision::suspend(ExternalWait::external(what)))
        })
    };
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .approvals(WaitMode::Suspending)
        .gate(wait("the backup"))
        .gate(wait("the review"))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let first = interrupted(session.call(deploy()).await);
    assert_eq!(first.summary(), "the backup");
    let outcome = session.resume(first.ticket(), Answer::value("done")).await;
    let second = interrupted(outcome.unwrap());
    assert_eq!(second.summary(), "the review");
    assert_eq!(runs.count(), 0);
    let outcome = session.resume(second.ticket(), Answer::value("done")).await;
    assert_eq!(outcome.unwrap().text(), "deployed to production");
}

#[tokio::test]
async fn a_block_that_came_up_meanwhile_stops_a_call_that_goes_on() {
    struct Frozen;
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .permission_checker(crate::waiting_support::Asks)
        .approvals(WaitMode::Suspending)
        .gate(gate("freeze", |call| {
            call.state::<Frozen>()
                .map(|Frozen| GateDecision::block("nothing is deployed any more"))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let waits = interrupted(session.call(deploy()).await);
    session.set_state(Frozen);
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(outcome.error().map(ToolError::code), Some("blocked"));
    assert_eq!(runs.count(), 0);
}

/// Call the tool `echo`.
#[tool(register = false, pure)]
async fn call_echo(ctx: &ToolContext) -> String {
    let outcome = ctx.call(ToolCall::new("echo", "{}")).await;
    match outcome.error() {
        Some(error) => format!("{}: {}", error.kind(), error.message()),
        None => outcome.text(),
    }
}

/// Wants a word about each call of `echo`.
struct Curious;

impl ToolGate for Curious {
    fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
        let is_echo = call.spec().name().as_str() == "echo";
        is_echo.then(|| GateDecision::suspend(Question::text("Why?")))
    }
}

#[tokio::test]
async fn trap_a_gate_that_suspends_a_nested_call_denies_it_and_leaves_no_ticket() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let echo = HandMade::new("echo").run(move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(ToolOutput::text("echoed"))
    });
    let executor = Executor::builder(ToolRegistry::new().with(CallEcho).with(echo))
        .gate(Curious)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let outcome = executor
        .session("s")
        .call(ToolCall::new("call_echo", "{}"))
        .await;
    assert!(outcome.is_success(), "the caller goes on: {outcome:?}");
    assert_ne!(outcome.text(), "echoed");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    let open = executor.tickets().list(&TicketFilter::all()).await.unwrap();
    assert!(open.is_empty());
}
