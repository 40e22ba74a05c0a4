//! Gates: what each decision does to a call, and which of several holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::event::{EventChannel, EventKind};
use toolwright::executor::WaitMode;
use toolwright::hook::GateDecision;
use toolwright::permission::AllowAll;
use toolwright::question::Question;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, ToolCall, ToolError, ToolOutcome, ToolOutput,
    ToolRegistry, tool,
};

use super::parts::gate;
use crate::waiting_support::{Runs, interrupted};

/// Open a valve.
#[tool(register = false)]
async fn open(valve: u32, runs: &Arc<Runs>) -> String {
    runs.add();
    format!("valve {valve} is open")
}

fn builder(runs: &Arc<Runs>) -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Open))
        .resource(Arc::clone(runs))
        .permission_checker(AllowAll)
}

fn decision(name: &str) -> GateDecision {
    match name {
        "block" => GateDecision::block("the plant is on fire"),
        "deny" => GateDecision::deny("the valve is sealed"),
        "suspend" => GateDecision::suspend(Question::yes_no("Is the pipe empty?")),
        _ => GateDecision::set_result("it was open already"),
    }
}

/// The outcome of a call, named after the decision, or "ran".
fn became(outcome: &ToolOutcome) -> &'static str {
    match outcome {
        ToolOutcome::Failed(failed) if failed.error().kind() == ErrorKind::Blocked => "block",
        ToolOutcome::Suspended(_) => "suspend",
        other => match (other.result().source(), other.error().map(ToolError::code)) {
            (ResultSource::Gate, Some("denied_by_gate")) => "deny",
            (ResultSource::Gate, None) => "set_result",
            (ResultSource::Tool, None) => "run",
            _ => panic!("{other:?}"),
        },
    }
}

/// All orders of some things.
fn orders(of: &[&'static str]) -> Vec<Vec<&'static str>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..of.len() {
        let mut rest = of.to_vec();
        let first = rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, first);
            order
        }));
    }
    all
}

const CALL: &str = r#"{"valve": 7}"#;

#[tokio::test]
async fn s4_40_the_strongest_decision_holds_whatever_the_order_of_the_gates() {
    let ranks = ["block", "deny", "suspend", "set_result"];
    let mut table = 0;
    for set in 1..1 << ranks.len() {
        let chosen: Vec<&'static str> = (0..ranks.len())
            .filter(|at| set & (1 << at) != 0)
            .map(|at| ranks[at])
            .collect();
        for order in orders(&chosen) {
            let runs = Arc::new(Runs::default());
            let mut builder = builder(&runs).approvals(WaitMode::Suspending);
            builder = builder.gate(gate("silent", |_| None));
            for name in &order {
                let name = *name;
                builder = builder.gate(gate(name, move |_| Some(decision(name))));
            }
            let executor = builder.build().unwrap();
            let outcome = executor.call("open", CALL).await;
            assert_eq!(became(&outcome), chosen[0], "{order:?}");
            assert_eq!(runs.count(), 0, "{order:?}");
            table += 1;
        }
    }
    assert_eq!(table, 64);
}

#[tokio::test]
async fn s4_36_gates_that_say_nothing_let_the_call_run() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("one", |_| None))
        .gate(gate("two", |_| None))
        .build()
        .unwrap();
    let outcome = executor.call("open", CALL).await;
    assert_eq!(became(&outcome), "run");
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn s4_37_a_block_ends_the_turn_with_its_reason_and_the_siblings_end_as_blocked() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("the gate", |call| {
            let valve = call.arguments().ok()?.get("valve")?.as_u64()?;
            (valve == 2).then(|| GateDecision::block("valve 2 is never opened"))
        }))
        .build()
        .unwrap();
    let calls = [1, 2, 3].map(|valve| ToolCall::new("open", json!({"valve": valve})));
    let session = executor.session("s-1");
    let turn = session.turn();
    let opened = turn.call(ToolCall::new("open", CALL)).await;
    assert_eq!(opened.text(), "valve 7 is open");
    let outcomes = turn.call_all(calls).await;
    let [first, blocked, third] = outcomes.as_slice() else {
        panic!("there are three calls");
    };
    for sibling in [first, third] {
        assert!(matches!(sibling, ToolOutcome::Failed(_)), "{sibling:?}");
        let error = sibling.error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Blocked, "turn_blocked")
        );
    }
    assert_eq!(runs.count(), 1);
    assert_eq!(turn.block_reason(), Some("valve 2 is never opened"));
    let ToolOutcome::Failed(failed) = blocked else {
        panic!("not failed: {blocked:?}");
    };
    assert_eq!(failed.error().kind(), ErrorKind::Blocked);
    assert_eq!(failed.error().code(), "blocked");
    assert_eq!(
        failed.result().text(),
        "`open` was blocked: valve 2 is never opened. The app ends the run at this call, so make no \
         more calls"
    );
}

