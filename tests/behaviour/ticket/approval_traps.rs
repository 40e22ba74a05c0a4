//! Things that could go wrong between a question and its answer, and must not.

mod arguments;
mod bodies;
mod limits;
mod panics;
mod secrets;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::permission::{AllowAll, CallView, PathScope, PermissionChecker, Verdict};
use toolwright::ticket::{Answer, Answers, GrantLevel, GrantScope};
use toolwright::{
    Executor, FileAccess, PermissionRequest, ToolCall, ToolOutcome, ToolRegistry, ToolSpec, tool,
};

use crate::waiting_support::{Asks, Host, Runs, interrupted, opened};

const DEPLOY: &str = r#"{"place": "test"}"#;

#[tokio::test]
async fn an_approval_is_of_one_call_and_not_of_another_alike() {
    let host = Host::new(WaitMode::Suspending);
    let approved = host.suspended("deploy", DEPLOY).await;
    let other = host.suspended("deploy", DEPLOY).await;
    assert_ne!(approved.id(), other.id());
    host.tickets()
        .answer(approved.id(), Answer::yes())
        .await
        .unwrap();
    let waits = host.session.resume(other.ticket(), Answers::none()).await;
    interrupted(waits.unwrap());
    // Nor of one that is made now.
    interrupted(host.call("deploy", DEPLOY).await);
    assert_eq!(host.runs.count(), 0);
    let ran = host
        .session
        .resume(approved.ticket(), Answers::none())
        .await;
    assert!(ran.unwrap().is_success());
    interrupted(host.call("deploy", DEPLOY).await);
    assert_eq!(host.runs.count(), 1);

    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let approved = host.spawn("deploy", DEPLOY);
    let ticket = opened(&mut events).await.remove(0);
    let other = host.spawn("deploy", DEPLOY);
    opened(&mut events).await;
    host.tickets()
        .answer(ticket.id(), Answer::yes())
        .await
        .unwrap();
    assert!(approved.await.unwrap().is_success());
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!other.is_finished());
    assert_eq!(host.runs.count(), 1);
    other.abort();
}

struct Root(std::path::PathBuf);

/// Save a file.
#[tool(register = false, permission = FileAccess::write(path).within(&root.0))]
fn save(path: String, text: String, root: &Root, runs: &Arc<Runs>) -> Result<(), std::io::Error> {
    runs.add();
    std::fs::write(root.0.join(path), text)
}

/// Asks about what lies within, and denies what does not.
struct Fence;

impl PermissionChecker for Fence {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        match request.containment() {
            PathScope::Inside => Verdict::ask("it writes"),
            _ => Verdict::deny("it leads outside"),
        }
    }
}

async fn edited(place: &Path, path: &str, mode: WaitMode) -> (ToolOutcome, u32) {
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Save))
        .resource(Root(place.to_owned()))
        .resource(Arc::clone(&runs))
        .permission_checker(Fence)
        .approvals(mode)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let mut events = executor.tickets().subscribe();
    let edit = Answer::edited(json!({"path": path, "text": "t"}));
    let answering = async {
        let ticket = opened(&mut events).await.remove(0);
        executor.tickets().answer(ticket.id(), edit).await.unwrap();
    };
    let call = ToolCall::new("save", r#"{"path": "a.txt", "text": "t"}"#);
    let (mut outcome, ()) = tokio::join!(session.call(call), answering);
    if let ToolOutcome::Suspended(suspension) = &outcome {
        let resumed = session.resume(suspension.ticket(), Answers::none());
        outcome = resumed.await.unwrap();
    }
    (outcome, runs.count())
}

#[tokio::test]
async fn an_edit_cannot_lead_outside() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("inside");
    std::fs::create_dir(&place).unwrap();
    let above = directory.path().join("b.txt");
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        for path in ["../b.txt", above.to_str().unwrap(), "x/../../b.txt"] {
            let (outcome, runs) = edited(&place, path, mode).await;
            let error = outcome.error().expect(path);
            assert_eq!(error.kind(), ErrorKind::Denied, "{path}: {error}");
            assert_eq!(runs, 0);
            assert!(!above.exists());
        }
        let (outcome, runs) = edited(&place, "c.txt", mode).await;
        assert!(outcome.is_success(), "{outcome:?}");
        assert!(outcome.result().edited());
        assert_eq!(runs, 1);
    }
}

/// Asks until it is told to deny.
#[derive(Clone, Default)]
struct Turns(Arc<AtomicBool>);

impl PermissionChecker for Turns {
    fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
        Verdict::Allow
    }

    fn check_request(&self, _call: &CallView<'_>, _request: &PermissionRequest) -> Verdict {
        if self.0.load(Ordering::SeqCst) {
            Verdict::deny("the shop is closed now")
        } else {
            Verdict::ask("it costs money")
        }
    }
}

