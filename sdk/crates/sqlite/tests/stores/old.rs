//! Rows that are removed to make room.

use std::time::Duration;

use toolwright::id::{InvocationId, SessionId};
use toolwright::results::ResultStore as _;
use toolwright::ticket::{StoredTicket, TicketStore as _};

use super::sample::{Sample, ago, place};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn old_tickets_go_when_others_come_but_not_those_that_are_claimed() {
    let (place, sample) = (place(), Sample::make().await);
    let tickets = place.open().replica("a").unwrap().tickets();
    let now = |number| sample.ticket(number, "s", 0);
    let [old, young, claimed] = [1, 2, 3].map(now);
    let answer = serde_json::from_value(sample.answer()).unwrap();
    for ticket in [&old, &young, &claimed] {
        tickets.put(ticket).await.unwrap();
        let answered = tickets.answer(ticket.ticket().id(), 0, &answer).await;
        answered.unwrap();
    }
    let close = tickets.claim(claimed.ticket().id());
    close.await.unwrap();
    let connection = rusqlite::Connection::open(&place.path).unwrap();
    for (ticket, days) in [(&old, 8), (&young, 6), (&claimed, 8)] {
        let over = i64::try_from(ago(days * DAY)).unwrap();
        let sql = "UPDATE tickets SET expires = ?1 WHERE id = ?2";
        let id = ticket.ticket().id().to_string();
        connection
            .execute(sql, rusqlite::params![over, id])
            .unwrap();
    }
    tickets.put(&now(4)).await.unwrap();
    let is_there = async |ticket: &StoredTicket| {
        let found = tickets.get(ticket.ticket().id()).await;
        found.unwrap().is_some()
    };
    assert!(!is_there(&old).await && is_there(&young).await && is_there(&claimed).await);
    let answers: i64 = connection
        .query_row("SELECT count(*) FROM answers", [], |row| row.get(0))
        .unwrap();
    assert_eq!(answers, 2, "answers go with their ticket");
    tickets.finish(&[claimed.ticket().id()]).await.unwrap();
    tickets.put(&now(5)).await.unwrap();
    assert!(!is_there(&claimed).await);
}

#[tokio::test]
async fn the_oldest_results_of_a_session_go_first_and_what_is_too_large_takes_none_away() {
    let place = place();
    let store = place.open().results().max_bytes_of_session(10);
    let (one, other) = (SessionId::new("one"), SessionId::new("other"));
    let call = |number: u64| format!("{number:032x}").parse::<InvocationId>().unwrap();
    store.put(&other, call(1), "12345").await.unwrap();
    for number in 2..5 {
        store.put(&one, call(number), "12345").await.unwrap();
    }
    let is_there = async |session: &SessionId, number| {
        let read = store.read(session, call(number), 0, 1).await;
        read.unwrap().is_some()
    };
    assert!(!is_there(&one, 2).await);
    assert!(is_there(&one, 3).await && is_there(&one, 4).await && is_there(&other, 1).await);
    let refused = store.put(&one, call(5), "12345678901").await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the result has 11 bytes, and at most 10 are kept"
    );
    assert!(is_there(&one, 3).await);
    // A second text of a call is younger than the others.
    store.put(&one, call(3), "1234").await.unwrap();
    store.put(&one, call(6), "12345").await.unwrap();
    assert!(is_there(&one, 3).await && !is_there(&one, 4).await);
}
