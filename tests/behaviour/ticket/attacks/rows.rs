//! Rows of the store that somebody else has written.

use serde_json::json;
use toolwright::ToolCall;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Answers, GrantLevel, GrantScope, TicketErrorKind};

use super::store::OpenStore;
use super::{DEPLOY, host, is_good, refused};
use crate::waiting_support::{Host, interrupted, key};

#[tokio::test]
async fn the_row_of_another_ticket_is_a_swapped_call() {
    let store = OpenStore::default();
    let host = host(&store);
    let harmless = host.suspended("deploy", DEPLOY).await;
    let harmful = host.suspended("deploy", r#"{"place": "production"}"#).await;
    let row = store.row(harmful.id()).await;
    assert!(store.rewrite(harmless.id(), &row));
    refused(&host, harmless.ticket(), TicketErrorKind::SwappedCall).await;
    store.restore();
    is_good(&host, harmless.ticket()).await;
}

#[tokio::test]
async fn the_call_of_another_ticket_is_not_that_of_this_one() {
    let store = OpenStore::default();
    let host = host(&store);
    let one = host.suspended("deploy", DEPLOY).await;
    let other = host.suspended("deploy", r#"{"place": "production"}"#).await;
    // The same arguments, of a call that is not this one all the same.
    let by = json!({"user": "root"}).as_object().unwrap().clone();
    let call = ToolCall::new("deploy", DEPLOY).with_metadata(by);
    let alike = interrupted(host.session.call(call).await);
    for (from, kind) in [
        (&other, TicketErrorKind::ChangedArguments),
        (&alike, TicketErrorKind::SwappedCall),
    ] {
        let mut row = store.row(one.id()).await;
        row["stored"]["call"] = store.row(from.id()).await["stored"]["call"].clone();
        assert!(store.rewrite(one.id(), &row));
        refused(&host, one.ticket(), kind).await;
    }
    store.restore();
    is_good(&host, one.ticket()).await;
}

#[tokio::test]
async fn changed_arguments_are_seen() {
    let store = OpenStore::default();
    let host = host(&store);
    let suspension = host.suspended("deploy", DEPLOY).await;
    let id = suspension.id();
    for arguments in [
        r#"{"place": "production"}"#,
        r#"{ "place": "test" }"#,
        "",
        "{}",
    ] {
        let mut row = store.row(id).await;
        assert_eq!(row["stored"]["call"]["arguments"], DEPLOY);
        row["stored"]["call"]["arguments"] = json!(arguments);
        assert!(store.rewrite(id, &row));
        refused(
            &host,
            suspension.ticket(),
            TicketErrorKind::ChangedArguments,
        )
        .await;
    }
    // The other data of the call is bound to the ticket too.
    for (name, value) in [
        ("metadata", json!({"user": "root"})),
        ("edited", json!(true)),
        ("begun", json!(true)),
    ] {
        let mut row = store.row(id).await;
        row["stored"]["call"][name] = value;
        assert!(store.rewrite(id, &row));
        refused(&host, suspension.ticket(), TicketErrorKind::SwappedCall).await;
    }
    store.restore();
    is_good(&host, suspension.ticket()).await;
}

#[tokio::test]
async fn an_answer_moved_to_another_place_counts_for_nothing() {
    let store = OpenStore::default();
    let host = host(&store);
    let both = r#"{"places": ["here", "there"]}"#;
    let given = host.suspended("deploy_all", both).await;
    let waits = host.suspended("deploy_all", both).await;
    let one = Answers::none().with(0, Answer::yes());
    host.tickets().answer(given.id(), one).await.unwrap();
    let yes = store.row(given.id()).await["answers"][0].clone();
    assert!(yes.is_object());
    let mut changed = yes.clone();
    changed["answer"]["decision"] = json!({"edited": {"places": ["production"]}});

    // To another ticket.
    let mut row = store.row(waits.id()).await;
    row["answers"] = json!([yes, yes]);
    assert!(store.rewrite(waits.id(), &row));
    // To another request of its own, and with another content.
    for answers in [
        json!([yes, yes]),
        json!([changed, null]),
        json!([null, yes]),
    ] {
        let mut row = store.row(given.id()).await;
        row["answers"] = answers;
        assert!(store.rewrite(given.id(), &row));
        for suspension in [&given, &waits] {
            let ticket = suspension.ticket();
            let outcome = host.session.resume(ticket, Answers::none()).await.unwrap();
            interrupted(outcome);
        }
        assert_eq!(host.runs.count(), 0);
    }
}

#[tokio::test]
async fn a_grant_that_was_not_given_here_counts_for_nothing() {
    let store = OpenStore::default();
    let host = host(&store);
    let permissions = host.executor.permissions();
    for level in [GrantLevel::Allow, GrantLevel::Deny] {
        let covers = GrantScope::target("deploy", format!("{level:?}"));
        permissions.grant("s-2", covers).level(level).await.unwrap();
    }
    let written = store.grants_of("s-2").await;
    let allow = written[0].clone();
    assert_eq!(allow["grant"]["level"], "allow");
    // As it is, in another session; for that session; for more; the other way round.
    let mut session = allow.clone();
    session["grant"]["session"] = json!("s-1");
    let mut wider = session.clone();
    wider["grant"]["covers"] = json!({"type": "tool", "tool": "deploy"});
    let mut turned = written[1].clone();
    turned["grant"]["level"] = json!("allow");
    turned["grant"]["session"] = json!("s-1");
    for grant in [&allow, &session, &wider, &turned] {
        store.write_grant("s-1", grant);
    }
    let fresh = Host::with(WaitMode::Suspending, |builder| {
        builder.approvals(
            Approvals::new()
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
    });
    for host in [&host, &fresh] {
        for place in ["Allow", "Deny", "test"] {
            let arguments = json!({ "place": place }).to_string();
            host.suspended("deploy", &arguments).await;
        }
        assert_eq!(host.runs.count(), 0);
        assert!(
            host.executor
                .permissions()
                .list("s-1")
                .await
                .unwrap()
                .is_empty()
        );
    }
}
