//! Open tickets are listed by filter, the oldest first.

use std::time::Duration;

use super::{Works, same, sample};
use crate::id::{TicketId, TurnId};
use crate::ticket::{CloseReason, StoredTicket, TicketFilter, TicketStore};

pub(super) async fn check(store: &impl TicketStore) {
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    let put = async |sample: sample::Sample| {
        let ticket = sample.make();
        store.put(&ticket).await.works("put");
        ticket
    };
    let third = put(sample::ticket("s").later(minutes(3)).turn(2)).await;
    let first = put(sample::ticket("s").later(minutes(1))).await;
    let fourth = put(sample::ticket("other").later(minutes(4)).turn(2)).await;
    let second = put(sample::ticket("s").later(minutes(2))).await;
    let closed = put(sample::ticket("s")).await;
    let close = store
        .close(closed.ticket().id(), CloseReason::Cancelled)
        .await;
    close.works("close");
    let answer = sample::answer(&second, 1, 1);
    let answered = store.answer(second.ticket().id(), 1, &answer).await;
    answered.works("answer");

    let turn = TurnId::new;
    let all = TicketFilter::all;
    let of = TicketFilter::session;
    lists(store, &all(), &[&first, &second, &third, &fourth]).await;
    lists(store, &of("s"), &[&first, &second, &third]).await;
    lists(store, &of("s").turn(turn(1)), &[&first, &second]).await;
    lists(store, &of("s").turn(turn(3)), &[]).await;
    lists(store, &all().turn(turn(2)), &[&third, &fourth]).await;
    lists(store, &of("nobody"), &[]).await;

    let after = |filter: TicketFilter, ticket: &StoredTicket| filter.after(ticket.ticket());
    lists(store, &all().limit(2), &[&first, &second]).await;
    lists(store, &all().limit(0), &[]).await;
    lists(store, &all().limit(9), &[&first, &second, &third, &fourth]).await;
    lists(store, &after(all().limit(2), &second), &[&third, &fourth]).await;
    lists(store, &after(all(), &fourth), &[]).await;
    lists(store, &all().answered(), &[&second]).await;
    lists(store, &after(of("s"), &second).answered(), &[]).await;
    lists(store, &after(of("s").limit(1), &first), &[&second]).await;
    lists(store, &after(of("s").turn(turn(1)), &first), &[&second]).await;
    lists(
        store,
        &after(all(), &closed),
        &[&first, &second, &third, &fourth],
    )
    .await;

    let listed = store.list(&of("s")).await.works("list");
    let kept = store.get(second.ticket().id()).await.works("get");
    same(
        listed.get(1),
        kept.as_ref(),
        "`list` and `get` tell different things",
    );
}

async fn lists(store: &impl TicketStore, filter: &TicketFilter, expected: &[&StoredTicket]) {
    let listed = store.list(filter).await.works("list");
    let ids: Vec<TicketId> = listed
        .iter()
        .map(|kept| kept.stored.ticket().id())
        .collect();
    let expected: Vec<TicketId> = expected.iter().map(|ticket| ticket.ticket().id()).collect();
    let mut sorted = (ids.clone(), expected.clone());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    let otherwise = format!("`list` does not give the open tickets of {filter:?}, and no other");
    same(sorted.0, sorted.1, &otherwise);
    same(ids, expected, "`list` does not give the oldest first");
}
