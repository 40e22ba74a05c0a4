//! Calls that leave their place: a wait that the body gives up, a text that is not kept.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use toolwright::event::{EventChannel, EventKind};
use toolwright::executor::{Limits, WaitMode};
use toolwright::id::{InvocationId, SessionId};
use toolwright::permission::{AllowAll, CallView, PermissionChecker, Verdict};
use toolwright::results::{ResultPart, ResultStore};
use toolwright::ticket::StoreError;
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolRegistry, ToolSpec, async_trait, tool,
};

#[derive(Default)]
struct Log(Mutex<Vec<&'static str>>);

impl Log {
    fn note(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }
}

/// Ask, give up, and act.
#[tool(register = false)]
async fn impatient(ctx: &ToolContext, log: &Arc<Log>) {
    let request = PermissionRequest::new("act", "here", "Act here");
    tokio::select! {
        _ = ctx.check(request) => log.note("answered"),
        () = sleep(Duration::from_secs(1)) => log.note("gave up"),
    }
    tokio::task::yield_now().await;
    log.note("impatient acts");
    sleep(Duration::from_secs(1)).await;
    log.note("impatient is done");
}

/// Act.
#[tool(register = false)]
async fn act(log: &Arc<Log>) {
    log.note("act begins");
    sleep(Duration::from_secs(5)).await;
    log.note("act is done");
}

/// Ask, and stop when the call is cancelled.
#[tool(register = false)]
async fn tidy(ctx: &ToolContext, log: &Arc<Log>) {
    let request = PermissionRequest::new("act", "here", "Act here");
    tokio::select! {
        // The check fails as the call is cancelled: either may be seen first.
        Ok(()) = ctx.check(request) => log.note("answered"),
        () = ctx.cancelled() => {}
    }
    tokio::task::yield_now().await;
    log.note("tidied up");
}

struct Asks;

impl PermissionChecker for Asks {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        Verdict::ask("it is asked")
    }
}

fn house() -> (Executor, Arc<Log>) {
    let log = Arc::new(Log::default());
    let tools = ToolRegistry::new().with(Impatient).with(Act).with(Tidy);
    let executor = Executor::builder(tools)
        .resource(Arc::clone(&log))
        .permission_checker(Asks)
        .approvals(WaitMode::Blocking)
        .build()
        .unwrap();
    (executor, log)
}

#[tokio::test(start_paused = true)]
async fn a_body_that_gives_up_a_question_goes_on_when_it_has_its_place_again() {
    let (executor, log) = house();
    let calls = ["impatient", "act"].map(|tool| ToolCall::new(tool, "{}"));
    let outcomes = executor.session("s").call_all(calls).await;
    assert!(outcomes.iter().all(toolwright::ToolOutcome::is_success));
    assert_eq!(
        *log.0.lock().unwrap(),
        [
            "act begins",
            "gave up",
            "act is done",
            "impatient acts",
            "impatient is done",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_told_to_end_puts_things_in_order_without_its_place() {
    let (executor, log) = house();
    let session = executor.session("s");
    let calls = ["tidy", "act"].map(|tool| ToolCall::new(tool, "{}"));
    let cancel = async {
        while !log.0.lock().unwrap().contains(&"act begins") {
            tokio::task::yield_now().await;
        }
        let first = &session.running()[0];
        assert_eq!(first.tool(), "tidy");
        session.cancel_call(first.invocation_id());
    };
    let (outcomes, ()) = tokio::join!(session.call_all(calls), cancel);
    let kind = outcomes[0].error().map(toolwright::ToolError::kind);
    assert_eq!(kind, Some(toolwright::content::ErrorKind::Cancelled));
    assert!(outcomes[1].is_success());
    let noted = log.0.lock().unwrap().clone();
    assert_eq!(noted, ["act begins", "tidied up", "act is done"]);
}

/// Keeps nothing.
struct Full;

#[async_trait]
impl ResultStore for Full {
    async fn put(&self, _: &SessionId, _: InvocationId, _: &str) -> Result<(), StoreError> {
        Err(StoreError::new("the disk is full"))
    }

    async fn read(
        &self,
        _: &SessionId,
        _: InvocationId,
        _: u64,
        _: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        Ok(None)
    }

    async fn end_session(&self, _: &SessionId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Talk.
#[tool(register = false, pure)]
fn talk() -> String {
    "blah ".repeat(200)
}

#[tokio::test]
async fn a_host_is_told_why_a_large_result_is_not_kept() {
    let channel = EventChannel::new(64);
    let mut events = channel.subscribe();
    let executor = Executor::builder(ToolRegistry::new().with(Talk))
        .permission_checker(AllowAll)
        .limits(Limits::new().max_output_bytes(100))
        .result_store(Full)
        .events(channel)
        .build()
        .unwrap();
    let outcome = executor
        .session("s")
        .call(ToolCall::new("talk", "{}"))
        .await;
    assert!(outcome.result().truncated().is_some());
    assert!(!outcome.text().contains("disk"), "{}", outcome.text());
    let call = outcome.result().invocation_id();
    let mut told = Vec::new();
    while let Some(event) = events.try_recv() {
        if let EventKind::Diagnostic { code, message, .. } = event.event().kind() {
            assert_eq!(event.event().session().map(SessionId::as_str), Some("s"));
            told.push(format!("{code}: {message}"));
        }
    }
    let message = "what was cut of the result of call";
    assert_eq!(
        told,
        [format!(
            "result_not_kept: {message} {call} is not kept: the disk is full"
        )]
    );
}
