//! Mistakes that other systems were found to make. More of them, beside what they are about, have
//! names that begin with `trap` as well.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use toolwright::content::ErrorKind;
use toolwright::event::EventChannel;
use toolwright::executor::{Limits, WaitMode};
use toolwright::hook::{GateCall, GateDecision, ToolGate};
use toolwright::permission::AllowAll;
use toolwright::question::Question;
use toolwright::registry::OnCollision;
use toolwright::ticket::TicketFilter;
use toolwright::{
    BuildError, Executor, PermissionRequest, Session, ToolCall, ToolContext, ToolOutcome,
    ToolOutput, ToolRegistry, tool,
};

use crate::support::HandMade;

fn kind(outcome: &ToolOutcome) -> Option<ErrorKind> {
    outcome.error().map(toolwright::ToolError::kind)
}

#[tokio::test]
async fn trap_equal_call_ids_in_a_batch_are_calls_of_their_own() {
    let executor = Executor::new(ToolRegistry::new().with(HandMade::new("echo"))).unwrap();
    let calls = [1, 2, 3].map(|n| ToolCall::new("echo", json!({"n": n})).with_id("same"));
    let outcomes = executor.session("s").call_all(calls).await;
    let mut invocations = Vec::new();
    for (outcome, n) in outcomes.iter().zip(1..) {
        assert_eq!(outcome.text(), format!("{{\"n\":{n}}}"));
        let result = outcome.result();
        assert_eq!(result.call_id().unwrap().as_str(), "same");
        assert!(!invocations.contains(&result.invocation_id()));
        invocations.push(result.invocation_id());
    }
    assert_eq!(invocations.len(), 3);
}

/// Open a page of a book.
#[tool(
    register = false,
    permission = PermissionRequest::new("page", pages[*at].as_str(), "Open a page")
)]
fn open_page(pages: Vec<String>, at: usize) -> String {
    format!("opened {}", pages[at])
}

#[tokio::test]
async fn trap_a_panic_in_a_permission_expression_denies_its_call_alone() {
    let builder =
        || Executor::builder(ToolRegistry::new().with(OpenPage)).permission_checker(AllowAll);
    for executor in [
        builder().build().unwrap(),
        builder().events(EventChannel::new(8)).build().unwrap(),
    ] {
        let calls =
            [0, 1, 0].map(|at| ToolCall::new("open_page", json!({"pages": ["a"], "at": at})));
        let outcomes = executor.session("s").call_all(calls).await;
        let kinds: Vec<_> = outcomes.iter().map(kind).collect();
        assert_eq!(kinds, [None, Some(ErrorKind::Panicked), None]);
        assert_eq!(outcomes[2].text(), "opened a");
    }
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

/// The number of bodies that run, and the most that ran at a time.
#[derive(Default)]
struct Beside(AtomicUsize, AtomicUsize);

/// Take a second.
#[tool(register = false, pure)]
async fn second(beside: &Arc<Beside>) {
    let now = beside.0.fetch_add(1, Ordering::SeqCst) + 1;
    beside.1.fetch_max(now, Ordering::SeqCst);
    sleep(Duration::from_secs(1)).await;
    beside.0.fetch_sub(1, Ordering::SeqCst);
}

async fn take_seconds(session: &Session) -> Vec<ToolOutcome> {
    session
        .call_all(vec![ToolCall::new("second", "{}"); 3])
        .await
}

#[tokio::test(start_paused = true)]
async fn trap_slots_of_a_tool_are_kept_when_tools_are_replaced() {
    let beside = Arc::new(Beside::default());
    let registry = || ToolRegistry::new().with(Second);
    let executor = Executor::builder(registry())
        .resource(Arc::clone(&beside))
        .limits(Limits::new().max_concurrent_of("second", 1))
        .build()
        .unwrap();
    let session = executor.session("s");
    // Those of before and those of after the change share them.
    let (before, after) = tokio::join!(take_seconds(&session), async {
        sleep(Duration::from_millis(10)).await;
        executor.replace_tools(registry()).unwrap();
        take_seconds(&session).await
    });
    assert!(before.iter().chain(&after).all(ToolOutcome::is_success));
    assert_eq!(beside.1.load(Ordering::SeqCst), 1);
}

fn collides(registry: ToolRegistry) -> String {
    Executor::new(registry).map_or_else(|error: BuildError| error.to_string(), |_| String::new())
}

#[test]
fn trap_an_alias_that_is_the_name_of_another_tool_is_an_error_in_either_order() {
    let named = || HandMade::new("read");
    let aliased = || HandMade::new("fs.read").spec(|spec| spec.with_alias("read".parse().unwrap()));
    for error in [
        collides(ToolRegistry::new().with(named()).with(aliased())),
        collides(ToolRegistry::new().with(aliased()).with(named())),
    ] {
        assert!(
            error.contains("`read`") && error.contains("`fs.read`"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn trap_names_that_look_alike_once_they_are_sanitised_stay_apart() {
    let names = ["a.b", "a_b", "a-b", "a.b.c", "a_b.c", "a.b_c"];
    let mut registry = ToolRegistry::new();
    for name in names {
        let tool = HandMade::new(name).run(move |_, _| Ok(ToolOutput::text(name)));
        registry.register(tool).unwrap();
    }
    let executor = Executor::new(registry).unwrap();
    let tools = executor.tools();
    for name in names {
        let wire = tools.wire_name(name).unwrap();
        assert_eq!(executor.call(wire, "{}").await.text(), name, "{wire}");
    }
}

#[test]
fn trap_a_registry_that_is_merged_twice_is_told_of_or_changes_nothing() {
    let one = ToolRegistry::new().with(HandMade::new("read"));
    let mut merged = one.clone();
    let error = merged.merge(one.clone(), OnCollision::Fail).unwrap_err();
    assert_eq!(error.collisions().len(), 1);
    for policy in [OnCollision::KeepExisting, OnCollision::Replace] {
        merged.merge(one.clone(), policy).unwrap();
        assert_eq!(merged.len(), 1);
    }
}
