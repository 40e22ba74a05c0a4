//! Grants for all requests of a kind, and registries that are put together in a chain.

use toolwright::executor::WaitMode;
use toolwright::permission::{IntoRequests, Verdict};
use toolwright::registry::OnCollision;
use toolwright::spec::Effect;
use toolwright::ticket::{Answer, GrantLevel, GrantScope, TicketErrorKind};
use toolwright::{Executor, FileAccess, PermissionRequest, ToolCall, ToolOutcome, ToolRegistry};

use crate::support::{HandMade, judge};

/// A tool that asks for one thing of a kind.
fn asks(name: &'static str, kind: &'static str, target: &'static str) -> HandMade {
    HandMade::new(name)
        .spec(|spec| spec.with_effect(Effect::AtMostOnce))
        .ask(move |_| Ok(vec![PermissionRequest::new(kind, target, target)]))
}

fn executor() -> Executor {
    let outside = HandMade::new("outside").ask(|_| {
        let root = std::env::temp_dir();
        FileAccess::read("../../../etc/hosts")
            .within(root)
            .into_requests()
    });
    let registry = ToolRegistry::new()
        .with(asks("one", "deploy", "test"))
        .with(asks("other", "deploy", "production"))
        .with(asks("vault", "deploy", "the vault"))
        .with(asks("near", "deploy.all", "test"))
        .with(outside);
    let checker = judge(
        |_| Verdict::Allow,
        |_, request| match request.target() {
            "the vault" => Verdict::deny("nobody enters"),
            _ => Verdict::ask("it cannot be taken back"),
        },
    );
    Executor::builder(registry)
        .permission_checker(checker)
        .approvals(WaitMode::Suspending)
        .build()
        .unwrap()
}

async fn call(executor: &Executor, session: &str, tool: &'static str) -> ToolOutcome {
    executor
        .session(session)
        .call(ToolCall::new(tool, "{}"))
        .await
}

#[tokio::test]
async fn s2_47_a_kind_is_granted_once_whatever_the_target() {
    let executor = executor();
    let asked = |outcome: &ToolOutcome| outcome.suspension().is_some();
    assert!(asked(&call(&executor, "s", "one").await));
    let permissions = executor.permissions();
    let grant = permissions
        .grant("s", GrantScope::kind("deploy"))
        .await
        .unwrap();
    // Any target, any tool, and no other kind, nor another session.
    assert!(call(&executor, "s", "one").await.is_success());
    assert!(call(&executor, "s", "other").await.is_success());
    assert!(asked(&call(&executor, "s", "near").await));
    assert!(asked(&call(&executor, "t", "one").await));
    // A denial stays, whatever is granted.
    let denied = call(&executor, "s", "vault").await;
    assert!(denied.text().contains("nobody enters"), "{}", denied.text());

    // It is stored, listed and taken back as others are.
    let listed = permissions.list("s").await.unwrap();
    let written = serde_json::to_value(listed[0].covers()).unwrap();
    assert_eq!(
        written,
        serde_json::json!({"type": "kind", "kind": "deploy"})
    );
    assert_eq!(
        &serde_json::from_value::<GrantScope>(written).unwrap(),
        listed[0].covers()
    );
    assert!(permissions.revoke("s", grant).await.unwrap());
    assert!(asked(&call(&executor, "s", "one").await));
}

#[tokio::test]
async fn s2_47_a_kind_never_reaches_outside_of_a_root_and_may_be_refused() {
    let executor = executor();
    let permissions = executor.permissions();
    permissions
        .grant("s", GrantScope::kind("file.read"))
        .await
        .unwrap();
    let outside = call(&executor, "s", "outside").await;
    assert!(!outside.is_success(), "{}", outside.text());

    // A refusal goes before an allowance.
    permissions
        .grant("s", GrantScope::kind("deploy"))
        .await
        .unwrap();
    let refusal = permissions.grant("s", GrantScope::target("deploy", "production"));
    refusal.level(GrantLevel::Deny).await.unwrap();
    assert!(call(&executor, "s", "one").await.is_success());
    assert_eq!(
        call(&executor, "s", "other").await.error().unwrap().code(),
        "denied_by_user"
    );
    let refusal = permissions.grant("s", GrantScope::kind("deploy"));
    refusal
        .level(GrantLevel::Deny)
        .because("not on Fridays")
        .await
        .unwrap();
    let refused = call(&executor, "s", "one").await;
    assert!(
        refused.text().contains("not on Fridays"),
        "{}",
        refused.text()
    );
    let nameless = permissions
        .grant("s", GrantScope::kind(""))
        .await
        .unwrap_err();
    assert_eq!(nameless.kind(), TicketErrorKind::InvalidGrant);
}

