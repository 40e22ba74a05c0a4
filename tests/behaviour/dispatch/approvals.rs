//! Calls of a pool that people approve, edit and deny, and the second judgement of the host.

use std::sync::Arc;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::executor::LocalDispatcher;
use toolwright::permission::Verdict;
use toolwright::ticket::{Answer, TicketFilter};
use toolwright::{Executor, Session, ToolCall};

use super::relay::Relay;
use super::{app, host, local, registry};
use crate::support::judge;
use crate::waiting_support::{Asks, Runs, interrupted};

struct Setup {
    runs: Arc<Runs>,
    relay: Relay,
    _app: Executor,
    session: Session,
}

/// An app that asks, and a host that asks nobody although its checker would.
fn asking() -> Setup {
    let runs = Arc::new(Runs::default());
    let host = host(&runs, registry(), |builder| {
        builder.permission_checker(Asks)
    });
    let relay = Relay::new(LocalDispatcher::new(host), []);
    let app = app(relay.clone(), registry(), |builder| {
        builder.permission_checker(Asks)
    });
    Setup {
        runs,
        relay,
        session: app.session("s-1"),
        _app: app,
    }
}

fn render() -> ToolCall<'static> {
    ToolCall::new("render", r#"{"scene": "a beach", "licence": "hunter2"}"#).with_id("c-1")
}

#[tokio::test]
async fn an_approved_call_is_dispatched_once_and_only_after_the_answer() {
    let setup = asking();
    let suspension = interrupted(setup.session.call(render()).await);
    assert!(setup.relay.submitted().is_empty());
    let ticket = suspension.ticket();
    let outcome = setup.session.resume(ticket, Answer::yes()).await.unwrap();
    assert_eq!(outcome.text(), "rendered a beach with hunter2");
    assert_eq!(outcome.result().call_id().unwrap().as_str(), "c-1");
    let id = suspension.result().invocation_id();
    assert_eq!(outcome.result().invocation_id(), id);
    assert_eq!(setup.relay.submitted(), [id]);
    assert!(setup.session.resume(ticket, Answer::yes()).await.is_err());
    assert_eq!(setup.runs.count(), 1);
    assert_eq!(setup.relay.submitted().len(), 1);
}

#[tokio::test]
async fn a_call_that_is_answered_no_is_not_dispatched() {
    let setup = asking();
    let suspension = interrupted(setup.session.call(render()).await);
    let no = Answer::no().because("not today");
    let outcome = setup.session.resume(suspension.ticket(), no).await.unwrap();
    assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
    assert!(setup.relay.submitted().is_empty());
    assert_eq!(setup.runs.count(), 0);
}

#[tokio::test]
async fn edited_arguments_reach_the_host_with_the_secret() {
    let setup = asking();
    let suspension = interrupted(setup.session.call(render()).await);
    let edited = Answer::edited(json!({"scene": "a hill", "licence": {"$secret": true}}));
    let outcome = setup.session.resume(suspension.ticket(), edited).await;
    let outcome = outcome.unwrap();
    assert_eq!(
        outcome.text(),
        "rendered a hill with hunter2\n\
         The user changed the arguments of this call to: \
         {\"licence\":{\"$secret\":true},\"scene\":\"a hill\"}"
    );
    assert!(outcome.result().edited());
    assert_eq!(setup.runs.count(), 1);
}

#[tokio::test]
async fn an_edit_that_the_app_denies_is_not_dispatched() {
    let setup = asking();
    let suspension = interrupted(setup.session.call(render()).await);
    let edited = Answer::edited(json!({"scene": "the vault"}));
    let outcome = setup.session.resume(suspension.ticket(), edited).await;
    assert_eq!(outcome.unwrap().error().unwrap().kind(), ErrorKind::Denied);
    assert!(setup.relay.submitted().is_empty());
}

#[tokio::test]
async fn a_host_denies_what_the_app_allows() {
    let runs = Arc::new(Runs::default());
    let of_tool = judge(
        |_| Verdict::deny("this host renders nothing"),
        |_, _| Verdict::Allow,
    );
    let of_request = judge(
        |_| Verdict::Allow,
        |_, request| match request.target() {
            "a beach" => Verdict::deny("beaches are not rendered here"),
            _ => Verdict::Allow,
        },
    );
    let hosts = [
        host(&runs, registry(), |builder| {
            builder.permission_checker(of_tool)
        }),
        host(&runs, registry(), |builder| {
            builder.permission_checker(of_request)
        }),
    ];
    let reasons = [
        "`render` was denied: this host renders nothing",
        "`render` was denied (Render a beach): beaches are not rendered here",
    ];
    for (host, reason) in hosts.into_iter().zip(reasons) {
        let app = app(LocalDispatcher::new(host), registry(), |builder| builder);
        let outcome = app.session("s-1").call(render()).await;
        assert_eq!(outcome.error().unwrap().kind(), ErrorKind::Denied);
        assert_eq!(outcome.text(), reason);
        assert!(!outcome.text().contains("hunter2"));
    }
    assert_eq!(runs.count(), 0);
}

#[tokio::test]
async fn a_host_denies_what_people_have_approved() {
    let runs = Arc::new(Runs::default());
    let denies = judge(|_| Verdict::deny("closed"), |_, _| Verdict::Allow);
    let host = host(&runs, registry(), |builder| {
        builder.permission_checker(denies)
    });
    let app = app(LocalDispatcher::new(host), registry(), |builder| {
        builder.permission_checker(Asks)
    });
    let session = app.session("s-1");
    let suspension = interrupted(session.call(render()).await);
    let outcome = session.resume(suspension.ticket(), Answer::yes()).await;
    let outcome = outcome.unwrap();
    assert_eq!(outcome.text(), "`render` was denied: closed");
    assert_eq!(runs.count(), 0);
    assert!(
        app.tickets()
            .list(&TicketFilter::all())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn what_is_dispatched_shows_no_arguments() {
    let runs = Arc::new(Runs::default());
    let relay = Relay::new(local(&runs), []);
    let app = app(relay.clone(), registry(), |builder| builder);
    let outcome = app.session("s-1").call(render()).await;
    assert!(outcome.is_success());
    let shown = relay.shown().remove(0);
    assert!(shown.contains("render"), "{shown}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("beach"),
        "{shown}"
    );
}
