//! Grants, sub-sessions and the end of a session, for calls that wait.

use toolwright::content::ErrorKind;
use toolwright::executor::WaitMode;
use toolwright::ticket::{Answer, GrantLevel, GrantScope, PendingRequest};
use toolwright::{ToolCall, ToolName, ToolOutcome};

use crate::waiting_support::{Host, interrupted, opened};

/// The narrowest of what is offered.
fn narrowest(request: &PendingRequest) -> GrantScope {
    request.trust_options()[0].covers().clone()
}

#[tokio::test]
async fn always_and_never_are_asked_once_and_hold_below() {
    let host = Host::new(WaitMode::Suspending);
    let first = host.suspended("deploy", r#"{"place": "a"}"#).await;
    let always = Answer::always(narrowest(&first.requests()[0]));
    let outcome = host.session.resume(first.ticket(), always).await.unwrap();
    assert_eq!(outcome.text(), "deployed to a");
    assert_eq!(
        host.call("deploy", r#"{"place": "a"}"#).await.text(),
        "deployed to a"
    );
    let below = host.session.sub_session("s-1/agent");
    let call = || ToolCall::new("deploy", r#"{"place": "a"}"#);
    assert_eq!(below.call(call()).await.text(), "deployed to a");
    // Another session knows nothing of it.
    interrupted(host.executor.session("s-2").call(call()).await);

    let second = host.suspended("deploy", r#"{"place": "b"}"#).await;
    let never = Answer::never(narrowest(&second.requests()[0])).because("b is history");
    let outcome = host.session.resume(second.ticket(), never).await.unwrap();
    assert!(
        outcome.text().contains("b is history"),
        "{}",
        outcome.text()
    );
    for session in [&host.session, &below] {
        let outcome = session
            .call(ToolCall::new("deploy", r#"{"place": "b"}"#))
            .await;
        let error = outcome.error().unwrap();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Denied, "denied_by_user")
        );
        assert!(error.message().contains("b is history"), "{error}");
    }
}

#[tokio::test]
async fn what_is_answered_below_stays_there() {
    let host = Host::new(WaitMode::Suspending);
    let below = host.session.sub_session("agent");
    let outcome = below
        .call(ToolCall::new("deploy", r#"{"place": "a"}"#))
        .await;
    let suspension = interrupted(outcome);
    let always = Answer::always(narrowest(&suspension.requests()[0]));
    below.resume(suspension.ticket(), always).await.unwrap();
    host.suspended("deploy", r#"{"place": "a"}"#).await;
}

#[tokio::test]
async fn never_holds_also_where_the_checker_allows() {
    let host = Host::new(WaitMode::Suspending);
    let covers = GrantScope::tool(ToolName::new("count_to").unwrap());
    let permissions = host.executor.permissions();
    let never = permissions.grant("s-1", covers).level(GrantLevel::Deny);
    never.await.unwrap();
    let outcome = host.call("count_to", r#"{"n": 3}"#).await;
    assert_eq!(outcome.error().unwrap().code(), "denied_by_user");
    // Until the session ends.
    host.executor.session("s-1").end().await.unwrap();
    assert_eq!(host.call("count_to", r#"{"n": 3}"#).await.text(), "3");
}

#[tokio::test]
async fn the_cancellation_of_a_session_reaches_those_below() {
    let host = Host::new(WaitMode::Blocking);
    let mut events = host.tickets().subscribe();
    let below = host
        .session
        .sub_session("agent")
        .sub_session("agent of the agent");
    let call = {
        let below = below.clone();
        tokio::spawn(async move {
            below
                .call(ToolCall::new("deploy", r#"{"place": "a"}"#))
                .await
        })
    };
    opened(&mut events).await;
    host.session.cancel();
    let cancelled = |outcome: ToolOutcome| {
        assert_eq!(
            outcome.error().map(toolwright::ToolError::kind),
            Some(ErrorKind::Cancelled)
        );
    };
    cancelled(call.await.unwrap());
    cancelled(below.call(ToolCall::new("count_to", r#"{"n": 3}"#)).await);
    cancelled(
        below
            .turn()
            .call(ToolCall::new("count_to", r#"{"n": 3}"#))
            .await,
    );
}
