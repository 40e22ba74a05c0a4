//! Calls that wait for people, in this process and in another.

use std::sync::Arc;

use serde_json::json;
use toolwright::content::ResultSource;
use toolwright::executor::{Approvals, WaitMode};
use toolwright::outcome::Suspension;
use toolwright::ticket::{Answer, MemoryTickets, TicketFilter, TicketKey};
use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry};
use toolwright_journal::{Journal, MemoryLog, RecordKind};

use super::support::{FailingLog, Fault, kinds, requests, response_of, responses, words};
use crate::waiting_support::{Asks, Deploy, Doors, Runs};

struct Process {
    executor: Executor,
    runs: Arc<Runs>,
    log: MemoryLog,
}

/// A process of its own, with a journal of its own unless one is given.
fn process(tickets: &MemoryTickets, log: Option<&MemoryLog>) -> Process {
    let log = log.cloned().unwrap_or_default();
    let (journal, _) = Journal::open(log.clone()).unwrap();
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy).with(Doors))
        .resource(Arc::clone(&runs))
        .permission_checker(Asks)
        .approvals(
            Approvals::new()
                .waiting(WaitMode::Suspending)
                .ticket_store(tickets.clone())
                .ticket_key(TicketKey::from_bytes([7; 32])),
        )
        .call_recorder(journal)
        .build()
        .unwrap();
    Process {
        executor,
        runs,
        log,
    }
}

async fn suspended(process: &Process, tool: &str, arguments: &str) -> Suspension {
    let session = process.executor.session("s");
    match session.call(ToolCall::new(tool, arguments)).await {
        ToolOutcome::Suspended(suspension) => suspension,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_call_that_waits_and_goes_on_has_one_request_and_one_response() {
    let process = process(&MemoryTickets::new(), None);
    let waits = suspended(&process, "deploy", r#"{"place": "test"}"#).await;
    assert_eq!(words(&process.log), ["opened", "requested", "suspended"]);
    let (_, recovery) = Journal::open(process.log.clone()).unwrap();
    assert_eq!(recovery.unfinished[0].waits, Some(waits.id()));
    assert!(!recovery.unfinished[0].is_indeterminate());

    let session = process.executor.session("s");
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert!(outcome.is_success());
    assert_eq!(
        words(&process.log),
        ["opened", "requested", "suspended", "resumed", "responded"]
    );
    let request = requests(&process.log).remove(0);
    let response = response_of(&process.log, request.invocation);
    assert_eq!(response.request_hash, request.input.request_hash);
    assert!(response.attended);
}

#[tokio::test]
async fn a_call_that_goes_on_in_another_process_is_whole_in_the_journal_of_that() {
    let tickets = MemoryTickets::new();
    let (one, other) = (process(&tickets, None), process(&tickets, None));
    let waits = suspended(&one, "deploy", r#"{"place": "test", "token": "hunter2"}"#).await;
    let session = other.executor.session("s");
    let outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(other.runs.count(), 1);
    assert_eq!(words(&one.log), ["opened", "requested", "suspended"]);
    assert_eq!(words(&other.log), ["opened", "requested", "responded"]);
    let request = requests(&other.log).remove(0);
    assert_eq!(request.resumes, Some(waits.id()));
    assert_eq!(request.invocation, requests(&one.log)[0].invocation);
    assert_eq!(request.invocation, outcome.result().invocation_id());
    assert_eq!(request.resumes, Some(waits.id()));
    assert!(!one.log.to_text().contains("hunter2"));

    // After a restart it is the same journal, which knows that the call waits.
    let waits = suspended(&one, "deploy", r#"{"place": "two"}"#).await;
    let Process { executor, log, .. } = one;
    drop(executor);
    let again = process(&tickets, Some(&log));
    let session = again.executor.session("s");
    session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    assert_eq!(
        words(&log)[3..],
        ["requested", "suspended", "resumed", "responded"]
    );
}

#[tokio::test]
async fn arguments_that_a_person_gives_are_recorded_as_they_run() {
    let process = process(&MemoryTickets::new(), None);
    let waits = suspended(&process, "deploy", r#"{"place": "live"}"#).await;
    let session = process.executor.session("s");
    let answer = Answer::edited(json!({"place": "test"}));
    let outcome = session.resume(waits.ticket(), answer).await.unwrap();
    assert!(outcome.text().contains("deployed to test"));
    let kinds = kinds(&process.log);
    let resumed = kinds.iter().find_map(|kind| match kind {
        RecordKind::Resumed(resumed) => Some(resumed),
        _ => None,
    });
    let input = &resumed.unwrap().input;
    assert_eq!(input.arguments.as_str(), r#"{"place":"test"}"#);
    assert!(input.changed);
    let response = responses(&process.log).remove(0);
    assert_eq!(response.request_hash, input.request_hash);
    assert_ne!(
        response.request_hash,
        requests(&process.log)[0].input.request_hash
    );
    assert!(!response.remarks.is_empty());
}

#[tokio::test]
async fn a_no_and_a_body_that_asks_twice_are_recorded_to_their_end() {
    let process = process(&MemoryTickets::new(), None);
    let waits = suspended(&process, "deploy", r#"{"place": "live"}"#).await;
    let session = process.executor.session("s");
    let denied = session.resume(waits.ticket(), Answer::no()).await.unwrap();
    assert!(denied.result().is_error());
    let response = responses(&process.log).remove(0);
    assert_eq!(response.source, ResultSource::Executor);
    assert_eq!(process.runs.count(), 0);

    let mut outcome = session
        .call(ToolCall::new("doors", r#"{"names": ["a", "b"]}"#))
        .await;
    while let ToolOutcome::Suspended(waits) = &outcome {
        outcome = session.resume(waits.ticket(), Answer::yes()).await.unwrap();
    }
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(
        words(&process.log)[5..],
        [
            "requested",
            "suspended",
            "resumed",
            "suspended",
            "resumed",
            "responded"
        ]
    );
}

#[tokio::test]
async fn a_call_whose_waiting_cannot_be_recorded_does_not_wait() {
    let log = FailingLog::default();
    let (journal, _) = Journal::open(log.clone()).unwrap();
    let runs = Arc::new(Runs::default());
    let executor = Executor::builder(ToolRegistry::new().with(Deploy))
        .resource(Arc::clone(&runs))
        .approvals(WaitMode::Suspending)
        .call_recorder(journal)
        .build()
        .unwrap();
    log.fail_after(0, Fault::Unwritten);
    let session = executor.session("s");
    let outcome = session
        .call(ToolCall::new("deploy", r#"{"place": "test"}"#))
        .await;
    assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
    assert_eq!(outcome.error().unwrap().code(), "journal_unavailable");
    assert_eq!(runs.count(), 0);
    let waiting = executor.tickets().list(&TicketFilter::all()).await;
    assert!(waiting.unwrap().is_empty());
}
