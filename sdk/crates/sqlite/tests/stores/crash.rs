//! Processes that are killed in the middle of their writes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;
use toolwright::ticket::{CloseReason, TicketStore as _};
use toolwright_journal::{Journal, verify};

use super::process::Process;
use super::sample::{Sample, place};

const ROUNDS: u64 = 8;
const TICKETS: u64 = 150;

/// Asks SQLite itself for faults of the file.
fn is_sound(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let check: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    let mut orphans = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(!orphans.exists([]).unwrap(), "an answer has no ticket");
}

/// Kills a process once it has confirmed so many writes.
async fn kill_after(process: &Process, confirmations: &AtomicU64, count: u64) {
    let begun = Instant::now();
    while confirmations.load(Ordering::Relaxed) < count {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the process hangs"
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    process.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_confirmed_is_there_after_a_kill_and_nothing_is_there_by_half() {
    let (place, sample) = (place(), Arc::new(Sample::make().await));
    let mut confirmed = HashSet::new();
    for round in 0..ROUNDS {
        let process = Arc::new(Process::start(&place.path).await);
        let confirmations = Arc::new(AtomicU64::new(0));
        let mut writes = JoinSet::new();
        for number in 0..TICKETS {
            let (process, sample) = (Arc::clone(&process), Arc::clone(&sample));
            let confirmations = Arc::clone(&confirmations);
            writes.spawn(async move {
                let ticket = sample.ticket(round * 1_000 + number, "s", number);
                let id = ticket.ticket().id();
                let mut done = Vec::new();
                let steps = [
                    ("put", json!(ticket)),
                    ("answer", json!([id, 0, sample.answer()])),
                    ("close", json!([id, CloseReason::Used])),
                ];
                for (action, with) in steps {
                    match process.ask(action, with).await {
                        Some(asked) => assert!(asked.is_ok(), "{asked:?}"),
                        None => break,
                    }
                    done.push(action);
                    confirmations.fetch_add(1, Ordering::Relaxed);
                }
                (id, done)
            });
        }
        kill_after(&process, &confirmations, round * 50).await;
        let mut unconfirmed = 0;
        while let Some(written) = writes.join_next().await {
            let (id, done) = written.unwrap();
            unconfirmed += usize::from(done.len() < 3);
            confirmed.insert((id, done));
        }
        println!("round {round}: {unconfirmed} of {TICKETS} were cut off");
        is_sound(&place.path);
        let tickets = place.open().tickets();
        for (id, done) in &confirmed {
            // Whatever is there can be read.
            let record = tickets.get(*id).await.unwrap();
            if done.is_empty() && record.is_none() {
                continue;
            }
            let record = record.expect("a ticket that was put is there");
            assert!(record.answered() >= usize::from(done.contains(&"answer")));
            if done.contains(&"close") {
                assert_eq!(record.closed, Some(CloseReason::Used));
            }
            if record.closed.is_some() {
                assert_eq!(record.answered(), 1, "it was answered before it was closed");
            }
        }
        tickets
            .list(&toolwright::ticket::TicketFilter::all())
            .await
            .unwrap();
        assert!(tickets.take_unreadable().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_journal_verifies_after_kills_and_has_each_call_that_returned() {
    let place = place();
    let mut returned = 0;
    for round in 0..ROUNDS {
        let process = Arc::new(Process::start(&place.path).await);
        process.works("journal", json!("main")).await;
        let confirmations = Arc::new(AtomicU64::new(0));
        let mut calls = JoinSet::new();
        for _ in 0..4 {
            let (process, confirmations) = (Arc::clone(&process), Arc::clone(&confirmations));
            calls.spawn(async move {
                while let Some(answer) = process.ask("call", json!(1)).await {
                    assert!(answer.unwrap()["code"].is_null());
                    confirmations.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        kill_after(&process, &confirmations, round * 25).await;
        calls.join_all().await;
        returned += usize::try_from(confirmations.load(Ordering::Relaxed)).unwrap();
        let store = place.open();
        let log = store.log("main").unwrap();
        verify(&log).unwrap();
        let (journal, _) = Journal::open(log).unwrap();
        let records = journal.records().unwrap();
        let responses = records.filter(|record| {
            let record = record.as_ref().unwrap();
            matches!(record.kind, toolwright_journal::RecordKind::Responded(_))
        });
        let responses = responses.count();
        println!("round {round}: {returned} returned, {responses} recorded");
        assert!(responses >= returned, "each call that returned is recorded");
    }
    is_sound(&place.path);
}