/// Whoever answers is offered what can be chosen by its label, and a kind is the app's own word.
#[tokio::test]
async fn s2_47_a_kind_is_not_offered() {
    let executor = executor();
    for tool in ["one", "near"] {
        let outcome = call(&executor, "s", tool).await;
        let ticket = outcome.suspension().expect("it waits").ticket().clone();
        let options = ticket.requests()[0].trust_options();
        assert!(!options.is_empty());
        let is_kind = |covers: &GrantScope| matches!(covers, GrantScope::Kind { .. });
        assert!(!options.iter().any(|option| is_kind(option.covers())));
    }
    // A host that shows it on its own may take it as the answer to a request of that kind alone.
    let outcome = call(&executor, "s", "near").await;
    let ticket = outcome.suspension().expect("it waits").ticket().clone();
    let session = executor.session("s");
    let other = Answer::always(GrantScope::kind("deploy"));
    assert!(session.resume(&ticket, other).await.is_err());
    let fits = Answer::always(GrantScope::kind("deploy.all"));
    assert!(session.resume(&ticket, fits).await.unwrap().is_success());
    assert!(call(&executor, "s", "near").await.is_success());
}

#[tokio::test]
async fn s2_47_a_session_below_may_be_granted_what_its_kind_includes_above() {
    let executor = executor();
    let permissions = executor.permissions();
    let above = executor.session("above");
    let _below = above.sub_session("below");
    let narrow = || GrantScope::target("deploy", "test");
    let error = permissions.grant("below", narrow()).await.unwrap_err();
    assert_eq!(error.kind(), TicketErrorKind::MoreThanParent);
    permissions
        .grant("above", GrantScope::kind("deploy"))
        .await
        .unwrap();
    permissions.grant("below", narrow()).await.unwrap();
    permissions
        .grant("below", GrantScope::kind("deploy"))
        .await
        .unwrap();
    let command = permissions
        .grant("below", GrantScope::command(["ls"]))
        .await
        .unwrap_err();
    assert_eq!(command.kind(), TicketErrorKind::MoreThanParent);
    permissions
        .grant("above", GrantScope::kind("command.run"))
        .await
        .unwrap();
    permissions
        .grant("below", GrantScope::command(["ls"]))
        .await
        .unwrap();
}

#[test]
fn registries_are_merged_in_a_chain() {
    let one = |name| ToolRegistry::new().with(HandMade::new(name));
    let all = one("a")
        .with_registry(one("b"), OnCollision::Fail)
        .with_registry(one("c"), OnCollision::Fail)
        .with(HandMade::new("d"));
    assert_eq!(Executor::new(all).unwrap().tools().len(), 4);
    // The policy is that of `merge`, and a mistake is reported when the executor is built.
    let said = |text: &'static str| HandMade::new("a").run(move |_, _| Ok(text.into()));
    let other = || ToolRegistry::new().with(said("theirs"));
    let ours = || ToolRegistry::new().with(said("ours"));
    for (policy, text) in [
        (OnCollision::KeepExisting, "ours"),
        (OnCollision::Replace, "theirs"),
    ] {
        let executor = Executor::new(ours().with_registry(other(), policy)).unwrap();
        let outcome = crate::support::ready_now(executor.call("a", "{}"));
        assert_eq!(outcome.text(), text);
    }
    let clash = ours().with_registry(other(), OnCollision::Fail);
    let error = Executor::new(clash).unwrap_err().to_string();
    let both = error.matches("kind_grants.rs").count();
    assert!(error.contains("`a`") && both == 2, "{error}");
}
