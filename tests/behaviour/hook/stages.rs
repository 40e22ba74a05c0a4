//! The order of the stages, for each way in which a call can end.

use std::future::pending;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::executor::{Limits, WaitMode};
use toolwright::hook::{AfterDecision, BeforeDecision, GateDecision};
use toolwright::permission::Verdict;
use toolwright::question::Question;
use toolwright::spec::Effect;
use toolwright::ticket::Answer;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, PermissionRequest, Session, Tool, ToolCall, ToolContext, ToolError, ToolName,
    ToolOutcome, ToolOutput, ToolRegistry, ToolSpec,
};

use super::parts::{after, before, gate};
use crate::support::{Trace, judge};

/// A tool that notes each stage of a call, by its only argument.
struct Traced {
    spec: ToolSpec,
    trace: Trace,
}

impl Tool for Traced {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        self.trace.note("parse");
        let how = arguments.to_value()?["how"]
            .as_str()
            .map(str::to_owned)
            .unwrap_or_default();
        if how == "badly" {
            let problem = ArgumentProblem::new(ProblemKind::Type, "/how", "not like this");
            return Err(InvalidArguments::new(vec![problem]));
        }
        Ok(Box::new(TracedCall {
            how,
            trace: self.trace.clone(),
        }))
    }
}

struct TracedCall {
    how: String,
    trace: Trace,
}

impl Invocation for TracedCall {
    fn proposed_requests(&self, _: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        self.trace.note("requests");
        Ok(vec![PermissionRequest::new(
            "do",
            self.how.clone(),
            format!("Do it {}", self.how),
        )])
    }

    fn start(self: Box<Self>, _: &ToolContext) -> Started<'_> {
        Started::pending(async move {
            self.trace.note("run");
            match self.how.as_str() {
                "in vain" => Err(ToolError::failed("it broke")),
                "in panic" => panic!("it burst"),
                "for ever" => pending().await,
                how => Ok(ToolOutput::text(format!("done {how}"))),
            }
        })
    }
}

fn how(arguments: Option<&Value>) -> &str {
    arguments.and_then(Value::as_str).unwrap_or_default()
}

/// An executor of one tool, `traced`, each of whose stages notes that it runs.
fn executor(trace: &Trace) -> Executor {
    let [at_check, at_gate, at_before, at_after] = [(); 4].map(|()| trace.clone());
    let spec = ToolSpec::new(ToolName::new("traced").unwrap(), "Do it somehow.")
        .with_effect(Effect::Idempotent);
    let tool = Traced {
        spec,
        trace: trace.clone(),
    };
    let checker = judge(
        |_| Verdict::Allow,
        move |_, request| {
            at_check.note("check");
            match request.target() {
                "unlawfully" => Verdict::deny("it is against the law"),
                "with leave" => Verdict::ask("somebody has to know"),
                _ => Verdict::Allow,
            }
        },
    );
    let gate = gate("the gate", move |call| {
        at_gate.note("gate");
        match how(call.arguments().unwrap().get("how")) {
            "and stop" => Some(GateDecision::block("this goes too far")),
            "rudely" => Some(GateDecision::deny("one does not")),
            "with a word" => Some(GateDecision::suspend(Question::text("How exactly?"))),
            "by proxy" => Some(GateDecision::set_result("done by the gate")),
            _ => None,
        }
    });
    let before = before(move |call| {
        at_before.note("before");
        Ok(match how(call.arguments().unwrap().get("how")) {
            "against advice" => BeforeDecision::veto("it is ill advised"),
            "sloppily" => BeforeDecision::rewrite(json!({"how": "properly"})),
            _ => BeforeDecision::proceed(),
        })
    });
    let after = after(move |_| {
        at_after.note("after");
        Ok(AfterDecision::keep())
    });
    Executor::builder(ToolRegistry::new().with(tool))
        .permission_checker(checker)
        .gate(gate)
        .before(before)
        .after(after)
        .limits(Limits::new().timeout(Duration::from_secs(5)))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap()
}

async fn call(session: &Session, how: &str) -> ToolOutcome {
    session
        .call(ToolCall::new("traced", json!({"how": how})))
        .await
}

fn error(outcome: &ToolOutcome) -> Option<(ErrorKind, &str)> {
    outcome.error().map(|error| (error.kind(), error.code()))
}

const TO_BEFORE: [&str; 5] = ["parse", "gate", "requests", "check", "before"];

