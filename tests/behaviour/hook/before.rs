//! Hooks before a call: a veto, other arguments, what becomes of the session's state.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::content::ErrorKind;
use toolwright::executor::{Limits, WaitMode};
use toolwright::hook::{BatchDecision, BeforeDecision, BeforeTool, GateDecision, HookCall};
use toolwright::permission::AllowAll;
use toolwright::question::Question;
use toolwright::state::StateCommand;
use toolwright::ticket::Answer;
use toolwright::{
    Executor, ExecutorBuilder, ToolCall, ToolContext, ToolError, ToolOutcome, ToolRegistry,
    async_trait, tool,
};

use super::parts::{before, before_batch, gate};
use crate::support::Trace;
use crate::waiting_support::{Asks, Deploy, Runs, interrupted};

#[derive(Clone, Default)]
struct Count(u32);

/// Run a command.
#[tool(register = false, pure)]
fn shell(command: String, #[arg(secret)] token: Option<String>, ctx: &ToolContext) -> String {
    let count = ctx.state::<Count>().map_or(0, |count| count.0);
    let token = token.unwrap_or_default();
    format!("ran {command}{token} after {count}")
}

fn builder() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Shell))
}

fn code(outcome: &ToolOutcome) -> &str {
    outcome.error().map_or("", ToolError::code)
}

fn command<'c>(call: &'c HookCall<'_>) -> &'c str {
    let arguments = call.arguments().unwrap();
    arguments.get("command").and_then(Value::as_str).unwrap()
}

