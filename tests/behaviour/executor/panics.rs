//! Panics: wherever a tool or a checker panics, its call has an outcome and nothing else is touched.

use std::time::Duration;

use toolwright::arguments::{Arguments, InvalidArguments};
use toolwright::content::{ErrorKind, ResultSource};
use toolwright::permission::{AllowAll, Verdict};
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, ExecutorBuilder, PermissionRequest, Tool, ToolCall, ToolContext, ToolName,
    ToolOutcome, ToolOutput, ToolRegistry, ToolSpec, tool,
};

use crate::support::{HandMade, judge, poll_once};

fn kind(outcome: &ToolOutcome) -> ErrorKind {
    outcome.error().unwrap().kind()
}

fn echo() -> HandMade {
    HandMade::new("echo")
}

async fn assert_still_works(executor: &Executor) {
    assert_eq!(executor.call("echo", "[1]").await.text(), "[1]");
}

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("it broke");
    }
}

/// Hold something brittle for a while.
#[tool(read_only, timeout = "1s")]
async fn hold_brittle(seconds: u64) -> &'static str {
    let _brittle = Brittle;
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    "held"
}

#[tokio::test(start_paused = true)]
async fn a_body_that_panics_when_it_is_dropped_harms_nobody() {
    let executor = Executor::new(ToolRegistry::new().with(HoldBrittle).with(echo())).unwrap();
    let ended = executor.call("hold_brittle", r#"{"seconds": 0}"#).await;
    assert_eq!(kind(&ended), ErrorKind::Panicked);
    // It was stopped for another reason, and that is reported; the panic is for the log.
    let late = executor.call("hold_brittle", r#"{"seconds": 9}"#).await;
    assert_eq!(kind(&late), ErrorKind::TimedOut);
    let source = std::error::Error::source(late.error().unwrap()).unwrap();
    assert!(source.to_string().contains("panicked"), "{source}");
    let session = executor.session("s");
    let turn = session.turn();
    let (cancelled, ()) = tokio::join!(
        turn.call(ToolCall::new("hold_brittle", r#"{"seconds": 9}"#)),
        async { turn.cancel() },
    );
    assert_eq!(kind(&cancelled), ErrorKind::Cancelled);

    // The host gives up on the call and drops it.
    let mut given_up = Box::pin(executor.call("hold_brittle", r#"{"seconds": 9}"#));
    assert!(poll_once(given_up.as_mut()).is_pending());
    drop(given_up);
    assert_still_works(&executor).await;
}

/// A parsed call that panics when it is dropped, whether it ran or not.
struct BrittleCall {
    _brittle: Brittle,
}

impl Invocation for BrittleCall {
    fn start(self: Box<Self>, _ctx: &ToolContext) -> Started<'_> {
        Started::Done(Ok(ToolOutput::empty()))
    }
}

struct MakeBrittle(ToolSpec);

impl Tool for MakeBrittle {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn parse(&self, _arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        Ok(Box::new(BrittleCall { _brittle: Brittle }))
    }
}

#[tokio::test]
async fn a_denied_call_that_panics_when_it_is_dropped_harms_nobody() {
    let name = ToolName::new("make_brittle").unwrap();
    let registry = ToolRegistry::new().with(MakeBrittle(ToolSpec::new(name, "Break.")));
    let denying = judge(|_| Verdict::deny("not here"), |_, _| Verdict::Allow);
    let executor = Executor::builder(registry).permission_checker(denying);
    let executor = executor.build().unwrap();
    let call = tokio::spawn(async move { executor.call("make_brittle", "").await });
    let outcome = call.await.expect("the host's task is not unwound");
    assert_eq!(kind(&outcome), ErrorKind::Denied);
}

/// Throw something brittle.
#[tool(read_only)]
fn throw_brittle() {
    std::panic::panic_any(Brittle);
}

#[tokio::test]
async fn a_panic_that_panics_once_more_harms_nobody() {
    let executor = Executor::new(ToolRegistry::new().with(ThrowBrittle).with(echo())).unwrap();
    let call = tokio::spawn({
        let executor = executor.clone();
        async move { executor.call("throw_brittle", "").await }
    });
    let outcome = call.await.expect("the host's task is not unwound");
    assert_eq!(kind(&outcome), ErrorKind::Panicked);
    assert_still_works(&executor).await;
}

#[tokio::test]
async fn trap_a_panic_of_a_tool_at_any_stage_is_an_outcome() {
    let registry = ToolRegistry::new()
        .with(HandMade::new("in_parse").parse(|_| panic!("parse")))
        .with(HandMade::new("in_requests").ask(|_| panic!("requests")))
        .with(HandMade::new("in_body").run(|_, _| panic!("body")))
        .with(echo());
    let executor = Executor::builder(registry).permission_checker(AllowAll);
    let executor = executor.build().unwrap();
    for name in ["in_parse", "in_requests", "in_body"] {
        let outcome = executor.call(name, "").await;
        assert_eq!(kind(&outcome), ErrorKind::Panicked, "{name}");
        assert_eq!(outcome.result().source(), ResultSource::Executor, "{name}");
        assert_still_works(&executor).await;
    }
}

#[tokio::test]
async fn a_checker_that_panics_denies() {
    let asking =
        || HandMade::new("asking").ask(|_| Ok(vec![PermissionRequest::new("a", "b", "Do it")]));
    let of_tools = judge(|_| panic!("of tools"), |_, _| Verdict::Allow);
    let of_requests = judge(|_| Verdict::Allow, |_, _| panic!("of requests"));
    let build = |builder: ExecutorBuilder| builder.build().unwrap();
    let registry = || ToolRegistry::new().with(asking());
    for executor in [
        build(Executor::builder(registry()).permission_checker(of_tools)),
        build(Executor::builder(registry()).permission_checker(of_requests)),
    ] {
        let outcome = executor.call("asking", "").await;
        assert_eq!(kind(&outcome), ErrorKind::Denied);
        assert!(
            outcome.text().contains("permission checker panicked"),
            "{}",
            outcome.text()
        );
    }
}

/// A tool whose description cannot be had.
struct Indescribable;

impl Tool for Indescribable {
    fn spec(&self) -> &ToolSpec {
        panic!("no words")
    }

    fn parse(&self, _arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        unreachable!("it is never registered")
    }
}

#[tokio::test]
async fn trap_a_panic_of_a_descriptor_keeps_only_its_own_tool_out() {
    let mut registry = ToolRegistry::new().with(echo());
    let error = registry.register(Indescribable).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("panicked in `spec()`") && text.contains(file!()),
        "{text}"
    );
    let executor = Executor::new(registry).unwrap();
    assert_still_works(&executor).await;
    assert!(Executor::new(ToolRegistry::new().with(Indescribable)).is_err());
}