#[tokio::test]
async fn what_is_denied_meanwhile_does_not_run_in_spite_of_a_yes() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        for answer in [Answer::yes(), Answer::edited(json!({"place": "there"}))] {
            let turns = Turns::default();
            let checker = turns.clone();
            let host = Host::with(mode, |builder| builder.permission_checker(checker));
            let mut events = host.tickets().subscribe();
            let call = host.spawn("deploy", DEPLOY);
            let ticket = opened(&mut events).await.remove(0);
            turns.0.store(true, Ordering::SeqCst);
            host.tickets().answer(ticket.id(), answer).await.unwrap();
            let mut outcome = call.await.unwrap();
            if outcome.suspension().is_some() {
                let resumed = host.session.resume(&ticket, Answers::none());
                outcome = resumed.await.unwrap();
            }
            let error = outcome.error().unwrap();
            assert_eq!(error.kind(), ErrorKind::Denied);
            assert!(
                error.message().contains("the shop is closed now"),
                "{error}"
            );
            assert_eq!(host.runs.count(), 0);
        }
    }
}

#[tokio::test]
async fn a_refusal_for_the_session_that_comes_meanwhile_binds() {
    for mode in [WaitMode::Blocking, WaitMode::Suspending] {
        let host = Host::new(mode);
        let mut events = host.tickets().subscribe();
        let call = host.spawn("deploy", DEPLOY);
        let ticket = opened(&mut events).await.remove(0);
        let covers = GrantScope::target("deploy", "test");
        let permissions = host.executor.permissions();
        let refuse = permissions.grant("s-1", covers).level(GrantLevel::Deny);
        refuse.because("not while it is on air").await.unwrap();
        let late = host.tickets().answer(ticket.id(), Answer::yes()).await;
        assert!(late.is_err());
        let mut outcome = call.await.unwrap();
        if outcome.suspension().is_some() {
            let resumed = host.session.resume(&ticket, Answers::none());
            outcome = resumed.await.unwrap();
        }
        assert!(
            outcome.text().ends_with("not while it is on air"),
            "{}",
            outcome.text()
        );
        assert_eq!(host.runs.count(), 0);
    }
}

#[tokio::test]
async fn never_binds_where_everything_is_allowed() {
    for mode in [
        WaitMode::Unattended,
        WaitMode::Blocking,
        WaitMode::Suspending,
    ] {
        let host = Host::with(mode, |builder| builder.permission_checker(AllowAll));
        assert!(host.call("deploy", DEPLOY).await.is_success());
        let permissions = host.executor.permissions();
        let covers = GrantScope::target("deploy", "test");
        let refuse = permissions.grant("s-1", covers).level(GrantLevel::Deny);
        let id = refuse.await.unwrap();
        let below = host.session.sub_session("s-1/1");
        let fresh = host.executor.session("s-1");
        for session in [&host.session, &below, &fresh] {
            let outcome = session.call(ToolCall::new("deploy", DEPLOY)).await;
            let error = outcome.error().expect("it was refused for the session");
            assert_eq!(error.kind(), ErrorKind::Denied, "{mode:?}");
        }
        // An allowance does not outdo it.
        let covers = GrantScope::target("deploy", "test");
        permissions.grant("s-1", covers).await.unwrap();
        assert!(!host.call("deploy", DEPLOY).await.is_success());
        assert_eq!(host.runs.count(), 1);
        assert!(host.call("deploy", r#"{"place": "a"}"#).await.is_success());
        assert!(permissions.revoke("s-1", id).await.unwrap());
        assert!(host.call("deploy", DEPLOY).await.is_success());
    }
}

#[tokio::test]
async fn what_a_session_below_is_granted_in_code_is_what_those_above_have() {
    let host = Host::with(WaitMode::Suspending, |builder| {
        builder.permission_checker(Asks)
    });
    let permissions = host.executor.permissions();
    let below = host.session.sub_session("s-1/1");
    let covers = || GrantScope::target("deploy", "test");
    let refused = permissions.grant("s-1/1", covers()).await.unwrap_err();
    assert_eq!(
        refused.kind(),
        toolwright::ticket::TicketErrorKind::MoreThanParent
    );
    interrupted(below.call(ToolCall::new("deploy", DEPLOY)).await);
    permissions.grant("s-1", covers()).await.unwrap();
    permissions.grant("s-1/1", covers()).await.unwrap();
    assert!(
        below
            .call(ToolCall::new("deploy", DEPLOY))
            .await
            .is_success()
    );
}
