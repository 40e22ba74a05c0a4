//! Gates and hooks over the calls of a batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::hook::{BatchDecision, BeforeDecision, BeforeTool, GateDecision, HookCall};
use toolwright::permission::AllowAll;
use toolwright::state::StateCommand;
use toolwright::{Executor, ToolCall, ToolError, ToolOutput, ToolRegistry, async_trait, tool};

use super::parts::{before, before_batch, gate};
use crate::support::Trace;
use crate::waiting_support::Runs;

struct Spent;

/// Spend the budget.
#[tool(register = false)]
fn spend(runs: &Arc<Runs>) -> ToolOutput {
    runs.add();
    ToolOutput::text("spent").with_command(StateCommand::set(Spent))
}

/// Look at something.
#[tool(register = false, read_only)]
fn look(at: String, runs: &Arc<Runs>) -> String {
    runs.add();
    format!("saw {at}")
}

fn registry() -> ToolRegistry {
    ToolRegistry::new().with(Spend).with(Look)
}

#[tokio::test]
async fn s4_42_a_gate_is_asked_again_when_an_earlier_call_of_the_batch_changed_the_state() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .gate(gate("once", |call| {
            call.state::<Spent>()
                .map(|Spent| GateDecision::block("the budget is spent"))
        }))
        .build()
        .unwrap();
    let calls = ["spend", "spend"].map(|name| ToolCall::new(name, "{}"));
    let outcomes = executor.session("s-1").call_all(calls).await;
    assert_eq!(outcomes[0].text(), "spent");
    assert_eq!(outcomes[1].error().map(ToolError::code), Some("blocked"));
    assert_eq!(runs.count(), 1);
}

#[tokio::test]
async fn s4_44_hooks_see_the_calls_of_a_batch_together_once() {
    let runs = Arc::new(Runs::default());
    let trace = Trace::default();
    let [together, alone] = [(); 2].map(|()| trace.clone());
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .gate(gate("the gate", |call| {
            let at = call.arguments().ok()?.get("at")?.as_str()?;
            (at == "the sun").then(|| GateDecision::deny("it blinds"))
        }))
        .before(before_batch(move |calls| {
            let each = calls.iter().map(|call| {
                let id = call.call_id().unwrap().as_str();
                format!("{} {id} {}", call.tool_name(), call.arguments().unwrap())
            });
            together.note(each.collect::<Vec<_>>().join(", "));
            Ok(BatchDecision::proceed()
                .veto(1, "it is dark")
                .rewrite(2, json!({"at": "the map"})))
        }))
        .before(before(move |call| {
            alone.note(call.arguments().unwrap().to_string());
            Ok(BeforeDecision::proceed())
        }))
        .build()
        .unwrap();
    let calls = ["a tree", "the sun", "the night", "the road"];
    let calls = (0..).zip(calls).map(|(number, at)| {
        ToolCall::new("look", json!({"at": at})).with_id(format!("c-{number}"))
    });
    let outcomes = executor.session("s-1").call_all(calls).await;
    assert_eq!(
        trace.take(),
        [
            r#"look c-0 {"at":"a tree"}, look c-2 {"at":"the night"}, look c-3 {"at":"the road"}"#,
            r#"{"at":"a tree"}"#,
            r#"{"at":"the map"}"#,
        ]
    );
    let codes: Vec<Option<&str>> = outcomes
        .iter()
        .map(|outcome| outcome.error().map(ToolError::code))
        .collect();
    assert_eq!(codes, [None, Some("denied_by_gate"), Some("vetoed"), None]);
    assert_eq!(outcomes[0].text(), "saw a tree");
    assert!(outcomes[3].text().starts_with("saw the map\n"));
    assert_eq!(runs.count(), 2);
}

#[tokio::test]
async fn a_call_by_itself_is_a_batch_of_one() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&runs))
        .before(before_batch(|calls| {
            assert_eq!(calls.len(), 1);
            Ok(BatchDecision::proceed().veto(0, "not today"))
        }))
        .build()
        .unwrap();
    let outcome = executor.call("look", r#"{"at": "a tree"}"#).await;
    assert_eq!(outcome.error().map(ToolError::code), Some("vetoed"));
    assert_eq!(runs.count(), 0);
}

#[derive(Clone, Default)]
struct Looked(u32);

#[tokio::test]
async fn a_hook_sees_what_it_has_said_of_the_calls_before() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&runs))
        .before(before(|call| {
            if call.state::<Looked>().is_some_and(|looked| looked.0 >= 2) {
                return Ok(BeforeDecision::veto("two looks are enough"));
            }
            let count = StateCommand::update(|looked: &mut Looked| looked.0 += 1);
            Ok(BeforeDecision::proceed().with_command(count))
        }))
        .build()
        .unwrap();
    let calls = [(); 4].map(|()| ToolCall::new("look", r#"{"at": "a tree"}"#));
    let outcomes = executor.session("s-1").call_all(calls).await;
    let codes: Vec<_> = outcomes
        .iter()
        .map(|outcome| outcome.error().map(ToolError::code))
        .collect();
    assert_eq!(codes, [None, None, Some("vetoed"), Some("vetoed")]);
    assert_eq!(runs.count(), 2);
}

#[tokio::test]
async fn a_hook_that_fails_for_the_batch_ends_its_calls_and_no_others() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&runs))
        .permission_checker(AllowAll)
        .gate(gate("cache", |call| {
            let at = call.arguments().ok()?.get("at")?.as_str()?;
            (at == "the sun").then(|| GateDecision::set_result("seen before"))
        }))
        .before(before_batch(|_| panic!("the list is lost")))
        .build()
        .unwrap();
    let calls = ["a tree", "the sun", "the road"];
    let calls = calls.map(|at| ToolCall::new("look", json!({"at": at})));
    let outcomes = executor.session("s-1").call_all(calls).await;
    assert_eq!(
        outcomes[0].error().map(ToolError::code),
        Some("hook_panicked")
    );
    assert_eq!(outcomes[1].text(), "seen before");
    assert_eq!(
        outcomes[2].error().map(ToolError::code),
        Some("hook_panicked")
    );
    assert_eq!(runs.count(), 0);
}

/// Has no answer of its own to batches.
struct Unasked;

impl BeforeTool for Unasked {}

/// Passes on the answer of a hook that has none, the first time.
#[derive(Default)]
struct Relay {
    asked: AtomicUsize,
}

#[async_trait]
impl BeforeTool for Relay {
    async fn before_batch(&self, calls: &[HookCall<'_>]) -> Result<BatchDecision, ToolError> {
        let decision = Unasked.before_batch(calls).await?;
        Ok(match self.asked.fetch_add(1, Ordering::Relaxed) {
            0 => decision,
            _ => decision.veto(0, "once is enough"),
        })
    }
}

#[tokio::test]
async fn a_hook_that_passes_on_the_answer_of_another_is_asked_about_each_batch() {
    let seen = Trace::default();
    let executor = Executor::builder(registry())
        .resource(Arc::new(Runs::default()))
        .permission_checker(AllowAll)
        .before(before({
            let seen = seen.clone();
            move |call| {
                seen.note(call.tool_name().as_str());
                Ok(BeforeDecision::proceed())
            }
        }))
        .before(Relay::default())
        .build()
        .unwrap();
    let call = || executor.call("look", r#"{"at": "here"}"#);
    assert!(call().await.is_success());
    for _ in 0..2 {
        assert_eq!(call().await.error().map(ToolError::code), Some("vetoed"));
    }
    assert_eq!(seen.take(), ["look"; 3]);
}
