//! A stored ticket is found as it was.

use super::{Works, same, sample};
use crate::testing::differ::differing;
use crate::ticket::{CloseReason, TicketRecord, TicketStore, WriteOutcome};

pub(super) async fn check(store: &impl TicketStore) {
    let nothing = store.get(sample::nobody()).await.works("get");
    same(nothing, None, "`get` found a ticket that was never put");

    let ticket = sample::ticket("s").make();
    let id = ticket.ticket().id();
    store.put(&ticket).await.works("put");
    let mut kept = TicketRecord {
        stored: ticket.clone(),
        answers: Vec::new(),
        closed: None,
    };
    is_kept(store, &kept, "what `put` was given is not what `get` finds").await;

    // The same id, with another call.
    let mut other = serde_json::to_value(&ticket).expect("a ticket has JSON");
    other["call"]["arguments"] = "{}".into();
    let other = serde_json::from_value(other).expect("it is a ticket still");
    store.put(&other).await.works("put");
    is_kept(store, &kept, "a second `put` of an id changed the ticket").await;

    let answer = sample::answer(&ticket, 1, 1);
    let recorded = store.answer(id, 1, &answer).await.works("answer");
    same(
        recorded,
        WriteOutcome::Now,
        "the first answer was not taken",
    );
    store.put(&ticket).await.works("put");
    kept.answers = vec![None, Some(answer)];
    is_kept(store, &kept, "a second `put` of an id changed its answers").await;

    let recorded = store.close(id, CloseReason::Used).await.works("close");
    same(recorded, WriteOutcome::Now, "an open ticket was not closed");
    store.put(&ticket).await.works("put");
    kept.closed = Some(CloseReason::Used);
    is_kept(store, &kept, "a second `put` of an id opened it again").await;
}

/// Asserts that the store has exactly this for a ticket, to the byte.
pub(super) async fn is_kept(store: &impl TicketStore, expected: &TicketRecord, otherwise: &str) {
    let id = expected.stored.ticket().id();
    let Some(mut found) = store.get(id).await.works("get") else {
        panic!("{otherwise}: it finds nothing");
    };
    trim(&mut found);
    let (found, expected) = (json(&found), json(expected));
    if found != expected {
        let (found, expected) = differing(&found, &expected);
        panic!("{otherwise}\n found: {found}\nwanted: {expected}");
    }
}

/// Without the places at the end that have no answer, which a store may leave out or not.
fn trim(kept: &mut TicketRecord) {
    while let Some(None) = kept.answers.last() {
        kept.answers.pop();
    }
}

fn json(kept: &TicketRecord) -> String {
    serde_json::to_string(kept).expect("a row has JSON")
}
