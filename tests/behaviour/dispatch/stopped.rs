//! Calls that are cancelled, dropped or out of time while their body runs elsewhere.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use toolwright::content::ErrorKind;
use toolwright::executor::LocalDispatcher;
use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry, tool};

use super::relay::Relay;
use super::{app, host};
use crate::waiting_support::Runs;

/// Counts the bodies that have begun, and those that are gone.
#[derive(Default)]
struct Bodies {
    begun: Runs,
    gone: Runs,
}

struct Leaving<'b>(&'b Bodies);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.gone.add();
    }
}

/// Train a model.
#[tool(register = false, pool = "gpu")]
async fn train(bodies: &Arc<Bodies>) {
    bodies.begun.add();
    let _leaving = Leaving(bodies);
    pending::<()>().await;
}

/// Train a model for a minute at most.
#[tool(register = false, pool = "gpu", timeout = "1m")]
async fn train_briefly(bodies: &Arc<Bodies>) {
    bodies.begun.add();
    let _leaving = Leaving(bodies);
    pending::<()>().await;
}

struct Setup {
    app: Executor,
    relay: Relay,
    bodies: Arc<Bodies>,
}

fn setup() -> Setup {
    let bodies = Arc::new(Bodies::default());
    let tools = || ToolRegistry::new().with(Train).with(TrainBriefly);
    let shared = Arc::clone(&bodies);
    let host = host(&Arc::default(), tools(), |builder| builder.resource(shared));
    let relay = Relay::new(LocalDispatcher::new(host), []);
    let app = app(relay.clone(), tools(), |builder| builder);
    Setup { app, relay, bodies }
}

/// Waits until so many things have happened.
async fn until(runs: &Runs, count: u32) {
    let reached = async {
        while runs.count() < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let reached = tokio::time::timeout(Duration::from_secs(30), reached).await;
    reached.expect("it happens");
}

fn ended(outcome: &ToolOutcome) -> (ErrorKind, String) {
    (outcome.error().unwrap().kind(), outcome.text())
}

#[tokio::test]
async fn a_cancellation_reaches_the_body() {
    for how in ["task", "turn", "session"] {
        let Setup { app, relay, bodies } = setup();
        let session = app.session("s-1");
        let turn = session.turn();
        let task = turn.spawn(ToolCall::new("train", "{}"));
        until(&bodies.begun, 1).await;
        match how {
            "task" => assert!(session.cancel_call(task.invocation_id())),
            "turn" => turn.cancel(),
            _ => session.cancel(),
        }
        let outcome = task.join().await;
        let text = "the call was cancelled; whether it had an effect is unknown, so check before you repeat it";
        assert_eq!(
            ended(&outcome),
            (ErrorKind::Cancelled, text.to_owned()),
            "{how}"
        );
        until(&bodies.gone, 1).await;
        assert_eq!(relay.cancelled(), relay.submitted());
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled() {
    let Setup { app, relay, bodies } = setup();
    let session = app.session("s-1");
    {
        let call = session.call(ToolCall::new("train", "{}"));
        tokio::select! {
            outcome = call => panic!("{outcome:?}"),
            () = until(&bodies.begun, 1) => {}
        }
    }
    until(&bodies.gone, 1).await;
    assert_eq!(relay.cancelled(), relay.submitted());
    assert_eq!(bodies.begun.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_a_call_ends_it_on_its_host_too() {
    let Setup { app, bodies, .. } = setup();
    let outcome = app.call("train_briefly", "{}").await;
    let text = "the call took longer than its timeout of 60s; whether it had an effect is unknown, so check before you \
                repeat it";
    assert_eq!(ended(&outcome), (ErrorKind::TimedOut, text.to_owned()));
    assert!(!outcome.error().unwrap().is_retryable());
    until(&bodies.gone, 1).await;
    assert_eq!(bodies.begun.count(), 1);
}

/// The executor's own timeout is that of the call, wherever it runs.
#[tokio::test(start_paused = true)]
async fn the_timeout_of_the_app_counts_while_the_dispatcher_cannot_be_reached() {
    let bodies = Arc::new(Bodies::default());
    let shared = Arc::clone(&bodies);
    let tools = || ToolRegistry::new().with(TrainBriefly);
    let host = host(&Arc::default(), tools(), |builder| builder.resource(shared));
    let faults = [super::relay::Fault::NotSubmitted; 1_000];
    let relay = Relay::new(LocalDispatcher::new(host), faults);
    let app = app(relay.clone(), tools(), |builder| builder);
    let outcome = app.call("train_briefly", "{}").await;
    assert_eq!(ended(&outcome).0, ErrorKind::TimedOut);
    assert_eq!(bodies.begun.count(), 0);
    // With pauses that grow, a minute is few attempts.
    let attempts = relay.submitted().len();
    assert!((10..40).contains(&attempts), "{attempts}");
}