#[tokio::test]
async fn s4_21_an_error_for_the_model_and_one_that_ends_the_run_are_told_apart() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("the gate", |call| {
            let valve = call.arguments().ok()?.get("valve")?.as_u64()?;
            Some(if valve == 1 {
                GateDecision::deny("it is stuck")
            } else {
                GateDecision::block("it leaks")
            })
        }))
        .build()
        .unwrap();
    let denied = executor.call("open", r#"{"valve": 1}"#).await;
    assert!(matches!(denied, ToolOutcome::Completed(_)));
    assert_eq!(
        denied.text(),
        "`open` was denied by a rule of the app: it is stuck. Go on without this call"
    );
    let blocked = executor.call("open", r#"{"valve": 2}"#).await;
    assert!(matches!(blocked, ToolOutcome::Failed(_)));
    assert!(blocked.result().is_error());
}

#[tokio::test]
async fn s4_41_of_two_decisions_of_one_rank_the_first_holds_and_the_other_is_reported() {
    let runs = Arc::new(Runs::default());
    let channel = EventChannel::new(64);
    let mut events = channel.subscribe();
    let executor = builder(&runs)
        .gate(gate("first", |_| {
            Some(GateDecision::set_result("by the first"))
        }))
        .gate(gate("second", |_| {
            Some(GateDecision::set_result("by the second"))
        }))
        .events(channel)
        .build()
        .unwrap();
    let outcome = executor.call("open", CALL).await;
    assert_eq!(outcome.text(), "by the first");
    let mut reports = Vec::new();
    while let Some(received) = events.try_recv() {
        if let EventKind::Diagnostic { code, message, .. } = received.event().kind() {
            reports.push((code.clone(), message.clone()));
        }
    }
    let [(code, message)] = reports.as_slice() else {
        panic!("not one report: {reports:?}");
    };
    assert_eq!(code, "gate_conflict");
    assert_eq!(
        message,
        "of the call of `open`, the gate `first` said set_result, which holds, and the gate \
         `second` said set_result, which has no effect"
    );
}

#[tokio::test]
async fn a_gate_that_panics_denies_its_call_alone() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("clumsy", |call| {
            let valve = call.arguments().ok()?.get("valve")?.as_u64()?;
            assert_ne!(valve, 2, "the key broke");
            None
        }))
        .build()
        .unwrap();
    let calls = [1, 2].map(|valve| ToolCall::new("open", json!({"valve": valve})));
    let outcomes = executor.session("s-1").call_all(calls).await;
    assert_eq!(became(&outcomes[0]), "run");
    let error = outcomes[1].error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Panicked);
    assert_eq!(error.code(), "gate_panicked");
    assert!(!error.message().contains("the key broke"));
    let source = std::error::Error::source(error).unwrap().to_string();
    assert!(source.starts_with("`clumsy`: "), "{source}");
    assert!(source.contains("the key broke"), "{source}");
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn a_gate_that_panics_is_weaker_than_a_block() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("clumsy", |_| panic!("the key broke")))
        .gate(gate("strict", |_| Some(decision("block"))))
        .gate(gate("lax", |_| Some(decision("set_result"))))
        .build()
        .unwrap();
    assert_eq!(became(&executor.call("open", CALL).await), "block");
}

