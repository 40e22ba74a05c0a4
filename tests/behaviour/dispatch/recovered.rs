//! Dispatched calls that a killed process has left: the dispatcher has them or not.

use std::sync::Arc;

use toolwright::ToolCall;
use toolwright::executor::{Approvals, LocalDispatcher, WaitMode};
use toolwright::ticket::{Answer, MemoryTickets, Ticket, TicketErrorKind, TicketStore};

use super::relay::{Fault, Relay};
use super::{app, host, registry};
use crate::waiting_support::{Asks, Runs, interrupted, key};

struct Left {
    runs: Arc<Runs>,
    store: MemoryTickets,
    dispatcher: LocalDispatcher,
    ticket: Arc<Ticket>,
}

fn process(left: &MemoryTickets, relay: Relay) -> toolwright::Executor {
    let approvals = Approvals::new()
        .waiting(WaitMode::Suspending)
        .ticket_key(key())
        .ticket_store(left.replica("a"));
    app(relay, registry(), |builder| {
        builder.permission_checker(Asks).approvals(approvals)
    })
}

fn durable(dispatcher: &LocalDispatcher, faults: impl IntoIterator<Item = Fault>) -> Relay {
    let relay = Relay::new(dispatcher.clone(), faults);
    relay.promising(|promises| promises.outlives_process = true)
}

/// Has a call that runs once at most dispatched by a process that ends before it knows of the end.
async fn left() -> Left {
    let (runs, store) = (Arc::new(Runs::default()), MemoryTickets::new());
    let host = host(&runs, registry(), |builder| builder);
    let dispatcher = LocalDispatcher::new(host);
    let first = process(&store, durable(&dispatcher, []));
    let session = first.session("s-1");
    let call = ToolCall::new("render", r#"{"scene": "a beach"}"#);
    let suspension = interrupted(session.call(call).await);
    let ticket = Arc::clone(suspension.ticket());
    session.resume(&ticket, Answer::yes()).await.unwrap();
    drop((session, first));
    assert_eq!(store.replica("a").claimed().await.unwrap().len(), 1);
    assert_eq!(runs.count(), 1);
    Left {
        runs,
        store,
        dispatcher,
        ticket,
    }
}

#[tokio::test]
async fn a_call_that_the_dispatcher_has_is_attached_to() {
    let left = left().await;
    let relay = durable(&left.dispatcher, []);
    let second = process(&left.store, relay.clone());
    let recovered = second.recover().await.unwrap();
    assert_eq!(recovered.outcomes[0].text(), "rendered a beach");
    assert_eq!(relay.submitted(), [left.ticket.invocation()]);
    assert_eq!(left.runs.count(), 1);
    assert!(left.store.replica("a").claimed().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_call_that_the_dispatcher_does_not_have_is_indeterminate() {
    let left = left().await;
    let host = host(&left.runs, registry(), |builder| builder);
    let forgetful = LocalDispatcher::new(host);
    for promising in [
        durable(&forgetful, []),
        Relay::new(left.dispatcher.clone(), []),
    ] {
        let second = process(&left.store, promising.clone());
        let recovered = second.recover().await.unwrap();
        assert!(recovered.outcomes.is_empty() && recovered.failed.is_empty());
        assert!(promising.submitted().is_empty());
        if let Some(ticket) = recovered.indeterminate.first() {
            assert_eq!(ticket.id(), left.ticket.id());
        }
    }
    assert_eq!(left.runs.count(), 1);
}

#[tokio::test]
async fn while_the_dispatcher_cannot_be_asked_the_call_stays_claimed() {
    let left = left().await;
    let relay = durable(&left.dispatcher, [Fault::NotAsked]);
    let second = process(&left.store, relay.clone());
    let recovered = second.recover().await.unwrap();
    let (ticket, error) = &recovered.failed[0];
    assert_eq!(
        (*ticket, error.kind()),
        (left.ticket.id(), TicketErrorKind::Unavailable)
    );
    assert_eq!(left.store.replica("a").claimed().await.unwrap().len(), 1);
    let again = second.recover().await.unwrap();
    assert_eq!(again.outcomes[0].text(), "rendered a beach");
    assert_eq!(left.runs.count(), 1);
}
