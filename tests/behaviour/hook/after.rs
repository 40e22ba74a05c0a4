//! Hooks after a call: what they see, what they may change.

use std::sync::Arc;
use std::time::Duration;

use toolwright::content::{ErrorKind, ResultSource};
use toolwright::event::{EventChannel, EventKind};
use toolwright::hook::{AfterDecision, GateDecision};
use toolwright::permission::AllowAll;
use toolwright::state::{ScheduledAction, StateCommand};
use toolwright::{
    Executor, ExecutorBuilder, ToolError, ToolOutcome, ToolOutput, ToolRegistry, tool,
};

use super::parts::{after, gate};
use crate::support::Trace;

#[derive(Clone, Default, Debug, PartialEq)]
struct Count(u32);

/// Write a file.
#[tool(register = false)]
fn write(path: String) -> Result<ToolOutput, ToolError> {
    match path.as_str() {
        "bad" => Err(ToolError::failed("the disk is full")),
        "fatal" => Err(ToolError::failed("the disk is gone").into_fatal()),
        "panic" => panic!("the disk exploded"),
        path => Ok(ToolOutput::text(format!("wrote {path}"))
            .with_command(StateCommand::update(|count: &mut Count| count.0 += 1))),
    }
}

fn builder() -> ExecutorBuilder {
    Executor::builder(ToolRegistry::new().with(Write)).permission_checker(AllowAll)
}

