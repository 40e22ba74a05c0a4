//! The server is killed and comes back: `scripts/services --only temporal cargo test -p toolwright-temporal --test server`.
//! A program of its own, because the server is that of all tests.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails at the first fault"
)]

#[path = "../temporal/support.rs"]
#[allow(dead_code, reason = "it is for the other test program too")]
mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use support::{HEARTBEAT_TIMEOUT, Place};
use tokio::sync::{Mutex, MutexGuard};
use toolwright::ToolError;
use toolwright::content::ErrorKind;
use toolwright::dispatch::{DispatchError, DispatchOutcome, Dispatcher as _};

/// The server, for one test at a time.
struct Server {
    control: String,
    _alone: MutexGuard<'static, ()>,
}

impl Server {
    async fn new() -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::const_new(());
        support::address()?;
        let control = std::env::var("SERVICES_TEMPORAL_CTL");
        let is_required =
            std::env::var("TOOLWRIGHT_SERVICES").is_ok_and(|value| value == "required");
        assert!(
            control.is_ok() || !is_required,
            "a server that can be killed is required"
        );
        if control.is_err() {
            eprintln!("SKIPPED: `scripts/services` says how to kill the server");
        }
        let control = control.ok()?;
        Some(Self {
            control,
            _alone: ALONE.lock().await,
        })
    }

    fn run(&self, what: &str) {
        let mut command = Command::new(&self.control);
        command.arg(what).stdout(Stdio::null());
        assert!(command.status().unwrap().success(), "{what}");
    }

    /// As `kill -9` and a start do, with a time between.
    async fn crash(&self, down: Duration) {
        self.run("kill");
        tokio::time::sleep(down).await;
        self.run("start");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_runs_outlives_the_server() {
    let Some(server) = Server::new().await else {
        return;
    };
    let place = Place::new().await.unwrap();
    let _worker = place.worker();
    // A server that is back within the heartbeat timeout has lost nothing.
    let executor = place.executor(
        place
            .dispatcher()
            .heartbeat_timeout(Duration::from_secs(20)),
    );
    let crash = async {
        place.wait_for_notes(1).await;
        server.crash(Duration::from_secs(1)).await;
    };
    let (outcome, ()) = tokio::join!(executor.call("note.once", r#"{"ms": 4000}"#), crash);
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(place.noted().len(), 2, "{:?}", place.noted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_ends_while_the_server_is_away() {
    let Some(server) = Server::new().await else {
        return;
    };
    let place = Place::new().await.unwrap();
    let _worker = place.worker();
    let executor = place.executor(
        place
            .dispatcher()
            .heartbeat_timeout(Duration::from_secs(20)),
    );
    let crash = async {
        place.wait_for_notes(1).await;
        server.run("kill");
        place.wait_for_notes(2).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        server.run("start");
    };
    let (outcome, ()) = tokio::join!(executor.call("note.once", r#"{"ms": 1000}"#), crash);
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(place.noted().len(), 2, "{:?}", place.noted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_waits_outlives_the_server() {
    let Some(server) = Server::new().await else {
        return;
    };
    let place = Place::new().await.unwrap();
    let executor = place.executor(place.dispatcher());
    let crash = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.crash(Duration::from_secs(1)).await;
        place.worker()
    };
    let (outcome, _worker) = tokio::join!(executor.call("note.once", "{}"), crash);
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(place.noted().len(), 2, "{:?}", place.noted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_waits_for_the_server() {
    let Some(server) = Server::new().await else {
        return;
    };
    let place = Place::new().await.unwrap();
    let _worker = place.worker();
    let dispatcher = place.dispatcher();
    let executor = place.executor(dispatcher.clone());
    let first = executor.call("note.once", "{}").await;
    assert!(first.is_success(), "{first:?}");
    let call = place.signed("note.once", json!({})).await;
    server.run("kill");
    let away = async {
        // At once: each tries for ten seconds.
        let (submitted, outcome, cancelled) = tokio::join!(
            dispatcher.submit(&call),
            dispatcher.outcome(call.invocation(), Duration::from_secs(30)),
            dispatcher.cancel(call.invocation()),
        );
        let error = submitted.unwrap_err();
        let DispatchError::Unavailable(source) = &error else {
            panic!("{error:?}");
        };
        assert!(std::error::Error::source(source).is_some(), "{source:?}");
        let error = outcome.unwrap_err();
        assert!(matches!(error, DispatchError::Unavailable(_)), "{error:?}");
        let error = cancelled.unwrap_err();
        assert!(matches!(error, DispatchError::Unavailable(_)), "{error:?}");
        server.run("start");
    };
    let (outcome, ()) = tokio::join!(executor.call("note.once", "{}"), away);
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(place.noted().len(), 4, "{:?}", place.noted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_away_for_long_gives_up_what_runs_or_lets_it_end() {
    let Some(server) = Server::new().await else {
        return;
    };
    let place = Place::new().await.unwrap();
    let _worker = place.worker();
    let dispatcher = place.dispatcher();
    let executor = place.executor(dispatcher.clone());
    let once = place.signed("note.once", json!({"ms": 25_000})).await;
    dispatcher.submit(&once).await.unwrap();
    place.wait_for_notes(1).await;
    let crash = async {
        place.wait_for_notes(2).await;
        server.crash(HEARTBEAT_TIMEOUT * 4).await;
    };
    let (again, ()) = tokio::join!(executor.call("note.again", r#"{"ms": 15000}"#), crash);
    let outcome = dispatcher
        .outcome(once.invocation(), support::PATIENCE)
        .await
        .unwrap();
    let id = once.invocation().to_string();
    let notes = place.noted();
    let of_once: Vec<_> = notes
        .iter()
        .filter(|note| note.key == id)
        .map(|note| note.what.as_str())
        .collect();
    match outcome {
        // A server that hears a sign of life before it looks at its timers has given nothing up. A body that was told to
        // end, since its worker has heard that the server gave it up, says so.
        Some(DispatchOutcome::Ended(result)) => {
            let (end, kind) = if result.is_success() {
                ("end", None)
            } else {
                ("cancelled", Some(ErrorKind::Cancelled))
            };
            assert_eq!(of_once, ["begin", end], "{notes:?}");
            assert_eq!(result.error().map(ToolError::kind), kind);
        }
        outcome => {
            assert!(
                matches!(outcome, Some(DispatchOutcome::CutOff(_))),
                "{outcome:?}"
            );
            let begun = of_once.iter().filter(|what| **what == "begin");
            assert_eq!(begun.count(), 1, "{notes:?}");
        }
    }
    assert!(again.is_success(), "{again:?}");
}
