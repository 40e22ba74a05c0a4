//! Data that outlives a store, and the changes that two stores of one place see of each other.

use std::sync::Arc;

use super::keeping::is_kept;
use super::watching::seen;
use super::{Works, at_once, both, same, sample};
use crate::id::SessionId;
use crate::ticket::{CloseReason, TicketFilter, TicketRecord, TicketStore, WriteOutcome};

/// Checks what a store in files or a database keeps to beyond
/// [`ticket_store_contract`](super::ticket_store_contract): what one put another finds, also after the
/// first is gone, and of two that work on one place at the same time one wins.
///
/// The closure opens one and the same place each time, which is empty at first.
///
/// ```
/// use toolwright::testing;
/// use toolwright::ticket::MemoryTickets;
///
/// # #[tokio::main(flavor = "multi_thread", worker_threads = 2)]
/// # async fn main() {
/// // The clones of a store in memory are of one place; one in files opens its folder again.
/// let place = MemoryTickets::new();
/// testing::durable_ticket_store_contract(async || place.clone()).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn durable_ticket_store_contract<S: TicketStore>(open: impl AsyncFn() -> S) {
    survives(&open).await;
    let two = [Arc::new(open().await), Arc::new(open().await)];
    for _ in 0..10 {
        one_wins(&two).await;
    }
    is_told(&*two[0], &*two[1]).await;
}

async fn survives<S: TicketStore>(open: &impl AsyncFn() -> S) {
    let otherwise = "what was put is not what another store of the place finds";
    let session = SessionId::new("durable/..");
    let ticket = sample::ticket(session.clone()).make();
    let closed = sample::ticket(session.clone()).make();
    let answer = sample::answer(&ticket, 1, 1);
    let grants = [
        sample::grant(session.clone(), 1),
        sample::grant(session.clone(), 2),
    ];
    {
        let store = open().await;
        for ticket in [&ticket, &closed] {
            store.put(ticket).await.works("put");
        }
        let id = ticket.ticket().id();
        store.answer(id, 1, &answer).await.works("answer");
        let close = store
            .close(closed.ticket().id(), CloseReason::Cancelled)
            .await;
        close.works("close");
        for grant in &grants {
            store.put_grant(grant).await.works("put_grant");
        }
    }
    let kept = |stored, answers, closed| TicketRecord {
        stored,
        answers,
        closed,
    };
    let store = open().await;
    let open_one = kept(ticket.clone(), vec![None, Some(answer)], None);
    is_kept(&store, &open_one, otherwise).await;
    let closed_one = kept(closed, Vec::new(), Some(CloseReason::Cancelled));
    is_kept(&store, &closed_one, otherwise).await;
    let listed = store.list(&TicketFilter::session(session.clone())).await;
    let listed: Vec<_> = listed
        .works("list")
        .into_iter()
        .map(|kept| kept.stored)
        .collect();
    same(listed, vec![ticket.clone()], otherwise);
    let found = store.grants(&session).await.works("grants");
    same(&found[..], &grants[..], otherwise);

    store.forget_session(&session).await.works("forget_session");
    let gone = open().await.get(ticket.ticket().id()).await.works("get");
    same(
        gone,
        None,
        "a session was forgotten, and another store of the place has its ticket",
    );
}

async fn one_wins<S: TicketStore>(two: &[Arc<S>; 2]) {
    let ticket = sample::ticket("two").make();
    two[0].put(&ticket).await.works("put");
    let recorded = at_once(16, |number| {
        let (store, ticket) = (Arc::clone(&two[number % 2]), ticket.clone());
        async move {
            let id = ticket.ticket().id();
            let answer = sample::answer(&ticket, 0, number);
            let answered = store.answer(id, 0, &answer).await.works("answer");
            let closed = store.close(id, CloseReason::Used).await.works("close");
            (answered, closed)
        }
    });
    let recorded = recorded.await;
    let answered = recorded
        .iter()
        .filter(|(answered, _)| *answered == WriteOutcome::Now);
    let closed = recorded
        .iter()
        .filter(|(_, closed)| *closed == WriteOutcome::Now);
    let otherwise = "of two stores of one place, not just one answered and one closed a ticket";
    same((answered.count(), closed.count()), (1, 1), otherwise);
}

async fn is_told(one: &impl TicketStore, other: &impl TicketStore) {
    let ticket = sample::ticket("told").make();
    let id = ticket.ticket().id();
    one.put(&ticket).await.works("put");
    let answer = sample::answer(&ticket, 0, 1);
    let answer = async { other.answer(id, 0, &answer).await.works("answer") };
    let watch = seen(one, id, 0, "that is answered in another store of the place");
    both(watch, answer).await;
}