fn stages(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[tokio::test(start_paused = true)]
async fn s4_35_a_call_is_validated_gated_shown_before_run_and_shown_after() {
    let trace = Trace::default();
    let session = executor(&trace).session("s-1");
    assert!(call(&session, "well").await.is_success());
    let told = trace.take();
    let expected = [
        "parse", "gate", "requests", "check", "before", "run", "after",
    ];
    assert_eq!(told, expected);
    // If a stage ends the call early, only the hooks after the call still run.
    let vetoed = call(&session, "against advice").await;
    assert_eq!(vetoed.error().unwrap().code(), "vetoed");
    assert_eq!(trace.take(), [&expected[..5], &["after"]].concat());
}

#[tokio::test(start_paused = true)]
async fn s3_56_the_stages_have_one_order_whatever_the_end() {
    let cases = [
        ("well", None, stages(&[&TO_BEFORE, &["run", "after"]])),
        (
            "in vain",
            Some((ErrorKind::Failed, "failed")),
            stages(&[&TO_BEFORE, &["run", "after"]]),
        ),
        (
            "in panic",
            Some((ErrorKind::Panicked, "panicked")),
            stages(&[&TO_BEFORE, &["run", "after"]]),
        ),
        (
            "for ever",
            Some((ErrorKind::TimedOut, "timed_out")),
            stages(&[&TO_BEFORE, &["run", "after"]]),
        ),
        (
            "unlawfully",
            Some((ErrorKind::Denied, "denied")),
            stages(&[&TO_BEFORE[..4], &["after"]]),
        ),
        (
            "and stop",
            Some((ErrorKind::Blocked, "blocked")),
            stages(&[&TO_BEFORE[..2], &["after"]]),
        ),
        (
            "rudely",
            Some((ErrorKind::Denied, "denied_by_gate")),
            stages(&[&TO_BEFORE[..2], &["after"]]),
        ),
        ("by proxy", None, stages(&[&TO_BEFORE[..2], &["after"]])),
        (
            "against advice",
            Some((ErrorKind::Denied, "vetoed")),
            stages(&[&TO_BEFORE, &["after"]]),
        ),
        (
            "sloppily",
            None,
            stages(&[&TO_BEFORE, &TO_BEFORE[..4], &["run", "after"]]),
        ),
        (
            "badly",
            Some((ErrorKind::InvalidArguments, "invalid_arguments")),
            stages(&[&TO_BEFORE[..1]]),
        ),
    ];
    let trace = Trace::default();
    let executor = executor(&trace);
    let session = executor.session("s-1");
    for (how, expected, stages) in cases {
        let outcome = call(&session, how).await;
        assert_eq!(trace.take(), stages, "{how}");
        assert_eq!(error(&outcome), expected, "{how}");
    }
    let outcome = session.call(ToolCall::new("tracde", "{}")).await;
    assert_eq!(error(&outcome), Some((ErrorKind::NotFound, "unknown_tool")));
    assert_eq!(trace.take(), [""; 0]);
}

#[tokio::test]
async fn s3_56_a_cancelled_call_is_shown_to_the_hooks_after_it() {
    let trace = Trace::default();
    let executor = executor(&trace);
    let session = executor.session("s-1");
    let turn = session.turn();
    let task = tokio::spawn({
        let turn = turn.clone();
        async move {
            let arguments = json!({"how": "for ever"});
            turn.call(ToolCall::new("traced", arguments)).await
        }
    });
    tokio::task::yield_now().await;
    turn.cancel();
    let outcome = task.await.unwrap();
    assert_eq!(error(&outcome), Some((ErrorKind::Cancelled, "cancelled")));
    let stages = stages(&[&TO_BEFORE, &["run", "after"]]);
    assert_eq!(trace.take(), stages);
}

#[tokio::test]
async fn s3_56_approval_comes_after_the_hooks_before_a_call_and_does_not_show_it_to_them_again() {
    let trace = Trace::default();
    let executor = executor(&trace);
    let session = executor.session("s-1");
    let outcome = call(&session, "with leave").await;
    let ticket = outcome.suspension().unwrap().ticket();
    assert_eq!(trace.take(), TO_BEFORE);
    let outcome = session.resume(ticket, Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "done with leave");
    let stages = stages(&[&TO_BEFORE[..4], &["run", "after"]]);
    assert_eq!(trace.take(), stages);
}

#[tokio::test]
async fn s3_56_what_a_gate_suspends_goes_all_the_way_once_it_is_answered() {
    let trace = Trace::default();
    let executor = executor(&trace);
    let session = executor.session("s-1");
    let outcome = call(&session, "with a word").await;
    let ticket = outcome.suspension().unwrap().ticket();
    assert_eq!(trace.take(), ["parse", "gate"]);
    let answer = Answer::value("gently");
    let outcome = session.resume(ticket, answer).await.unwrap();
    assert_eq!(outcome.text(), "done with a word");
    let stages = stages(&[&TO_BEFORE, &["run", "after"]]);
    assert_eq!(trace.take(), stages);
}

#[tokio::test]
async fn s4_48_a_tool_is_the_same_with_and_without_hooks() {
    let trace = Trace::default();
    let plain = Executor::builder(ToolRegistry::new().with(Traced {
        spec: ToolSpec::new(ToolName::new("traced").unwrap(), "Do it somehow."),
        trace: trace.clone(),
    }))
    .permission_checker(toolwright::permission::AllowAll)
    .build()
    .unwrap();
    let outcome = call(&plain.session("s-1"), "well").await;
    assert_eq!(trace.take(), ["parse", "requests", "run"]);
    let hooked = executor(&trace);
    let same = call(&hooked.session("s-1"), "well").await;
    assert_eq!(same.text(), outcome.text());
    assert_eq!(same.result().status(), outcome.result().status());
    assert_eq!(same.result().source(), outcome.result().source());
}
