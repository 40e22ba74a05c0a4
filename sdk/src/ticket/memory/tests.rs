use std::time::Duration;

use super::*;
use crate::testing::contracts::tickets::sample;

const HOUR: Duration = Duration::from_secs(60 * 60);

#[tokio::test]
async fn a_closed_ticket_stays_until_its_time_is_over() {
    let store = MemoryTickets::new();
    let (closed, open) = (sample::ticket("a").make(), sample::ticket("b").make());
    for ticket in [&closed, &open] {
        store.put(ticket).await.unwrap();
    }
    let id = closed.ticket().id();
    store.close(id, CloseReason::Used).await.unwrap();
    let late = sample::ticket("c").later(23 * HOUR).make();
    store.put(&late).await.unwrap();
    let kept = store.get(id).await.unwrap().unwrap();
    assert_eq!(kept.closed, Some(CloseReason::Used));

    let later = sample::ticket("c").later(25 * HOUR).make();
    store.put(&later).await.unwrap();
    for gone in [&closed, &open] {
        assert_eq!(store.get(gone.ticket().id()).await.unwrap(), None);
    }
    let listed = store.list(&TicketFilter::all()).await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|kept| kept.stored).collect();
    assert_eq!(listed, [late, later]);
    let rows = store.rows.lock();
    assert_eq!((rows.sessions.len(), rows.expiries.len()), (1, 2));
}

#[tokio::test]
async fn nothing_is_left_of_sessions_that_are_forgotten() {
    let store = MemoryTickets::new();
    for number in 0..100 {
        let session = SessionId::from(format!("s-{number}"));
        let ticket = sample::ticket(session.clone()).make();
        store.put(&ticket).await.unwrap();
        let grant = sample::grant(session.clone(), number);
        store.put_grant(&grant).await.unwrap();
        if number % 2 == 0 {
            let id = ticket.ticket().id();
            store.close(id, CloseReason::Used).await.unwrap();
        }
        store.forget_session(&session).await.unwrap();
    }
    let rows = store.rows.lock();
    assert!(rows.tickets.is_empty() && rows.open.is_empty());
    assert!(rows.sessions.is_empty() && rows.expiries.is_empty());
}
