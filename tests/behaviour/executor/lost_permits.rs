//! Bodies that give up a wait, and act without their concurrency permit or get it again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use toolwright::executor::WaitMode;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::{
    Executor, PermissionRequest, ToolCall, ToolContext, ToolRegistry, ToolSpec, tool,
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
