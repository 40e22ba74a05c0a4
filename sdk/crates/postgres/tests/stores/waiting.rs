//! Waits: woken by a notification, and by a look where none comes.

use std::time::{Duration, Instant};

use toolwright::id::TicketId;
use toolwright::ticket::{CloseReason, TicketStore};
use toolwright_postgres::PostgresStore;

use crate::support::{self, Place, soon};

/// The time from a closing in one store to the end of a wait in another, the shortest of some.
async fn shortest(place: &Place, waits: &PostgresStore, from: u64) -> Duration {
    let (other, first) = (place.open().await, support::ticket().await);
    let mut shortest = Duration::MAX;
    for number in from..from + 5 {
        let ticket = support::another(&first, number);
        let id = ticket.ticket().id();
        other.tickets().put(&ticket).await.unwrap();
        let wait = tokio::spawn(wait(waits.clone(), id));
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!wait.is_finished());
        let begun = Instant::now();
        other
            .tickets()
            .close(id, CloseReason::Cancelled)
            .await
            .unwrap();
        soon("a change", wait).await.unwrap();
        shortest = shortest.min(begun.elapsed());
    }
    shortest
}

async fn wait(store: PostgresStore, id: TicketId) {
    store.tickets().changed(id, 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_survives_its_listener() {
    let Some(place) = Place::new() else { return };
    let waits = place.open().await;
    let woken = shortest(&place, &waits, 1).await;
    eprintln!("a wait in another pool ends {woken:?} after the change");
    // A look comes after 2 s.
    assert!(woken < Duration::from_secs(1), "{woken:?}");

    let ticket = support::another(&support::ticket().await, 100);
    let id = ticket.ticket().id();
    waits.tickets().put(&ticket).await.unwrap();
    let blind = tokio::spawn(wait(waits.clone(), id));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(place.terminate("LISTEN").await, 1);
    waits
        .tickets()
        .close(id, CloseReason::Cancelled)
        .await
        .unwrap();
    soon("a change without a listener", blind).await.unwrap();

    tokio::time::sleep(Duration::from_secs(1)).await;
    let woken = shortest(&place, &waits, 200).await;
    assert!(
        woken < Duration::from_secs(1),
        "there is a new listener: {woken:?}"
    );
    assert_eq!(place.terminate("LISTEN").await, 1, "one for a store");
    place.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_waits_take_no_connections() {
    let Some(place) = Place::new() else { return };
    let waits = place.builder().max_connections(1).connect().await.unwrap();
    let first = support::ticket().await;
    let mut waiting = tokio::task::JoinSet::new();
    for number in 0..200 {
        let ticket = support::another(&first, number);
        waits.tickets().put(&ticket).await.unwrap();
        waiting.spawn(wait(waits.clone(), ticket.ticket().id()));
    }
    let session = first.ticket().session();
    soon("the end of a session", async {
        place
            .open()
            .await
            .tickets()
            .forget_session(session)
            .await
            .unwrap();
        waiting.join_all().await;
    })
    .await;
    place.remove().await;
}
