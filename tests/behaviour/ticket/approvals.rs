//! Calls that need approval: the text of the request, the effect of each answer, and its end.

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::permission::{RequestPreview, RequestPreviewKind};
use toolwright::ticket::{Answer, Answers, GrantScope, TicketFilter, TrustOption};
use toolwright::{
    Executor, FileAccess, PermissionRequest, ToolCall, ToolOutcome, ToolRegistry, tool,
};

use crate::waiting_support::{Asks, Host, interrupted, opened};

const BOTH: [WaitMode; 2] = [WaitMode::Blocking, WaitMode::Suspending];

#[tokio::test]
async fn s0_35_after_approval_the_same_call_completes_once() {
    let host = Host::new(WaitMode::Suspending);
    let call = ToolCall::new("deploy", r#"{"place": "test"}"#).with_id("c-1");
    let suspension = interrupted(host.session.call(call).await);
    assert_eq!(host.runs.count(), 0);
    let ticket = suspension.ticket();
    let resumed = host.session.resume(ticket, Answer::yes()).await.unwrap();
    let waited = suspension.result();
    assert_eq!(resumed.result().call_id(), waited.call_id());
    assert_eq!(resumed.result().call_id().unwrap().as_str(), "c-1");
    assert_eq!(resumed.result().invocation_id(), waited.invocation_id());
    assert!(host.session.resume(ticket, Answer::yes()).await.is_err());
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn s0_37_a_call_with_two_requests_completes_after_both_are_approved() {
    let arguments = r#"{"places": ["here", "there"]}"#;
    let host = Host::new(WaitMode::Suspending);
    let suspension = host.suspended("deploy_all", arguments).await;
    assert_eq!(suspension.requests().len(), 2);
    let ticket = suspension.ticket();
    // The answers come one after the other, in the reverse order of the requests.
    let one = Answers::none().with(1, Answer::yes());
    let waits = interrupted(host.session.resume(ticket, one).await.unwrap());
    assert_eq!(waits.ticket(), ticket);
    assert_eq!(host.runs.count(), 0);
    let other = Answers::none().with(0, Answer::yes());
    let outcome = host.session.resume(ticket, other).await.unwrap();
    assert_eq!(outcome.text(), "deployed to here, there");
    assert_eq!(host.runs.count(), 1);

    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let call = host.spawn("deploy_all", arguments);
    let ticket = opened(&mut events).await.remove(0);
    for number in [1, 0] {
        assert!(!call.is_finished());
        let answer = Answers::none().with(number, Answer::yes());
        host.tickets().answer(ticket.id(), answer).await.unwrap();
    }
    assert_eq!(call.await.unwrap().text(), "deployed to here, there");
    assert_eq!(host.runs.count(), 1);
}

/// Read a page.
#[tool(register = false, read_only, permission = FileAccess::read(path))]
fn read_page(path: String) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[tokio::test]
async fn s3_20_an_approval_lists_the_exact_path_and_the_directory() {
    // Nothing is offered below a hidden directory.
    let directory = tempfile::Builder::new().prefix("pages").tempdir().unwrap();
    let place = directory.path().canonicalize().unwrap().join("notes");
    std::fs::create_dir_all(&place).unwrap();
    let page = place.join("page.txt");
    std::fs::write(&page, "text").unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(ReadPage))
        .permission_checker(Asks)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let arguments = serde_json::json!({ "path": page });
    let outcome = session.call(ToolCall::new("read_page", arguments)).await;
    let suspension = interrupted(outcome);
    let options = suspension.requests()[0].trust_options();
    let covers: Vec<&GrantScope> = options.iter().map(TrustOption::covers).collect();
    let page = page.to_str().unwrap();
    assert!(
        matches!(covers[0], GrantScope::Target { target, .. } | GrantScope::Request { target, .. } if target == page),
        "{covers:?}"
    );
    assert!(covers.contains(&&GrantScope::reads(place.to_str().unwrap())));
    assert!(options.iter().all(|option| !option.label().is_empty()));
}

/// The scope of the option that a person would choose first.
fn narrowest(suspension: &toolwright::outcome::Suspension) -> GrantScope {
    let options = suspension.requests()[0].trust_options();
    options[0].covers().clone()
}

/// Answers a call, and makes the same call once more.
async fn next_after(answer: impl FnOnce(GrantScope) -> Answer) -> (ToolOutcome, Host) {
    let host = Host::new(WaitMode::Suspending);
    let arguments = r#"{"place": "test"}"#;
    let suspension = host.suspended("deploy", arguments).await;
    let answer = answer(narrowest(&suspension));
    let ticket = suspension.ticket();
    host.session.resume(ticket, answer).await.unwrap();
    let next = host.call("deploy", arguments).await;
    (next, host)
}

#[tokio::test]
async fn s3_22_after_yes_the_next_identical_call_asks_again() {
    let (next, host) = next_after(|_| Answer::yes()).await;
    interrupted(next);
    assert_eq!(host.runs.count(), 1);
}

#[tokio::test]
async fn s3_22_after_always_the_next_identical_call_runs() {
    let (next, host) = next_after(Answer::always).await;
    assert_eq!(next.text(), "deployed to test");
    assert_eq!(host.runs.count(), 2);
    interrupted(host.call("deploy", r#"{"place": "production"}"#).await);
}

#[tokio::test]
async fn s3_22_after_no_the_next_identical_call_asks_again() {
    let (next, host) = next_after(|_| Answer::no()).await;
    interrupted(next);
    assert_eq!(host.runs.count(), 0);
}

#[tokio::test]
async fn s3_22_after_never_the_next_identical_call_is_denied() {
    let (next, host) = next_after(Answer::never).await;
    assert_eq!(next.error().unwrap().kind(), ErrorKind::Denied);
    assert_eq!(host.runs.count(), 0);
    interrupted(host.call("deploy", r#"{"place": "production"}"#).await);
}

#[tokio::test]
async fn s3_23_the_state_lists_the_calls_that_wait() {
    for mode in BOTH {
        let host = Host::new(mode);
        let mut events = host.tickets().subscribe();
        let turn = host.session.turn();
        let calls = ["c-1", "c-2", "c-3"]
            .map(|id| ToolCall::new("deploy", format!(r#"{{"place": "{id}"}}"#)).with_id(id));
        let batch = {
            let turn = turn.clone();
            tokio::spawn(async move { turn.call_all(calls).await })
        };
        assert_eq!(opened(&mut events).await.len(), 3);
        let filter = TicketFilter::session("s-1").turn(turn.id());
        for left in [&["c-1", "c-2", "c-3"][..], &["c-2", "c-3"], &["c-2"], &[]] {
            let pending = host.executor.permissions().pending(&filter).await.unwrap();
            let ids = pending.iter().map(|call| call.call_id().unwrap().as_str());
            assert_eq!(ids.collect::<Vec<_>>(), left, "{mode:?}");
            let next = match left.len() {
                0 => break,
                2 => 1,
                _ => 0,
            };
            let id = pending[next].id();
            host.tickets().answer(id, Answer::yes()).await.unwrap();
        }
        assert_eq!(batch.await.unwrap().len(), 3);
    }
}

#[tokio::test]
async fn s3_28_what_was_granted_lasts_for_the_session_and_can_be_reset() {
    let (next, host) = next_after(Answer::always).await;
    assert!(next.is_success());
    let arguments = r#"{"place": "test"}"#;
    let other = host.executor.session("s-2");
    interrupted(other.call(ToolCall::new("deploy", arguments)).await);
    let reset = host.executor.permissions().reset("s-1").await;
    assert_eq!(reset.unwrap(), 1);
    interrupted(host.call("deploy", arguments).await);
}

#[tokio::test]
async fn s3_28_the_end_of_a_session_ends_what_was_granted() {
    let (next, host) = next_after(Answer::always).await;
    assert!(next.is_success());
    host.session.clone().end().await.unwrap();
    let again = host.executor.session("s-1");
    let call = ToolCall::new("deploy", r#"{"place": "test"}"#);
    interrupted(again.call(call).await);
}

/// Write a page.
#[tool(register = false, permission = PermissionRequest::new("page.write", "home", "Write the page `home`")
    .with_preview(RequestPreview::diff("-old\n+new\n")))]
fn write_page() {}

#[tokio::test]
async fn s3_55_the_approval_of_a_write_shows_its_diff() {
    let executor = Executor::builder(ToolRegistry::new().with(WritePage))
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap();
    let session = executor.session("s-1");
    let suspension = interrupted(session.call(ToolCall::new("write_page", "{}")).await);
    // The write is asked about, and not the call as such besides.
    assert_eq!(suspension.summary(), "Write the page `home`");
    // As a host has it that reads the ticket as data.
    let text = serde_json::to_string(&suspension).unwrap();
    let read: toolwright::outcome::Suspension = serde_json::from_str(&text).unwrap();
    let request = PermissionRequest::from_pending(&read.requests()[0]).unwrap();
    let shown = request.preview().unwrap();
    assert_eq!(shown.kind(), RequestPreviewKind::Diff);
    assert_eq!(shown.text(), "-old\n+new\n");
}
