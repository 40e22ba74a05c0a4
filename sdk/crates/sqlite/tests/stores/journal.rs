//! Journals in a database.

use futures_util::future::join_all;
use serde_json::json;
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry, tool};
use toolwright_journal::{Durability, Journal, JournalLog as _, Replay, verify};
use toolwright_sqlite::{SqliteError, SqliteStore};

use super::process::Process;
use super::sample::place;

/// Repeat a text.
#[tool(pure, register = false)]
fn repeat(text: String, times: usize) -> String {
    text.repeat(times)
}

fn executor(store: &SqliteStore, durability: Durability) -> Executor {
    let journal = Journal::builder(store.log("main").unwrap())
        .contents(store.contents())
        .durability(durability);
    Executor::builder(ToolRegistry::new().with(Repeat))
        .permission_checker(AllowAll)
        .call_recorder(journal.open().unwrap().0)
        .build()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_recorded_verified_and_replayed_also_while_it_is_written() {
    let place = place();
    let store = place.open();
    for durability in [Durability::Flushed, Durability::Synced] {
        let executor = executor(&store, durability);
        let calls = (1..40).map(|times| {
            // The last ones stand in the contents.
            let arguments = json!({"text": "four", "times": times * 600}).to_string();
            let executor = executor.clone();
            async move { executor.call("repeat", arguments).await }
        });
        let outcomes = join_all(calls).await;
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.result().error().is_none())
        );
        let reading = store.log_read_only("main").unwrap();
        verify(&reading).unwrap();
        let refused = store.log("main").unwrap_err();
        assert!(matches!(refused, SqliteError::InUse { .. }), "{refused}");
    }
    let log = SqliteStore::open(&place.path)
        .unwrap()
        .log_read_only("main")
        .unwrap();
    assert_eq!(verify(&log).unwrap().records, 1 + 2 * 2 * 39);
    let replay = Replay::of(&log).unwrap().contents(store.contents());
    let tools = Executor::new(ToolRegistry::new().with(Repeat)).unwrap();
    let report = replay.run(&tools).await;
    assert!(report.is_faithful(), "{report}");
    let none = store.log_read_only("other").unwrap();
    assert_eq!(none.read().unwrap().count(), 0);
    assert!(none.append(None, &[]).is_err(), "it was opened for reading");
}

#[tokio::test]
async fn a_log_belongs_to_one_process_until_that_is_killed() {
    let place = place();
    let process = Process::start(&place.path).await;
    process.works("journal", json!("main")).await;
    process.works("call", json!(1)).await;
    let store = place.open();
    let refused = store.log("main").unwrap_err();
    assert!(refused.to_string().contains("`main`"), "{refused}");
    store.log("other").unwrap();
    process.kill();
    let (journal, recovery) = Journal::open(store.log("main").unwrap()).unwrap();
    assert_eq!((recovery.records, recovery.unfinished.len()), (3, 0));
    drop(journal);
}

#[test]
fn a_line_that_was_changed_is_found() {
    let place = place();
    let store = place.open();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let executor = executor(&store, Durability::Flushed);
    for _ in 0..3 {
        let arguments = json!({"text": "x", "times": 2}).to_string();
        runtime.block_on(executor.call("repeat", arguments));
    }
    drop(executor);
    let connection = rusqlite::Connection::open(&place.path).unwrap();
    let damage =
        "UPDATE log_lines SET line = CAST(replace(CAST(line AS TEXT), 'xx', 'xy') AS BLOB)";
    connection.execute(damage, []).unwrap();
    let log = store.log("main").unwrap();
    assert!(verify(&log).is_err());
}
