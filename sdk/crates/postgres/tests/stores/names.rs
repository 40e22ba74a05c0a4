//! Names: a single process at a time has one, and no other writes under it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use toolwright::ToolOutcome;
use toolwright::ticket::{CloseReason, TicketStore, WriteOutcome};
use toolwright_journal::{Durability, Journal, JournalLog, LogError, verify};
use toolwright_postgres::PostgresError;

use crate::support::{self, Place, soon};

/// This program again, as a process that a test may kill.
struct Helper(Child);

impl Helper {
    async fn start(place: &Place, test: &str) -> Self {
        let mut helper = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env("HELPER_SCHEMA", &place.schema)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(helper.stdout.take().unwrap()).lines();
        let ready = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.ends_with("READY") {
                    return;
                }
            }
            panic!("the helper has ended");
        };
        soon("a helper", ready).await;
        Self(helper)
    }

    /// As by `kill -9`.
    async fn kill(mut self) {
        self.0.kill().await.unwrap();
    }

    /// The place of the test that started this process, if one did.
    fn place() -> Option<Place> {
        let schema = std::env::var("HELPER_SCHEMA").ok()?;
        Some(Place {
            url: support::url()?,
            schema,
        })
    }
}

#[tokio::test]
async fn helper_claims_two_tickets() {
    let Some(place) = Helper::place() else { return };
    let replica = place.open().await.replica("r").await.unwrap();
    let first = support::ticket().await;
    for number in 1..=3 {
        let ticket = support::another(&first, number);
        replica.tickets().put(&ticket).await.unwrap();
        replica.tickets().claim(ticket.ticket().id()).await.unwrap();
    }
    let finished = support::another(&first, 2).ticket().id();
    replica.tickets().finish(&[finished]).await.unwrap();
    println!("\nREADY");
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_leaves_its_name_and_its_claims() {
    let Some(place) = Place::new() else { return };
    let store = place.open().await;
    let helper = Helper::start(&place, "names::helper_claims_two_tickets").await;
    let taken = place
        .builder()
        .name_wait(Duration::from_millis(200))
        .connect()
        .await
        .unwrap();
    let refused = taken.replica("r").await.unwrap_err();
    assert!(
        matches!(refused, PostgresError::NameTaken { .. }),
        "{refused:?}"
    );
    store.replica("another").await.unwrap();
    helper.kill().await;
    let begun = Instant::now();
    let replica = store.replica("r").await.unwrap();
    eprintln!("the name was taken over in {:?}", begun.elapsed());
    let claimed: Vec<_> = replica.tickets().claimed().await.unwrap();
    let claimed: Vec<String> = claimed
        .iter()
        .map(|kept| kept.stored.ticket().id().to_string())
        .collect();
    assert_eq!(claimed, [format!("{:032x}", 1), format!("{:032x}", 3)]);
    assert!(store.tickets().claimed().await.unwrap().is_empty());
    assert!(
        store
            .replica("another")
            .await
            .unwrap()
            .tickets()
            .claimed()
            .await
            .unwrap()
            .is_empty()
    );
    place.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_lost_its_name_claims_nothing_until_it_has_it_again() {
    let Some(place) = Place::new() else { return };
    let store = place
        .builder()
        .limit(Duration::from_millis(500))
        .connect()
        .await
        .unwrap();
    let (one, first) = (store.replica("r").await.unwrap(), support::ticket().await);
    let ids = [1, 2, 3].map(|number| support::another(&first, number));
    for ticket in &ids {
        store.tickets().put(ticket).await.unwrap();
    }
    let ids = ids.map(|ticket| ticket.ticket().id());
    one.tickets().finish(&ids[..1]).await.unwrap();
    assert_eq!(place.terminate("update tickets set finished").await, 1);
    // Nobody else has the name: it is taken again.
    assert_eq!(
        one.tickets().claim(ids[0]).await.unwrap(),
        WriteOutcome::Now
    );

    one.tickets().finish(&[ids[1]]).await.unwrap();
    assert_eq!(place.terminate("update tickets set finished").await, 1);
    let other = place.open().await.replica("r").await.unwrap();
    let refused = one.tickets().claim(ids[1]).await.unwrap_err();
    let text = format!("{refused:?}");
    assert!(one.check().await.is_err());
    assert_eq!(
        store.tickets().get(ids[1]).await.unwrap().unwrap().closed,
        None,
        "{text}"
    );
    // Without a claim, closing needs no name.
    assert_eq!(
        one.tickets()
            .close(ids[2], CloseReason::Cancelled)
            .await
            .unwrap(),
        WriteOutcome::Now
    );
    drop(other);
    soon("the name", async { while one.check().await.is_err() {} }).await;
    assert_eq!(
        one.tickets().claim(ids[1]).await.unwrap(),
        WriteOutcome::Now
    );
    assert_eq!(one.tickets().claimed().await.unwrap().len(), 2);
    place.remove().await;
}

#[tokio::test]
async fn helper_journals_calls() {
    let Some(place) = Helper::place() else { return };
    let log = place.open().await.log("run").await.unwrap();
    let (journal, _) = Journal::builder(log)
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = support::adder().call_recorder(journal).build().unwrap();
    let mut calls = 0;
    loop {
        let call = || executor.call("add", r#"{"a": 2, "b": 3}"#);
        let (one, other) = tokio::join!(call(), call());
        assert_eq!((one.text(), other.text()), ("5".to_owned(), "5".to_owned()));
        calls += 1;
        if calls == 3 {
            println!("\nREADY");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_of_a_journal_outlives_kills() {
    let Some(place) = Place::new() else { return };
    let store = place.open().await;
    let mut before = 0;
    for round in 0..5_u64 {
        let helper = Helper::start(&place, "names::helper_journals_calls").await;
        tokio::time::sleep(Duration::from_millis(50 + round * 17)).await;
        let short = place
            .builder()
            .name_wait(Duration::ZERO)
            .connect()
            .await
            .unwrap();
        let refused = short.log("run").await.unwrap_err();
        assert!(
            matches!(refused, PostgresError::NameTaken { .. }),
            "{refused:?}"
        );
        helper.kill().await;
        let log = store.read_log("run").await.unwrap();
        let refused = log.append(log.head().unwrap(), &[]).unwrap_err();
        assert!(matches!(refused, LogError::Unwritten(_)), "{refused:?}");
        let records = verify(&log).unwrap().records;
        assert!(records >= before + 12, "{records} records after {before}");
        before = records;
    }
    place.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_lost_its_name_to_another_journal_writes_no_more() {
    let Some(place) = Place::new() else { return };
    let store = place
        .builder()
        .limit(Duration::from_millis(500))
        .connect()
        .await
        .unwrap();
    let (journal, _) = Journal::builder(store.log("run").await.unwrap())
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = support::adder().call_recorder(journal).build().unwrap();
    let add = || executor.call("add", r#"{"a": 2, "b": 3}"#);
    assert_eq!(add().await.text(), "5");
    assert_eq!(place.terminate("insert into log_lines").await, 1);
    assert_eq!(add().await.text(), "5", "it has taken its name again");
    assert_eq!(place.terminate("insert into log_lines").await, 1);
    let other = place.open().await.log("run").await.unwrap();
    assert!(
        matches!(add().await, ToolOutcome::Failed(_)),
        "another has the name"
    );
    let (journal, _) = Journal::builder(other)
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let second = support::adder().call_recorder(journal).build().unwrap();
    assert_eq!(second.call("add", r#"{"a": 2, "b": 3}"#).await.text(), "5");
    drop(second);
    assert!(
        matches!(add().await, ToolOutcome::Failed(_)),
        "another has written"
    );
    let records = verify(&store.read_log("run").await.unwrap())
        .unwrap()
        .records;
    assert_eq!(records, 7, "the opening and three calls");
    place.remove().await;
}
