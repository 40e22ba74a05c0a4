//! Writes whose confirmation is lost are done once, and known to be done.

use serde_json::{Map, json};
use toolwright::id::SessionId;
use toolwright::state::{SaveOutcome, StateStore};
use toolwright::ticket::{
    Answer, CloseReason, MemoryTickets, SealedAnswer, TicketFilter, TicketStore, WriteOutcome,
};
use toolwright_journal::{Durability, Journal, verify};

use crate::proxy::Proxy;
use crate::support::{self, Place};

/// An answer as the broker seals it.
async fn sealed(yes: bool) -> SealedAnswer {
    let memory = MemoryTickets::new();
    let executor = support::executor(memory.clone()).build().unwrap();
    executor.session("s").call(support::publish_call()).await;
    let id = memory
        .list(&TicketFilter::all())
        .await
        .unwrap()
        .remove(0)
        .stored
        .ticket()
        .id();
    let answer = if yes { Answer::yes() } else { Answer::no() };
    executor.tickets().answer(id, answer).await.unwrap();
    let mut kept = memory.get(id).await.unwrap().unwrap();
    kept.answers.remove(0).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_confirmation_is_made_good() {
    let Some(place) = Place::new() else { return };
    let (proxy, url) = Proxy::before(&place.url).await;
    let through = Place {
        url,
        ..place.clone()
    };
    let store = through.open().await;
    let (tickets, replica) = (store.tickets(), store.replica("r").await.unwrap());
    let (first, session) = (support::ticket().await, SessionId::new("s"));
    let (yes, no) = (sealed(true).await, sealed(false).await);
    // Each in turn, through the pool and through the replica's connection.
    for (number, tickets) in [(1, tickets), (2, replica.tickets())] {
        let ticket = support::another(&first, number);
        let id = ticket.ticket().id();
        let lost = proxy.lost();
        proxy.lose();
        tickets.put(&ticket).await.unwrap();
        proxy.lose();
        assert_eq!(
            tickets.answer(id, 0, &yes).await.unwrap(),
            WriteOutcome::Now
        );
        assert_eq!(
            tickets.answer(id, 0, &yes).await.unwrap(),
            WriteOutcome::Before
        );
        proxy.lose();
        assert_eq!(
            tickets.answer(id, 0, &no).await.unwrap(),
            WriteOutcome::Before
        );
        proxy.lose();
        assert_eq!(tickets.claim(id).await.unwrap(), WriteOutcome::Now);
        let again = tickets.claim(id).await.unwrap();
        assert_eq!(again, WriteOutcome::Closed(CloseReason::Used));
        let kept = tickets.get(id).await.unwrap().unwrap();
        assert_eq!(
            (kept.stored, kept.answers),
            (ticket, vec![Some(yes.clone())])
        );
        assert_eq!(proxy.lost(), lost + 4);
    }
    assert_eq!(replica.tickets().claimed().await.unwrap().len(), 1);

    let (states, lost) = (store.states(), proxy.lost());
    for version in 1..=2 {
        proxy.lose();
        let values: Map<_, _> = [("v".to_owned(), json!(version))].into_iter().collect();
        let saved = states.save(&session, version - 1, &values).await.unwrap();
        assert_eq!(saved, SaveOutcome::Saved { version });
    }
    proxy.lose();
    let conflict = states.save(&session, 1, &Map::new()).await.unwrap();
    assert_eq!(conflict, SaveOutcome::Conflict { version: 2 });
    assert_eq!(proxy.lost(), lost + 3);
    place.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_goes_on_when_confirmations_of_lines_are_lost() {
    let Some(place) = Place::new() else { return };
    let (proxy, url) = Proxy::before(&place.url).await;
    let store = Place {
        url,
        ..place.clone()
    }
    .open()
    .await;
    let log = store.log("run").await.unwrap();
    let (journal, _) = Journal::builder(log)
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = support::adder().call_recorder(journal).build().unwrap();
    for _ in 0..10 {
        proxy.lose();
        let outcome = executor.call("add", r#"{"a": 2, "b": 3}"#).await;
        assert_eq!(outcome.text(), "5", "{outcome:?}");
    }
    assert!(proxy.lost() >= 10);
    drop(executor);
    let log = store.read_log("run").await.unwrap();
    assert_eq!(verify(&log).unwrap().records, 21);
    place.remove().await;
}
