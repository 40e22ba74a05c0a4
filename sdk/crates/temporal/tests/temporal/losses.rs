//! Workers that are killed while they run a call, and workers that are shut down.

use std::time::{Duration, Instant};

use serde_json::json;
use toolwright::content::ErrorKind;
use toolwright::dispatch::{DispatchOutcome, Dispatcher as _};
use toolwright::{CancellationToken, ToolError};
use toolwright_temporal::TemporalWorker;

use crate::support::{PATIENCE, Place, WorkerProcess};

/// Two workers, of which the one that runs the first call is killed.
async fn killed_in(place: &Place) -> [WorkerProcess; 2] {
    let mut workers = [place.worker(), place.worker()];
    let begun = place.wait_for_notes(1).await;
    let runs = workers
        .iter_mut()
        .find(|worker| worker.id() == begun[0].process);
    runs.unwrap().kill();
    workers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_worker_takes_over_a_tool_that_may_be_repeated() {
    let Some(place) = Place::new().await else {
        return;
    };
    let executor = place.executor(place.dispatcher());
    let (outcome, _workers) = tokio::join!(
        executor.call("note.again", r#"{"ms": 1500}"#),
        killed_in(&place)
    );
    let notes = place.noted();
    let whats: Vec<_> = notes.iter().map(|note| note.what.as_str()).collect();
    assert_eq!(whats, ["begin", "begin", "end"]);
    assert_ne!(notes[0].process, notes[1].process);
    assert_eq!(outcome.text(), notes[2].process.to_string());
    let key = outcome.result().invocation_id().to_string();
    assert!(
        notes.iter().all(|note| note.key == key),
        "every attempt has the key of the call"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_runs_once_is_not_taken_over() {
    let Some(place) = Place::new().await else {
        return;
    };
    let executor = place.executor(place.dispatcher());
    let (outcome, _workers) = tokio::join!(
        executor.call("note.once", r#"{"ms": 1500}"#),
        killed_in(&place)
    );
    let kind = outcome.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::Indeterminate), "{outcome:?}");
    // Long enough for another attempt, if there were one.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(place.noted().len(), 1, "one body began, and did not end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispatcher_says_that_a_call_was_cut_off() {
    let Some(place) = Place::new().await else {
        return;
    };
    let dispatcher = place.dispatcher();
    let call = place.signed("note.once", json!({"ms": 1500})).await;
    dispatcher.submit(&call).await.unwrap();
    let _workers = killed_in(&place).await;
    // A process that knows nothing but the id of the call.
    let outcome = place
        .dispatcher()
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    assert!(
        matches!(outcome, Some(DispatchOutcome::CutOff(_))),
        "{outcome:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_submitted_a_call_is_not_needed() {
    let Some(place) = Place::new().await else {
        return;
    };
    let call = place.signed("note.once", json!({"ms": 300})).await;
    {
        let dispatcher = place.dispatcher();
        dispatcher.submit(&call).await.unwrap();
    }
    let _worker = place.worker();
    place.wait_for_notes(2).await;
    let outcome = place
        .dispatcher()
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    let Some(DispatchOutcome::Ended(result)) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(result.is_success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_shut_down_ends_what_it_runs() {
    let Some(place) = Place::new().await else {
        return;
    };
    let token = CancellationToken::new();
    let worker = TemporalWorker::new(&place.client, place.host()).pools([&place.pool]);
    let running = tokio::spawn(worker.shutdown(token.clone()).run());
    let executor = place.executor(place.dispatcher());
    let shut_down = async {
        place.wait_for_notes(1).await;
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(executor.call("note.once", r#"{"ms": 1000}"#), shut_down);
    assert!(outcome.is_success(), "{outcome:?}");
    tokio::time::timeout(PATIENCE, running)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_only_worker_is_killed() {
    let Some(place) = Place::new().await else {
        return;
    };
    let mut worker = place.worker();
    let executor = place.executor(place.dispatcher());
    let killed = async {
        place.wait_for_notes(1).await;
        worker.kill();
        Instant::now()
    };
    let (outcome, killed) = tokio::join!(executor.call("note.once", r#"{"ms": 1500}"#), killed);
    let kind = outcome.error().map(ToolError::kind);
    assert_eq!(kind, Some(ErrorKind::Indeterminate), "{outcome:?}");
    assert!(
        killed.elapsed() < Duration::from_secs(15),
        "{:?}",
        killed.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_longer_than_the_grace_goes_to_another_worker() {
    let Some(place) = Place::new().await else {
        return;
    };
    let token = CancellationToken::new();
    let worker = TemporalWorker::new(&place.client, place.host()).pools([&place.pool]);
    let worker = worker
        .shutdown(token.clone())
        .shutdown_grace(Duration::from_millis(200));
    let running = tokio::spawn(worker.run());
    let executor = place.executor(place.dispatcher());
    let shut_down = async {
        place.wait_for_notes(1).await;
        let other = place.worker();
        token.cancel();
        let began = Instant::now();
        tokio::time::timeout(PATIENCE, running)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{:?}",
            began.elapsed()
        );
        other
    };
    let (outcome, other) = tokio::join!(executor.call("note.again", r#"{"ms": 3000}"#), shut_down);
    assert_eq!(outcome.text(), other.id().to_string());
    let whats: Vec<_> = place.noted().into_iter().map(|note| note.what).collect();
    assert_eq!(whats, ["begin", "cancelled", "begin", "end"]);
}
