//! Tickets that a replica has claimed.

use std::time::Duration;

use super::{Works, same, sample};
use crate::id::TicketId;
use crate::ticket::{CloseReason, StoredTicket, TicketStore, WriteOutcome};

/// Checks what a store that knows its replica keeps to: a ticket that it claimed is closed, and claimed by it and by no
/// other until it is finished, also by the next ticket of the call.
///
/// The closure opens one and the same place each time, which is empty at first, for the replica of a name. No two
/// replicas of one name are open at the same time.
///
/// ```
/// use toolwright::testing;
/// use toolwright::ticket::MemoryTickets;
///
/// # #[tokio::main(flavor = "multi_thread", worker_threads = 2)]
/// # async fn main() {
/// let place = MemoryTickets::new();
/// testing::replica_ticket_store_contract(async |replica: &str| place.replica(replica)).await;
/// # }
/// ```
///
/// # Panics
///
/// Panics if the store does something else; the message says what.
pub async fn replica_ticket_store_contract<S: TicketStore>(open: impl AsyncFn(&str) -> S) {
    let later = |minutes: u64| {
        let sample = sample::ticket("replicas").later(Duration::from_secs(60 * minutes));
        sample.make()
    };
    let [second, first, others, cancelled, open_one] = [2, 1, 3, 4, 5].map(later);
    let id = |stored: &StoredTicket| stored.ticket().id();
    {
        let (one, other) = (open("one").await, open("other").await);
        for stored in [&second, &first, &others, &cancelled, &open_one] {
            one.put(stored).await.works("put");
        }
        for stored in [&second, &first] {
            let closed = one.claim(id(stored)).await;
            same(
                closed.works("claim"),
                WriteOutcome::Now,
                "an open ticket is not closed",
            );
        }
        other.claim(id(&others)).await.works("claim");
        one.close(id(&cancelled), CloseReason::Cancelled)
            .await
            .works("close");
        let late = one.claim(id(&others)).await.works("claim");
        same(
            late,
            WriteOutcome::Closed(CloseReason::Used),
            "a ticket is used twice",
        );
        is_claimed(&one, &[id(&first), id(&second)]).await;
        is_claimed(&other, &[id(&others)]).await;
        let in_place = one.close(id(&open_one), CloseReason::Used).await;
        same(
            in_place.works("close"),
            WriteOutcome::Now,
            "an open ticket is not closed",
        );
        is_claimed(&one, &[id(&first), id(&second)]).await;
        one.finish(&[id(&first), id(&others), sample::nobody()])
            .await
            .works("finish");
    }
    let (one, other) = (open("one").await, open("other").await);
    is_claimed(&one, &[id(&second)]).await;
    is_claimed(&other, &[id(&others)]).await;
    is_claimed(&open("third").await, &[]).await;
    let kept = one.get(id(&second)).await.works("get");
    let claimed = one.claimed().await.works("claimed");
    same(
        claimed.first(),
        kept.as_ref(),
        "`claimed` and `get` tell different things",
    );
    one.finish(&[]).await.works("finish");
    let next = later(6);
    for store in [&other, &one] {
        // Whoever else puts it, only the replica that has claimed the one before finishes it.
        is_claimed(&one, &[id(&second)]).await;
        store.put_after(&next, id(&second)).await.works("put_after");
    }
    is_claimed(&one, &[]).await;
    let put = one
        .get(id(&next))
        .await
        .works("get")
        .map(|kept| kept.stored);
    same(
        put.as_ref(),
        Some(&next),
        "`put_after` does not put the ticket",
    );
    one.claim(id(&next)).await.works("claim");
    one.finish(&[id(&next)]).await.works("finish");
    is_claimed(&one, &[]).await;
    let session = second.ticket().session();
    other.forget_session(session).await.works("forget_session");
    is_claimed(&other, &[]).await;
}

async fn is_claimed(store: &impl TicketStore, expected: &[TicketId]) {
    let claimed = store.claimed().await.works("claimed");
    let claimed: Vec<_> = claimed
        .iter()
        .map(|kept| kept.stored.ticket().id())
        .collect();
    let otherwise = "`claimed` does not give the claimed tickets of the replica, the oldest first";
    same(&claimed[..], expected, otherwise);
}
