//! Names of replicas, and the tickets that they have claimed.

use serde_json::json;
use toolwright::ticket::{CloseReason, TicketRecord, TicketStore as _};
use toolwright_sqlite::{SqliteError, SqliteTickets};

use super::process::Process;
use super::sample::{Sample, place};

fn ids(records: &[TicketRecord]) -> Vec<String> {
    let ids = records.iter().map(|record| record.stored.ticket().id());
    ids.map(|id| id.to_string()).collect()
}

async fn claimed(tickets: &SqliteTickets) -> Vec<String> {
    ids(&tickets.claimed().await.unwrap())
}

#[tokio::test]
async fn a_name_is_held_by_one_process_until_it_is_killed_and_its_claims_are_taken_over() {
    let (place, sample) = (place(), Sample::make().await);
    let store = place.open();
    let first = Process::replica(&place.path, "a").await.unwrap();
    let refused = store.replica("a").unwrap_err();
    assert!(matches!(refused, SqliteError::InUse { .. }), "{refused}");
    let Err(other) = Process::replica(&place.path, "a").await else {
        panic!("a third process got the name too");
    };
    assert!(
        other.text.contains("`a`") && other.text.contains("in use"),
        "{other:?}"
    );

    let mut tickets = Vec::new();
    for number in [3, 2, 1] {
        let ticket = sample.ticket(number, "s", 10 - number);
        let id = ticket.ticket().id();
        first.works("put", json!(ticket)).await;
        let (action, with) = match number {
            2 => ("close", json!([id, CloseReason::Used])),
            _ => ("claim", json!(id)),
        };
        first.works(action, with).await;
        tickets.push(ticket.ticket().id());
    }
    let by_nobody = sample.ticket(9, "s", 0);
    let anonymous = store.tickets();
    anonymous.put(&by_nobody).await.unwrap();
    let claim = anonymous.claim(by_nobody.ticket().id());
    claim.await.unwrap();
    assert!(
        claimed(&anonymous).await.is_empty(),
        "without a name nothing is claimed"
    );
    let second = store.replica("b").unwrap().tickets();
    assert!(
        claimed(&second).await.is_empty(),
        "each replica has its own claims"
    );
    second.finish(&tickets).await.unwrap();

    first.kill();
    let heir = store.replica("a").unwrap();
    let heir_tickets = heir.tickets();
    let expected = [tickets[0].to_string(), tickets[2].to_string()];
    assert_eq!(claimed(&heir_tickets).await, expected, "the oldest first");
    drop(heir);
    assert!(
        store.replica("a").is_err(),
        "a store of the replica holds the name"
    );
    heir_tickets.finish(&tickets[..1]).await.unwrap();
    assert_eq!(claimed(&heir_tickets).await, expected[1..]);
    drop(heir_tickets);
    let again = store.replica("a").unwrap().tickets();
    assert_eq!(
        claimed(&again).await,
        expected[1..],
        "claims outlive the name's holder"
    );
    again
        .finish(&[
            tickets[2],
            tickets[2],
            sample.ticket(77, "s", 0).ticket().id(),
        ])
        .await
        .unwrap();
    assert!(claimed(&again).await.is_empty());
}

#[test]
fn names_that_could_lead_elsewhere_are_refused() {
    let place = place();
    let store = place.open();
    let long = "x".repeat(65);
    for name in ["", "a/b", "../x", "a b", "ä", "a\0", &long] {
        let refused = store.replica(name).unwrap_err();
        assert!(matches!(refused, SqliteError::BadName { .. }), "{refused}");
        assert!(store.log(name).is_err());
    }
    store.replica("A-1_b.c").unwrap();
    let names = place.folder.path().read_dir().unwrap();
    assert!(names.count() <= 4, "nothing else was made");
}

#[test]
fn of_many_who_want_one_name_one_has_it_and_no_file_is_left() {
    let place = place();
    let held = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = place.open();
                for _ in 0..300 {
                    let Ok(named) = store.replica("a") else {
                        continue;
                    };
                    let others = held.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    assert_eq!(others, 0, "two have one name");
                    held.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(named);
                }
            });
        }
    });
    let names = place.folder.path().read_dir().unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["state.db"]);
}