#[tokio::test]
async fn s4_39_a_set_result_is_the_result_and_the_body_does_not_run() {
    let runs = Arc::new(Runs::default());
    let output = ToolOutput::text("from the cache").with_metadata("cached", true);
    let executor = builder(&runs)
        .gate(gate("cache", move |_| {
            Some(GateDecision::set_result(output.clone()))
        }))
        .build()
        .unwrap();
    let outcome = executor.call("open", CALL).await;
    assert_eq!(outcome.text(), "from the cache");
    assert!(outcome.is_success());
    assert_eq!(outcome.result().source(), ResultSource::Gate);
    assert_eq!(outcome.result().metadata().unwrap()["cached"], true);
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn a_gate_sees_canonical_arguments_and_whose_call_it_is() {
    /// Sign in.
    #[tool(register = false, pure)]
    fn sign_in(
        #[arg(aliases("name"))] user: String,
        #[arg(secret)] password: String,
        #[arg(default = 3)] attempts: u32,
    ) -> String {
        drop((user, attempts));
        password
    }

    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let executor = Executor::builder(ToolRegistry::new().with(SignIn))
        .gate(gate("the gate", move |call| {
            count.fetch_add(1, Ordering::SeqCst);
            assert_eq!(
                call.arguments().unwrap().to_string(),
                r#"{"attempts":3,"password":{"$secret":true},"user":"ada"}"#
            );
            assert_eq!(call.tool_name().as_str(), "sign_in");
            assert_eq!(call.spec().name().as_str(), "sign_in");
            assert_eq!(call.session_id().as_str(), "s-1");
            assert_eq!(call.call_id().unwrap().as_str(), "c-1");
            assert_eq!(call.answers().count(), 0);
            None
        }))
        .build()
        .unwrap();
    let arguments = r#"{"name": "ada", "password": "hunter2"}"#;
    let call = ToolCall::new("sign_in", arguments).with_id("c-1");
    let outcome = executor.session("s-1").call(call).await;
    assert_eq!(outcome.text(), "hunter2");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_denial_by_the_checker_comes_after_what_gates_set() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .permission_checker(toolwright::permission::DenyAll)
        .gate(gate("cache", |call| {
            let valve = call.arguments().ok()?.get("valve")?.as_u64()?;
            (valve == 7).then(|| GateDecision::set_result("known"))
        }))
        .build()
        .unwrap();
    assert_eq!(executor.call("open", CALL).await.text(), "known");
    let denied = executor.call("open", r#"{"valve": 8}"#).await;
    assert_eq!(denied.error().unwrap().code(), "denied");
}

#[tokio::test]
async fn trap_headless_what_a_gate_suspends_is_denied() {
    let runs = Arc::new(Runs::default());
    let executor = builder(&runs)
        .gate(gate("careful", |call| {
            let valve = call.arguments().ok()?.get("valve")?.as_u64()?;
            Some(if valve == 7 {
                GateDecision::suspend(PermissionRequest::new("valve", "7", "Open valve 7"))
            } else {
                decision("suspend")
            })
        }))
        .build()
        .unwrap();
    let denied = executor.call("open", CALL).await;
    let error = denied.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Denied, "approval_unavailable")
    );
    let asked = executor.call("open", r#"{"valve": 8}"#).await;
    assert_eq!(asked.error().unwrap().code(), "question_unavailable");
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn a_gate_that_suspends_and_a_checker_that_asks_for_the_same_ask_once() {
    let runs = Arc::new(Runs::default());
    let request = || PermissionRequest::new("valve", "7", "Open valve 7");
    let executor = builder(&runs)
        .approvals(WaitMode::Suspending)
        .gate(gate("careful", move |_| {
            Some(GateDecision::suspend(request()))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let outcome = session.call(ToolCall::new("open", CALL)).await;
    let waits = interrupted(outcome);
    assert_eq!(waits.summary(), "Open valve 7");
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "valve 7 is open");
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn each_gate_is_asked_once_whatever_follows() {
    // A person is asked then, a gate denies, and nothing follows.
    for (asks, denies) in [(true, false), (false, true), (false, false)] {
        let asked = Arc::new(AtomicU32::new(0));
        let counted = |name, decision: Option<&'static str>| {
            let asked = Arc::clone(&asked);
            gate(name, move |_| {
                asked.fetch_add(1, Ordering::Relaxed);
                decision.map(self::decision)
            })
        };
        let runs = Arc::new(Runs::default());
        let builder = Executor::builder(ToolRegistry::new().with(Open)).resource(runs);
        let builder = if asks {
            builder.approvals(WaitMode::Suspending)
        } else {
            builder.permission_checker(AllowAll)
        };
        let executor = builder
            .gate(counted("first", None))
            .gate(counted("second", denies.then_some("deny")))
            .gate(counted("third", None))
            .build()
            .unwrap();
        let outcome = executor.call("open", CALL).await;
        let expected = match (asks, denies) {
            (true, _) => "suspend",
            (_, true) => "deny",
            _ => "run",
        };
        assert_eq!(became(&outcome), expected);
        assert_eq!(asked.load(Ordering::Relaxed), 3, "{expected}");
    }
}
