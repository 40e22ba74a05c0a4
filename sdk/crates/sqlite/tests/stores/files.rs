//! The files of a database, and handles to it.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::task::JoinSet;
use toolwright::ticket::{CloseReason, TicketFilter, TicketStore as _};
use toolwright_sqlite::SqliteStore;

use super::process::Process;
use super::sample::{Sample, place};

#[cfg(unix)]
#[tokio::test]
async fn all_files_are_the_owners_alone_and_others_are_refused() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let place = place();
    let store = place.open();
    let _named = (store.replica("a").unwrap(), store.log("main").unwrap());
    let mut names = Vec::new();
    for entry in place.folder.path().read_dir().unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{entry:?}");
        names.push(entry.file_name().into_string().unwrap());
    }
    names.sort();
    let expected = [
        "state.db",
        "state.db-shm",
        "state.db-wal",
        "state.db.log-main.lock",
        "state.db.replica-a.lock",
    ];
    assert_eq!(names, expected);
    for mode in [0o640, 0o604, 0o620] {
        fs::set_permissions(&place.path, Permissions::from_mode(mode)).unwrap();
        let refused = SqliteStore::open(&place.path).unwrap_err();
        assert!(refused.to_string().contains("chmod 600"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_processes_may_make_one_database_at_once() {
    let place = place();
    let mut processes = JoinSet::new();
    for _ in 0..8 {
        let path = place.path.clone();
        processes.spawn(async move { Process::start(&path).await });
    }
    let processes = processes.join_all().await;
    let sample = Sample::make().await;
    for (number, process) in (0..).zip(&processes) {
        let ticket = sample.ticket(number, "s", number);
        process.works("put", serde_json::json!(ticket)).await;
    }
    let tickets = place.open().tickets();
    let all = tickets.list(&TicketFilter::all()).await.unwrap();
    assert_eq!(all.len(), processes.len());
}

#[test]
fn a_store_works_outside_of_a_runtime() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sample = runtime.block_on(Sample::make());
    let tickets = place().open().tickets();
    let ticket = sample.ticket(1, "s", 1);
    tickets.put(&ticket).now_or_never().unwrap().unwrap();
    let all = tickets.list(&TicketFilter::all()).now_or_never();
    assert_eq!(all.unwrap().unwrap().len(), 1);
}

#[tokio::test]
async fn a_wait_sees_another_handle_soon_and_its_own_at_once() {
    let (place, sample) = (place(), Sample::make().await);
    let (one, other) = (place.open().tickets(), place.open().tickets());
    for (number, by) in [(1, &one), (2, &other)] {
        let ticket = sample.ticket(number, "s", number);
        let id = ticket.ticket().id();
        one.put(&ticket).await.unwrap();
        let close = async {
            tokio::time::sleep(Duration::from_millis(150)).await;
            by.close(id, CloseReason::Used).await.unwrap();
            Instant::now()
        };
        let wait = async {
            one.changed(id, 0).await.unwrap();
            Instant::now()
        };
        let (closed, seen) = tokio::join!(close, wait);
        let record = one.get(id).await.unwrap().unwrap();
        assert_eq!(
            record.closed,
            Some(CloseReason::Used),
            "it woke for the change"
        );
        println!("seen after {:?}", seen.saturating_duration_since(closed));
    }
}

#[tokio::test]
async fn waits_that_are_given_up_leave_nothing_behind() {
    let (place, sample) = (place(), Sample::make().await);
    let store = place.open();
    let tickets = store.tickets();
    let ticket = sample.ticket(1, "s", 1);
    let id = ticket.ticket().id();
    tickets.put(&ticket).await.unwrap();
    for _ in 0..200 {
        let wait = tickets.changed(id, 0);
        let given_up = tokio::time::timeout(Duration::from_millis(1), wait).await;
        assert!(given_up.is_err(), "nothing has changed");
    }
    let waits = [tickets.changed(id, 0), tickets.changed(id, 0)];
    let close = async { tickets.close(id, CloseReason::Used).await.unwrap() };
    let (waited, _) = tokio::join!(futures_util::future::join_all(waits), close);
    assert!(waited.iter().all(Result::is_ok));
    // The thread that looked for changes ends with the store, and its files are closed.
    drop((tickets, store));
    assert!(!place.folder.path().join("state.db-wal").exists());
}
