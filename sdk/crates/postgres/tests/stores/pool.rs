//! The limits of the pool and of calls.

use std::time::{Duration, Instant};

use sqlx::{Connection, Executor};
use toolwright::ticket::TicketStore;
use toolwright_postgres::PostgresError;

use crate::support::{self, Place};

fn cause(error: &toolwright::ticket::StoreError) -> String {
    format!("{error:?}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_ends_in_time_when_the_pool_is_exhausted_or_a_table_is_locked() {
    let Some(place) = Place::new() else { return };
    let limit = Duration::from_millis(700);
    let store = place
        .builder()
        .max_connections(2)
        .limit(limit)
        .connect()
        .await
        .unwrap();
    let tickets = store.tickets();
    let ticket = support::ticket().await;
    tickets.put(&ticket).await.unwrap();
    let mut sql = place.sql().await;
    let mut transaction = sql.begin().await.unwrap();
    transaction
        .execute("lock table tickets in access exclusive mode")
        .await
        .unwrap();

    let begun = Instant::now();
    let get = async |tickets: toolwright_postgres::PostgresTickets| {
        tickets.get(ticket.ticket().id()).await
    };
    let all = futures_util::future::join_all((0..8).map(|_| get(tickets.clone()))).await;
    let took = begun.elapsed();
    assert!(took < 4 * limit, "{took:?}");
    let errors: Vec<String> = all
        .iter()
        .map(|result| cause(result.as_ref().unwrap_err()))
        .collect();
    let exhausted = errors
        .iter()
        .filter(|error| error.contains("all 2 connections of the pool"))
        .count();
    // The first two end at about the limit of the others, one or two of which may still get their connections.
    assert!((4..=6).contains(&exhausted), "{errors:#?}");

    transaction.rollback().await.unwrap();
    assert!(
        tickets.get(ticket.ticket().id()).await.unwrap().is_some(),
        "it works again"
    );
    place.remove().await;
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://app:hidden@{}/db", silent.local_addr().unwrap());
    let limit = Duration::from_millis(300);
    let begun = Instant::now();
    let error = toolwright_postgres::PostgresStore::builder(&url)
        .limit(limit)
        .connect()
        .await
        .unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert!(matches!(error, PostgresError::TimedOut { .. }), "{error:?}");
    let text = format!("{error:?} {error}");
    assert!(
        text.contains("127.0.0.1") && !text.contains("hidden"),
        "{text}"
    );
}

#[test]
fn a_call_may_be_dropped_outside_of_a_runtime() {
    let Some(place) = Place::new() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let (tickets, ticket) =
        runtime.block_on(async { (place.open().await.tickets(), support::ticket().await) });
    for polls in 1..20 {
        let mut put = Box::pin(tickets.put(&ticket));
        runtime.block_on(async {
            let _ = tokio::time::timeout(Duration::from_micros(polls * 100), &mut put).await;
        });
        drop(put);
    }
    runtime.block_on(async {
        tickets.put(&ticket).await.unwrap();
        place.remove().await;
    });
}