#[tokio::test]
async fn s3_41_a_veto_stops_the_call_and_its_reason_reaches_the_model() {
    let executor = builder()
        .before(before(|call| {
            Ok(match command(call) {
                "rm" => BeforeDecision::veto("nothing is removed here"),
                _ => BeforeDecision::proceed(),
            })
        }))
        .build()
        .unwrap();
    let vetoed = executor.call("shell", r#"{"command": "rm"}"#).await;
    assert_eq!(code(&vetoed), "vetoed");
    assert_eq!(vetoed.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(
        vetoed.text(),
        "`shell` was stopped before it ran: nothing is removed here. Do not repeat the call as it is"
    );
    let ran = executor.call("shell", r#"{"command": "ls"}"#).await;
    assert_eq!(ran.text(), "ran ls after 0");
}

#[tokio::test]
async fn s4_43_hooks_before_a_call_see_only_calls_that_may_run() {
    let trace = Trace::default();
    let seen = trace.clone();
    let executor = builder()
        .permission_checker(AllowAll)
        .approvals(WaitMode::Suspending)
        .gate(gate("the gate", |call| {
            match call.arguments().ok()?.get("command")?.as_str()? {
                "block" => Some(GateDecision::block("no")),
                "deny" => Some(GateDecision::deny("no")),
                "suspend" => Some(GateDecision::suspend(Question::text("Why?"))),
                "set" => Some(GateDecision::set_result("set")),
                _ => None,
            }
        }))
        .before(before(move |call| {
            seen.note(command(call));
            Ok(BeforeDecision::proceed())
        }))
        .build()
        .unwrap();
    for name in ["block", "deny", "suspend", "set", "ls"] {
        executor.call("shell", json!({"command": name})).await;
    }
    executor.call("shell", r#"{"command": 5}"#).await;
    executor.call("shell", "{}").await;
    assert_eq!(trace.take(), ["ls"]);
}

#[tokio::test]
async fn s4_04_hooks_see_only_arguments_that_passed() {
    let trace = Trace::default();
    let seen = trace.clone();
    let executor = builder()
        .strict(true)
        .before(before(move |call| {
            seen.note(call.arguments().unwrap().to_string());
            Ok(BeforeDecision::proceed())
        }))
        .build()
        .unwrap();
    executor.call("shell", r#"{"command": 5}"#).await;
    executor.call("shell", r#"{"comand": "ls"}"#).await;
    assert_eq!(trace.take(), [""; 0]);
    let arguments = r#"{"command": "ls", "token": "hunter2"}"#;
    executor.call("shell", arguments).await;
    assert_eq!(
        trace.take(),
        [r#"{"command":"ls","token":{"$secret":true}}"#]
    );
}

#[tokio::test]
async fn s4_45_commands_of_hooks_change_the_state_before_the_call_runs() {
    let executor = builder()
        .before(before(|_| {
            let up = StateCommand::update(|count: &mut Count| count.0 += 1);
            Ok(BeforeDecision::proceed().with_command(up))
        }))
        .before(before_batch(|_| {
            let up = StateCommand::update(|count: &mut Count| count.0 += 10);
            Ok(BatchDecision::proceed().with_command(up))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let call = || ToolCall::new("shell", r#"{"command": "ls"}"#);
    assert_eq!(session.call(call()).await.text(), "ran ls after 11");
    assert_eq!(session.call(call()).await.text(), "ran ls after 22");
}

#[tokio::test]
async fn other_arguments_go_back_to_the_start_and_the_model_is_told() {
    let trace = Trace::default();
    let [at_gate, at_first, at_second] = [(); 3].map(|()| trace.clone());
    let executor = builder()
        .gate(gate("the gate", move |call| {
            let command = call.arguments().ok()?.get("command")?.as_str()?;
            at_gate.note(format!("gate {command}"));
            None
        }))
        .before(before(move |call| {
            at_first.note(format!("first {}", command(call)));
            let mut arguments = call.arguments().unwrap().as_value().clone();
            arguments["command"] = "ls --safe".into();
            Ok(BeforeDecision::rewrite(arguments))
        }))
        .before(before(move |call| {
            at_second.note(format!("second {}", command(call)));
            // Arguments that stay as they were change nothing.
            Ok(BeforeDecision::rewrite(
                call.arguments().unwrap().as_value().clone(),
            ))
        }))
        .build()
        .unwrap();
    let arguments = r#"{"command": "ls", "token": "!"}"#;
    let outcome = executor.call("shell", arguments).await;
    assert_eq!(
        trace.take(),
        ["gate ls", "first ls", "gate ls --safe", "second ls --safe"]
    );
    assert_eq!(
        outcome.text(),
        "ran ls --safe! after 0\nThe app changed the arguments of this call to: \
         {\"command\":\"ls --safe\",\"token\":{\"$secret\":true}}"
    );
}

#[tokio::test]
async fn other_arguments_are_judged_like_any() {
    let executor = builder()
        .gate(gate("the gate", |call| {
            let command = call.arguments().ok()?.get("command")?.as_str()?;
            (command == "rm").then(|| GateDecision::deny("nothing is removed here"))
        }))
        .before(before(|_| {
            Ok(BeforeDecision::rewrite(json!({"command": "rm"})))
        }))
        .build()
        .unwrap();
    let outcome = executor.call("shell", r#"{"command": "ls"}"#).await;
    assert_eq!(code(&outcome), "denied_by_gate");
}

#[tokio::test]
async fn arguments_that_the_tool_does_not_take_are_the_hooks_fault() {
    for arguments in [
        json!({"command": {}}),
        json!([]),
        json!({"command": "ls", "x": {"$secret": true}}),
    ] {
        let executor = builder()
            .before(before(move |_| {
                Ok(BeforeDecision::rewrite(arguments.clone()))
            }))
            .build()
            .unwrap();
        let outcome = executor.call("shell", r#"{"command": "ls"}"#).await;
        let error = outcome.error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Internal, "invalid_rewrite")
        );
        assert!(std::error::Error::source(error).is_some());
    }
}

#[tokio::test]
async fn a_person_sees_what_a_hook_made_of_the_call() {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .permission_checker(Asks)
        .approvals(WaitMode::Suspending)
        .before(before(|call| {
            let mut arguments = call.arguments().unwrap().as_value().clone();
            let place = arguments["place"].as_str().unwrap_or_default();
            arguments["place"] = place.to_lowercase().into();
            Ok(BeforeDecision::rewrite(arguments))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let call = ToolCall::new("deploy", r#"{"place": "TEST"}"#);
    let waits = interrupted(session.call(call).await);
    assert_eq!(waits.summary(), "Deploy to test");
    // Arguments that a person writes make another call, and the rewrite by a hook is shown once more.
    let edited = Answer::edited(json!({"place": "STAGING"}));
    let again = session.resume(waits.ticket(), edited).await.unwrap();
    let again = interrupted(again);
    assert_eq!(again.summary(), "Deploy to staging");
    assert_eq!(runs.count(), 0);
    let outcome = session.resume(again.ticket(), Answer::yes()).await.unwrap();
    assert!(
        outcome.text().starts_with("deployed to staging\n"),
        "{}",
        outcome.text()
    );
    assert_eq!(runs.count(), 1);
}

/// A hook that goes wrong in some way.
#[derive(Clone, Copy)]
enum Wrong {
    Fails,
    Panics,
    Hangs,
    PanicsInBatch,
    SpeaksOfOthers,
}

#[async_trait]
impl BeforeTool for Wrong {
    async fn before(&self, _: &HookCall<'_>) -> Result<BeforeDecision, ToolError> {
        match self {
            Self::Fails => Err(ToolError::unavailable("the register is closed")),
            Self::Panics => panic!("hunter2"),
            Self::Hangs => pending().await,
            _ => Ok(BeforeDecision::proceed()),
        }
    }

    async fn before_batch(&self, _: &[HookCall<'_>]) -> Result<BatchDecision, ToolError> {
        match self {
            Self::PanicsInBatch => panic!("hunter2"),
            Self::SpeaksOfOthers => Ok(BatchDecision::proceed().veto(7, "no")),
            _ => Ok(BatchDecision::proceed()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_goes_wrong_ends_its_call_with_an_error_of_its_own() {
    let cases = [
        (Wrong::Fails, ErrorKind::Unavailable, "unavailable"),
        (Wrong::Panics, ErrorKind::Panicked, "hook_panicked"),
        (Wrong::Hangs, ErrorKind::TimedOut, "hook_timed_out"),
        (Wrong::PanicsInBatch, ErrorKind::Panicked, "hook_panicked"),
        (Wrong::SpeaksOfOthers, ErrorKind::Internal, "invalid_hook"),
    ];
    for (wrong, kind, code) in cases {
        let executor = builder()
            .before(wrong)
            .limits(Limits::new().hook_timeout(Duration::from_secs(5)))
            .build()
            .unwrap();
        let outcome = executor.call("shell", r#"{"command": "ls"}"#).await;
        let error = outcome.error().unwrap();
        assert_eq!((error.kind(), error.code()), (kind, code));
        assert!(!outcome.text().contains("hunter2"));
    }
}

#[tokio::test]
async fn a_hook_that_hangs_goes_with_its_turn() {
    let executor = builder()
        .before(Wrong::Hangs)
        .limits(Limits::new().hook_timeout(None))
        .build()
        .unwrap();
    let turn = executor.session("s-1").turn();
    let task = tokio::spawn({
        let turn = turn.clone();
        async move {
            turn.call(ToolCall::new("shell", r#"{"command": "ls"}"#))
                .await
        }
    });
    tokio::task::yield_now().await;
    turn.cancel();
    let outcome = task.await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Cancelled);
}
