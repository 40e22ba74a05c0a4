//! Cancellation, pools without workers, and calls that are not what they were signed as.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use temporalio_client::{
    Client, ClientOptions, Connection, ConnectionOptions, WorkflowGetResultOptions,
    WorkflowStartOptions,
};
use temporalio_common::UntypedWorkflow;
use temporalio_common::data_converters::{PayloadConverter, RawValue};
use toolwright::content::ErrorKind;
use toolwright::dispatch::{
    DispatchError, DispatchOutcome, DispatchedCall, Dispatcher as _, Submission,
};
use toolwright_temporal::{TemporalServer, TemporalWorker};

use crate::support::{self, PATIENCE, Place};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_reaches_a_body() {
    let Some(place) = Place::new().await else {
        return;
    };
    let _worker = place.worker();
    let executor = place.executor(place.dispatcher());
    for tool in ["note.again", "note.once"] {
        let before = place.noted().len();
        let call = executor.clone();
        let call = tokio::spawn(async move { call.call(tool, r#"{"ms": 50000}"#).await });
        place.wait_for_notes(before + 1).await;
        // Whoever waited for the call goes away.
        call.abort();
        let cancelled = Instant::now();
        let notes = place.wait_for_notes(before + 2).await;
        assert_eq!(notes[before + 1].what, "cancelled");
        eprintln!("{tool}: cancelled after {:?}", cancelled.elapsed());
        // Not once more.
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(place.noted().len(), before + 2, "{:?}", place.noted());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_that_nobody_took_does_not_run() {
    let Some(place) = Place::new().await else {
        return;
    };
    let dispatcher = place.dispatcher();
    let call = place.signed("note.once", json!({})).await;
    dispatcher.submit(&call).await.unwrap();
    dispatcher.cancel(call.invocation()).await.unwrap();
    let _worker = place.worker();
    let outcome = dispatcher
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    let Some(DispatchOutcome::NotRun(error)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(place.noted(), []);
    // The call has ended, which a cancellation does not change.
    dispatcher.cancel(call.invocation()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_no_worker_takes_says_so_before_its_time_is_over() {
    let Some(place) = Place::new().await else {
        return;
    };
    let executor = place.executor(place.dispatcher());
    let outcome = executor.call("note.brief", "{}").await;
    let error = outcome.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Unavailable, "no_worker"),
        "{error:?}"
    );
    // Nor afterwards.
    let _worker = place.worker();
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(place.noted(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_gives_up_a_call_that_nobody_takes_and_nobody_waits_for() {
    let Some(place) = Place::new().await else {
        return;
    };
    let dispatcher = place.dispatcher();
    let call = place.signed("note.brief", json!({})).await;
    dispatcher.submit(&call).await.unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    // Its time is over, and the server has it still.
    let _worker = place.worker();
    let outcome = dispatcher
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    assert!(
        matches!(outcome, Some(DispatchOutcome::NotRun(_))),
        "{outcome:?}"
    );
    assert_eq!(place.noted(), []);
    // A call that the server has had is done, however late it is asked; any other call is too late.
    assert_eq!(dispatcher.submit(&call).await.unwrap(), Submission::Done);
    let late = place.signed("note.brief", json!({})).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let late = dispatcher.submit(&late).await;
    assert!(
        matches!(late, Err(DispatchError::Refused { .. })),
        "{late:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_waits_for_a_worker() {
    let Some(place) = Place::new().await else {
        return;
    };
    let executor = place.executor(place.dispatcher());
    let worker = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        place.worker()
    };
    let (outcome, _worker) = tokio::join!(executor.call("note.once", "{}"), worker);
    assert!(outcome.is_success(), "{outcome:?}");
}

/// A call with something else in it.
fn forged(call: &DispatchedCall, pointer: &str, value: Value) -> DispatchedCall {
    let mut json = serde_json::to_value(call).unwrap();
    *json.pointer_mut(pointer).unwrap() = value;
    serde_json::from_value(json).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_was_changed_does_not_run() {
    let Some(place) = Place::new().await else {
        return;
    };
    place.work(place.host());
    let dispatcher = place.dispatcher();
    for (pointer, value) in [
        ("/claims/arguments", json!(r#"{"ms": 1}"#)),
        ("/claims/tool", json!("note.again")),
        ("/claims/definition/effect", json!("idempotent")),
        ("/claims/session", json!("another")),
        ("/claims/deadline/secs_since_epoch", json!(9_999_999_999u64)),
    ] {
        let call = place.signed("note.once", json!({})).await;
        let forged = forged(&call, pointer, value);
        dispatcher.submit(&forged).await.unwrap();
        let outcome = dispatcher
            .outcome(forged.invocation(), PATIENCE)
            .await
            .unwrap();
        let Some(DispatchOutcome::NotRun(error)) = outcome else {
            panic!("{pointer}: {outcome:?}");
        };
        assert_eq!(error.kind(), ErrorKind::Unavailable);
    }
    assert_eq!(place.noted(), []);
}

/// Starts a workflow as anybody can who has the server, and waits for its end.
async fn started_by_hand(place: &Place, id: &str, input: &Value) -> Value {
    let address = support::address().unwrap();
    let options = ConnectionOptions::new(
        format!("http://{address}")
            .parse::<temporalio_client::Url>()
            .unwrap(),
    );
    let connection = Connection::connect(options.build()).await.unwrap();
    let client = Client::new(connection, ClientOptions::new("default").build()).unwrap();
    let converter = PayloadConverter::default();
    let options = WorkflowStartOptions::new(place.pool.clone(), id).build();
    let input = RawValue::from_value(input, &converter);
    let workflow = UntypedWorkflow::new("toolwright.call");
    let handle = client
        .start_workflow(workflow, input, options)
        .await
        .unwrap();
    let ended = tokio::time::timeout(
        PATIENCE,
        handle.get_result(WorkflowGetResultOptions::default()),
    )
    .await;
    ended.unwrap().unwrap().to_value(&converter)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_the_server_cannot_run_a_call_twice() {
    let Some(place) = Place::new().await else {
        return;
    };
    place.work(place.host());
    let call = place.signed("note.once", json!({})).await;
    let dispatcher = place.dispatcher();
    dispatcher.submit(&call).await.unwrap();
    dispatcher
        .outcome(call.invocation(), PATIENCE)
        .await
        .unwrap();
    assert_eq!(place.noted().len(), 2);
    let input = |call: Value| {
        json!({
            "call": {"inline": call}, "deadline": null, "timeout": null, "attempts": 5,
            "heartbeat_timeout": {"secs": 2, "nanos": 0},
        })
    };
    let signed = serde_json::to_value(&call).unwrap();
    let again = format!("{}-again", place.pool);
    let ended = started_by_hand(&place, &again, &input(signed)).await;
    assert!(ended.pointer("/told/inline/not_run").is_some(), "{ended}");
    // Nor does anything else that is no call.
    let nonsense = format!("{}-nonsense", place.pool);
    let ended = started_by_hand(&place, &nonsense, &input(json!({"tool": "note.once"}))).await;
    assert!(ended.pointer("/told/inline/not_run").is_some(), "{ended}");
    assert_eq!(place.noted().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_there_is_unavailable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = TemporalServer::new(address).connect().await.unwrap_err();
    let DispatchError::Unavailable(source) = &error else {
        panic!("{error:?}");
    };
    assert!(std::error::Error::source(source).is_some() || !source.to_string().is_empty());
    let error = TemporalServer::new("no address at all")
        .connect()
        .await
        .unwrap_err();
    assert!(matches!(error, DispatchError::Unavailable(_)), "{error:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_without_a_pool_or_a_namespace_says_so() {
    let Some(place) = Place::new().await else {
        return;
    };
    let worker = TemporalWorker::new(&place.client, place.host()).pools([""; 0]);
    worker.run().await.unwrap_err();
    let server = TemporalServer::new(support::address().unwrap()).namespace("nobody-made-this");
    let client = server.connect().await.unwrap();
    let worker = TemporalWorker::new(&client, place.host()).pools([&place.pool]);
    let ended = tokio::time::timeout(PATIENCE, worker.run()).await.unwrap();
    assert_eq!(ended.unwrap_err().pool, place.pool);
}
