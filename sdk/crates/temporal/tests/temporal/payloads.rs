//! Calls and results that are too large for a history.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::dispatch::{DispatchError, DispatchOutcome, Dispatcher as _};
use toolwright_journal::{ContentStore, FolderContents, MemoryContents};
use toolwright_temporal::TemporalWorker;

use crate::support::{PATIENCE, Place};

fn work(place: &Place, store: Option<Arc<dyn ContentStore>>) {
    let worker = TemporalWorker::new(&place.client, place.host()).pools([&place.pool]);
    let worker = worker.heartbeat_interval(Duration::from_millis(200));
    let worker = match store {
        Some(store) => worker.contents(store),
        None => worker,
    };
    tokio::spawn(worker.run());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_calls_and_results_go_by_their_hash() {
    let Some(place) = Place::new().await else {
        return;
    };
    let folder = place.folder.path().join("contents");
    let store = || Arc::new(FolderContents::new(&folder));
    work(&place, Some(store()));
    let dispatcher = place.dispatcher().contents(store());
    assert_eq!(dispatcher.promises().max_payload, None);
    let executor = place.executor(dispatcher);
    let text = "\u{e4}\"".repeat(1_500_000);
    let outcome = executor
        .call("echo", json!({"text": text}).to_string())
        .await;
    assert!(outcome.text() == text, "{:.200}", outcome.text());
    assert!(folder.exists(), "they were in the store");
    // A small one takes no detour.
    let before = files(&folder);
    let outcome = executor.call("echo", r#"{"text": "small"}"#).await;
    assert_eq!(outcome.text(), "small");
    assert_eq!(files(&folder), before);
}

fn files(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { files(&path) } else { 1 })
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_store_a_mebibyte_is_the_limit() {
    let Some(place) = Place::new().await else {
        return;
    };
    work(&place, None);
    let dispatcher = place.dispatcher();
    assert_eq!(dispatcher.promises().max_payload, Some(1024 * 1024));
    let text = "x".repeat(1_000_000);
    let executor = place.executor(dispatcher.clone());
    let outcome = executor
        .call("echo", json!({"text": text}).to_string())
        .await;
    assert!(outcome.text() == text, "{:.200}", outcome.text());
    let call = place
        .signed("echo", json!({"text": "x".repeat(1_100_000)}))
        .await;
    let refused = dispatcher.submit(&call).await;
    assert!(
        matches!(refused, Err(DispatchError::Refused { .. })),
        "{refused:?}"
    );
    // A result is as large as it is, and its tool has run.
    let call = place
        .signed("echo", json!({"text": "x".repeat(1000), "times": 1100}))
        .await;
    dispatcher.submit(&call).await.unwrap();
    let outcome = dispatcher
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    let Some(DispatchOutcome::CutOff(error)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_content_is_not_there_does_not_run() {
    let Some(place) = Place::new().await else {
        return;
    };
    let dispatcher = place.dispatcher().contents(Arc::new(MemoryContents::new()));
    let call = place
        .signed("echo", json!({"text": "x".repeat(300_000)}))
        .await;
    dispatcher.submit(&call).await.unwrap();
    // Another store, which has not the content.
    work(&place, Some(Arc::new(MemoryContents::new())));
    let outcome = dispatcher
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    assert!(
        matches!(outcome, Some(DispatchOutcome::NotRun(_))),
        "{outcome:?}"
    );
}