#[tokio::test]
async fn s3_42_a_linter_sees_what_the_tool_was_told_and_what_it_gave() {
    let executor = builder()
        .after(after(|call| {
            assert_eq!(call.tool_name().as_str(), "write");
            assert_eq!(call.source(), ResultSource::Tool);
            if call.output().is_error() {
                return Ok(AfterDecision::keep());
            }
            let path = call.arguments().unwrap().get("path").cloned();
            let [part] = call.output().content() else {
                panic!("there is one part");
            };
            let text = part.as_text().unwrap();
            let linted = format!("{text}\nlint of {}: 2 warnings", path.unwrap());
            Ok(AfterDecision::replace(linted))
        }))
        .build()
        .unwrap();
    let outcome = executor.call("write", r#"{"path": "a.rs"}"#).await;
    assert_eq!(outcome.text(), "wrote a.rs\nlint of \"a.rs\": 2 warnings");
    let failed = executor.call("write", r#"{"path": "bad"}"#).await;
    assert_eq!(failed.text(), "the disk is full");
}

#[tokio::test]
async fn s4_46_hooks_see_each_result_whatever_it_comes_from() {
    let trace = Trace::default();
    let seen = trace.clone();
    let executor = builder()
        .gate(gate("the gate", |call| {
            match call.arguments().ok()?.get("path")?.as_str()? {
                "set" => Some(GateDecision::set_result("set")),
                "deny" => Some(GateDecision::deny("no")),
                "block" => Some(GateDecision::block("no")),
                _ => None,
            }
        }))
        .after(after(move |call| {
            let code = call.output().as_error().map_or("ok", ToolError::code);
            seen.note(format!("{:?} {code}", call.source()));
            Ok(AfterDecision::keep())
        }))
        .build()
        .unwrap();
    for path in ["a", "bad", "panic", "set", "deny", "block"] {
        executor
            .call("write", serde_json::json!({"path": path}))
            .await;
    }
    assert_eq!(
        trace.take(),
        [
            "Tool ok",
            "Tool failed",
            "Executor panicked",
            "Gate ok",
            "Gate denied_by_gate",
            "Gate blocked",
        ]
    );
}

#[tokio::test]
async fn s4_47_hooks_may_change_the_state_emit_events_and_schedule_actions() {
    let channel = EventChannel::new(64);
    let mut events = channel.subscribe();
    let executor = builder()
        .events(channel)
        .after(after(|call| {
            let seen = call.output().is_error();
            let action = ScheduledAction::new("reindex", "a.rs", Duration::from_secs(60));
            Ok(AfterDecision::keep()
                .with_command(StateCommand::update(|count: &mut Count| count.0 += 10))
                .with_command(StateCommand::emit("linted", seen))
                .with_command(StateCommand::schedule(action)))
        }))
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let call = |path| toolwright::ToolCall::new("write", serde_json::json!({"path": path}));
    assert!(session.call(call("a")).await.is_success());
    // The tool's own commands are of success only.
    assert!(!session.call(call("bad")).await.is_success());
    assert_eq!(session.state().get::<Count>(), Some(&Count(21)));
    assert_eq!(session.take_scheduled().len(), 2);
    let mut emitted = Vec::new();
    while let Some(received) = events.try_recv() {
        if let EventKind::Emitted { name, payload, .. } = received.event().kind() {
            emitted.push(format!("{name} {payload}"));
        }
    }
    assert_eq!(emitted, ["linted false", "linted true"]);
}

#[tokio::test]
async fn each_hook_sees_what_the_one_before_left() {
    let add = |what: &'static str| {
        after(move |call| {
            let text = call.output().content()[0].as_text().unwrap();
            Ok(AfterDecision::replace(format!("{text}{what}")))
        })
    };
    let executor = builder()
        .after(add(", one"))
        .after(add(", two"))
        .build()
        .unwrap();
    let outcome = executor.call("write", r#"{"path": "a"}"#).await;
    assert_eq!(outcome.text(), "wrote a, one, two");
}

#[tokio::test]
async fn what_ends_the_run_stays_so_whatever_a_hook_says() {
    let executor = builder()
        .gate(gate("the gate", |call| {
            let path = call.arguments().ok()?.get("path")?.as_str()?;
            (path == "block").then(|| GateDecision::block("no"))
        }))
        .after(after(|_| Ok(AfterDecision::replace("all is well"))))
        .after(after(|_| Err(ToolError::failed("all is lost"))))
        .build()
        .unwrap();
    for path in ["fatal", "block"] {
        let arguments = serde_json::json!({"path": path});
        let outcome = executor.call("write", arguments).await;
        assert!(matches!(&outcome, ToolOutcome::Failed(_)), "{outcome:?}");
        assert!(!outcome.text().contains("all is"), "{outcome:?}");
    }
}

#[tokio::test]
async fn trap_a_panic_of_a_hook_lets_no_result_through() {
    type Say = fn() -> Result<AfterDecision, ToolError>;
    let cases: [(Say, ErrorKind, &str); 2] = [
        (|| panic!("hunter2"), ErrorKind::Panicked, "hook_panicked"),
        (
            || Err(ToolError::unavailable("the censor is away")),
            ErrorKind::Unavailable,
            "unavailable",
        ),
    ];
    for (say, kind, code) in cases {
        let executor = builder().after(after(move |_| say())).build().unwrap();
        let session = executor.session("s-1");
        let call = toolwright::ToolCall::new("write", r#"{"path": "a"}"#);
        let outcome = session.call(call).await;
        let error = outcome.error().unwrap();
        assert_eq!((error.kind(), error.code()), (kind, code));
        let text = outcome.text();
        assert!(
            !text.contains("wrote a") && !text.contains("hunter2"),
            "{text}"
        );
        assert!(
            text.ends_with("the tool has run, so check what it did before you repeat the call"),
            "{text}"
        );
        assert_eq!(session.state().get::<Count>(), None);
    }
}

#[tokio::test]
async fn a_hook_may_use_the_things_of_the_app() {
    let trace = Trace::default();
    let executor = builder()
        .resource_arc(Arc::new(trace.clone()))
        .after(after(|call| {
            let trace: &Trace = call.resource().expect("it was added");
            trace.note("seen");
            Ok(AfterDecision::keep())
        }))
        .build()
        .unwrap();
    executor.call("write", r#"{"path": "a"}"#).await;
    assert_eq!(trace.take(), ["seen"]);
}
