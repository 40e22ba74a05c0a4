//! The contracts of the ports: on one handle, on two, and on two processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::results::ResultStore;
use toolwright::state::StateStore;
use toolwright::testing;
use toolwright::ticket::TicketStore;
use toolwright_journal::{ContentStore, testing as journal_testing};
use toolwright_sqlite::SqliteStore;

use super::process::Process;
use super::sample::place;
use super::split::{Remote, Split};

/// Databases, a new one each time.
struct Places(tempfile::TempDir, AtomicUsize);

impl Places {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap(), AtomicUsize::new(0))
    }

    fn next(&self) -> std::path::PathBuf {
        let number = self.1.fetch_add(1, Ordering::Relaxed);
        self.0.path().join(format!("{number}.db"))
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(self.next()).unwrap()
    }

    /// Two handles to one database.
    fn two(&self) -> (SqliteStore, SqliteStore) {
        let path = self.next();
        let open = || SqliteStore::open(&path).unwrap();
        (open(), open())
    }

    /// Another process and a handle of this one, to one database.
    async fn two_processes(&self) -> (Remote, SqliteStore) {
        let path = self.next();
        let remote = Process::start(&path).await;
        (Remote(Arc::new(remote)), SqliteStore::open(&path).unwrap())
    }
}

macro_rules! split {
    ($name:ident, $port:ident) => {
        fn $name(writer: impl $port, reader: impl $port) -> Split<dyn $port> {
            Split {
                writer: Arc::new(writer),
                reader: Arc::new(reader),
            }
        }
    };
}

split!(two_tickets, TicketStore);
split!(two_results, ResultStore);
split!(two_states, StateStore);
split!(two_contents, ContentStore);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tickets() {
    let places = Places::new();
    testing::ticket_store_contract(async || places.open().tickets()).await;
    testing::ticket_store_contract(async || {
        let (writer, reader) = places.two();
        two_tickets(writer.tickets(), reader.tickets())
    })
    .await;
    let durable = place();
    testing::durable_ticket_store_contract(async || durable.open().tickets()).await;
    let replicas = place();
    testing::replica_ticket_store_contract(async |name: &str| {
        replicas.open().replica(name).unwrap().tickets()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tickets_of_two_processes() {
    let places = Places::new();
    testing::ticket_store_contract(async || {
        let (writer, reader) = places.two_processes().await;
        two_tickets(writer, reader.tickets())
    })
    .await;
    let place = place();
    testing::durable_ticket_store_contract(async || {
        Remote(Arc::new(Process::start(&place.path).await))
    })
    .await;
    // Each process is told of the writes of the other.
    for turned in [false, true] {
        let place = super::sample::place();
        let remote = Remote(Arc::new(Process::start(&place.path).await));
        let opened = AtomicUsize::new(usize::from(turned));
        testing::durable_ticket_store_contract(async || {
            let local = place.open().tickets();
            let number = opened.fetch_add(1, Ordering::Relaxed);
            if number.is_multiple_of(2) {
                two_tickets(local.clone(), local)
            } else {
                two_tickets(remote.clone(), remote.clone())
            }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn results() {
    let places = Places::new();
    testing::result_store_contract(async || places.open().results()).await;
    testing::result_store_contract(async || {
        let (writer, reader) = places.two();
        two_results(writer.results(), reader.results())
    })
    .await;
    testing::result_store_contract(async || {
        let (writer, reader) = places.two_processes().await;
        two_results(writer, reader.results())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn states() {
    let one = place();
    testing::state_store_contract(async || one.open().states()).await;
    let two = place();
    let process = Arc::new(Process::start(&two.path).await);
    testing::state_store_contract(async || {
        two_states(Remote(Arc::clone(&process)), two.open().states())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn contents() {
    let places = Places::new();
    journal_testing::content_store_contract(async || places.open().contents()).await;
    journal_testing::content_store_contract(async || {
        let (writer, reader) = places.two_processes().await;
        two_contents(writer, reader.contents())
    })
    .await;
}

#[test]
fn logs() {
    let places = Places::new();
    journal_testing::journal_log_contract(|| places.open().log("main").unwrap());
    // Other logs of the same database have lines before and after.
    let store = place();
    let count = AtomicUsize::new(0);
    journal_testing::journal_log_contract(|| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        store.open().log(&format!("log-{number}")).unwrap()
    });
    let store = place();
    journal_testing::durable_journal_log_contract(|| store.open().log("main").unwrap());
}
