//! A server that is stopped, killed and started again in mid-run. A program of its own: no other test runs meanwhile.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first fault"
)]

#[path = "../support/mod.rs"]
mod support;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use support::{Place, soon};
use tokio::sync::Mutex;
use toolwright::permission::AllowAll;
use toolwright::ticket::TicketStore;
use toolwright::{Executor, ToolOutcome, ToolRegistry, tool};
use toolwright_journal::{Durability, Journal, JournalRecords, verify};
use toolwright_postgres::PostgresStore;

static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Stops, kills or starts the server. Without a way to do so, says it and returns false.
fn server(what: &str) -> bool {
    let Ok(program) = std::env::var("SERVICES_POSTGRES_CTL") else {
        eprintln!("SKIPPED, WITHOUT A SERVER THAT CAN BE STOPPED: run it through scripts/services");
        return false;
    };
    if what != "try" {
        assert!(Command::new(program).arg(what).status().unwrap().success());
    }
    true
}

struct Runs(Arc<AtomicUsize>);

/// Count.
#[tool]
fn count(runs: &Runs) -> &'static str {
    runs.0.fetch_add(1, Ordering::SeqCst);
    "counted"
}

/// An executor that counts how often its tool runs, with a journal on the server.
async fn counting(store: &PostgresStore, log: &str) -> (Executor, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let (journal, _) = Journal::builder(store.log(log).await.unwrap())
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Count))
        .permission_checker(AllowAll)
        .resource(Runs(Arc::clone(&runs)))
        .call_recorder(journal)
        .build()
        .unwrap();
    (executor, runs)
}

fn completed(outcome: &ToolOutcome) -> bool {
    matches!(outcome, ToolOutcome::Completed(_)) && outcome.text() == "counted"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn while_the_server_is_stopped_calls_fail_closed_and_then_go_on() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let Some(place) = Place::new().filter(|_| server("try")) else {
        return;
    };
    let limit = Duration::from_secs(1);
    let store = place.builder().limit(limit).connect().await.unwrap();
    let replica = store.replica("r").await.unwrap();
    let (executor, runs) = counting(&store, "run").await;
    assert!(completed(&executor.call("count", "{}").await));
    let first = support::ticket().await;
    let tickets: Vec<_> = (1..=3)
        .map(|number| support::another(&first, number))
        .collect();
    store.tickets().put(&tickets[0]).await.unwrap();
    let waiting = {
        let (store, id) = (store.clone(), tickets[0].ticket().id());
        tokio::spawn(async move { store.tickets().changed(id, 0).await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;

    server("stop");
    let stopped = Instant::now();
    let mut failed = 0;
    while stopped.elapsed() < Duration::from_secs(20) {
        let begun = Instant::now();
        let error = store.tickets().put(&tickets[1]).await.unwrap_err();
        let text = format!("{error:?}");
        assert!(text.contains("cannot connect to 127.0.0.1:"), "{text}");
        let refused = replica.tickets().claim(tickets[0].ticket().id()).await;
        assert!(refused.is_err());
        let outcome = executor.call("count", "{}").await;
        assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
        assert!(
            begun.elapsed() < 3 * (limit + Duration::from_millis(1500)),
            "{:?}",
            begun.elapsed()
        );
        failed += 1;
    }
    assert_eq!(runs.load(Ordering::SeqCst), 1, "nothing runs unrecorded");
    assert!(!waiting.is_finished());
    server("start");
    let started = Instant::now();

    soon("a put", async {
        while store.tickets().put(&tickets[2]).await.is_err() {}
    })
    .await;
    replica.check().await.unwrap();
    soon("a call", async {
        while !completed(&executor.call("count", "{}").await) {}
    })
    .await;
    eprintln!(
        "after {failed} rounds without a server, all works {:?} after its start",
        started.elapsed()
    );
    replica
        .tickets()
        .claim(tickets[0].ticket().id())
        .await
        .unwrap();
    soon("the end of the wait", waiting).await.unwrap().unwrap();
    assert!(
        store
            .tickets()
            .get(tickets[1].ticket().id())
            .await
            .unwrap()
            .is_none()
    );
    drop(executor);
    let records = verify(&store.read_log("run").await.unwrap())
        .unwrap()
        .records;
    assert_eq!(records, 1 + 2 * runs.load(Ordering::SeqCst) as u64);
    place.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_journal_outlives_crashes_of_the_server_in_the_middle_of_writes() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let Some(place) = Place::new().filter(|_| server("try")) else {
        return;
    };
    let store = place
        .builder()
        .limit(Duration::from_millis(500))
        .connect()
        .await
        .unwrap();
    let (executor, runs) = counting(&store, "run").await;
    let (is_over, done) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let calls = (0..4).map(|_| {
        let (executor, is_over, done) = (executor.clone(), Arc::clone(&is_over), Arc::clone(&done));
        tokio::spawn(async move {
            while !is_over.load(Ordering::SeqCst) {
                if completed(&executor.call("count", "{}").await) {
                    done.fetch_add(1, Ordering::SeqCst);
                }
            }
        })
    });
    let calls: Vec<_> = calls.collect();
    for round in 0..4 {
        let before = done.load(Ordering::SeqCst);
        soon("calls", async {
            while done.load(Ordering::SeqCst) < before + 20 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        server(["kill", "stop"][round % 2]);
        tokio::time::sleep(Duration::from_secs(1)).await;
        server("start");
    }
    let before = done.load(Ordering::SeqCst);
    soon("calls", async {
        while done.load(Ordering::SeqCst) < before + 20 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    is_over.store(true, Ordering::SeqCst);
    for call in calls {
        call.await.unwrap();
    }
    drop(executor);
    let log = store.read_log("run").await.unwrap();
    let records = verify(&log).unwrap().records;
    let kinds: Vec<_> = JournalRecords::of(&log)
        .unwrap()
        .map(|record| record.unwrap().kind)
        .collect();
    let responses = kinds
        .iter()
        .filter(|kind| matches!(kind, toolwright_journal::RecordKind::Responded(_)))
        .count();
    let (done, runs) = (done.load(Ordering::SeqCst), runs.load(Ordering::SeqCst));
    eprintln!(
        "{runs} bodies ran, {done} calls completed, {responses} responses in {records} records"
    );
    assert!(responses >= done, "what a caller was told is recorded");
    let requests = kinds
        .iter()
        .filter(|kind| matches!(kind, toolwright_journal::RecordKind::Requested(_)))
        .count();
    assert!(requests >= runs, "what ran is recorded");
    place.remove().await;
}
