//! Attacks with a ticket, or on a store of tickets. Each ends in a refusal, by its kind, and no call runs.

mod again;
mod forged;
mod rows;
mod store;
mod tools;

use store::OpenStore;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::ticket::{Answer, Answers, Ticket, TicketErrorKind};

use crate::waiting_support::{Host, key};

const DEPLOY: &str = r#"{"place": "test"}"#;

fn host(store: &OpenStore) -> Host {
    Host::with(WaitMode::Suspending, |builder| {
        builder.approvals(
            Approvals::new()
                .ticket_store(store.clone())
                .ticket_key(key()),
        )
    })
}

/// Nobody gets further with the ticket, with answers or without, and nothing runs.
async fn refused(host: &Host, ticket: &Ticket, kind: TicketErrorKind) {
    for answers in [Answer::yes().into(), Answers::none()] {
        let error = host.session.resume(ticket, answers).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
    assert_eq!(host.runs.count(), 0);
}

/// As it was, the ticket is good: nothing of an attack is left.
async fn is_good(host: &Host, ticket: &Ticket) {
    let outcome = host.session.resume(ticket, Answer::yes()).await.unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(host.runs.count(), 1);
}
