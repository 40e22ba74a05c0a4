//! A journal that cannot be written fails calls, and never runs what it must not run.

use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Waker};

use toolwright::content::{ContentHash, ErrorKind};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolCall, ToolOutcome, ToolRegistry, tool};
use toolwright_journal::{
    Durability, FileLog, Journal, JournalError, JournalLog, LogError, LogLine, LogLines, MemoryLog,
    verify,
};

use super::support::{FailingLog, Fault, requests, responses, words};
use crate::waiting_support::Runs;

/// Do something.
#[tool(register = false)]
async fn act(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "done"
}

/// Look at something.
#[tool(register = false, read_only)]
async fn look(runs: &Arc<Runs>) -> &'static str {
    runs.add();
    "seen"
}

fn executor(log: &FailingLog, durability: Durability) -> (Executor, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let (journal, _) = Journal::builder(log.clone())
        .durability(durability)
        .open()
        .unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Act).with(Look))
        .permission_checker(AllowAll)
        .resource(Arc::clone(&runs))
        .call_recorder(journal)
        .build()
        .unwrap();
    (executor, runs)
}

#[track_caller]
fn unavailable(outcome: &ToolOutcome) {
    assert!(matches!(outcome, ToolOutcome::Failed(_)), "{outcome:?}");
    let error = outcome.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!(error.code(), "journal_unavailable");
    // The model reads no detail of it, the log does.
    assert!(!outcome.text().contains("space"), "{}", outcome.text());
    let mut source = std::error::Error::source(error);
    let mut chain = String::new();
    while let Some(error) = source {
        chain.push_str(&error.to_string());
        source = error.source();
    }
    assert!(!chain.is_empty());
    assert_eq!(
        outcome.result().response_hash().is_some(),
        outcome.result().is_normalized()
    );
}

#[tokio::test]
async fn what_cannot_be_requested_does_not_run_and_a_log_that_failed_once_goes_on() {
    for tool in ["act", "look"] {
        let log = FailingLog::default();
        let (executor, runs) = executor(&log, Durability::Flushed);
        log.fail_after(0, Fault::Unwritten);
        unavailable(&executor.call(tool, "{}").await);
        assert_eq!(runs.count(), 0, "{tool}");
        // The log works again: it has the call and how it ended.
        let response = responses(&log).remove(0);
        assert_eq!(response.error.unwrap().code(), "journal_unavailable");
        assert!(executor.call(tool, "{}").await.is_success());
        assert_eq!((requests(&log).len(), responses(&log).len()), (2, 2));
    }
}

#[tokio::test]
async fn a_result_that_cannot_be_recorded_is_withheld_and_the_model_knows_that_the_tool_ran() {
    let log = FailingLog::default();
    let (executor, runs) = executor(&log, Durability::Flushed);
    log.fail_after(1, Fault::Unwritten);
    let outcome = executor.call("act", "{}").await;
    unavailable(&outcome);
    assert_eq!(runs.count(), 1);
    assert!(!outcome.text().contains("done"));
    assert!(
        outcome.text().contains("the tool has run"),
        "{}",
        outcome.text()
    );
    assert!(!outcome.error().unwrap().is_retryable());
    assert_eq!(words(&log), ["opened", "requested", "responded"]);
    assert!(executor.call("act", "{}").await.is_success());
    verify(&log).unwrap();
}

#[tokio::test]
async fn after_a_fault_that_leaves_the_log_unknown_nothing_runs_until_it_is_opened_anew() {
    for durability in [Durability::Flushed, Durability::Synced] {
        for fault in [
            Fault::Unknown,
            Fault::Conflict,
            Fault::Panics,
            Fault::Unsynced,
        ] {
            if (durability, fault) == (Durability::Flushed, Fault::Unsynced) {
                continue;
            }
            let log = FailingLog::default();
            let (executor, runs) = executor(&log, durability);
            log.fail_after(0, fault);
            for _ in 0..3 {
                unavailable(&executor.call("act", "{}").await);
            }
            assert_eq!(runs.count(), 0, "{fault:?}");
            unavailable(&executor.call("look", "{}").await);
            verify(&log).unwrap();
            drop(executor);

            let (executor, runs) = self::executor(&log, durability);
            assert!(executor.call("act", "{}").await.is_success());
            assert_eq!(runs.count(), 1);
            verify(&log).unwrap();
        }
    }
}

#[tokio::test]
async fn a_request_that_was_queued_and_lost_leaves_no_response_without_it() {
    let log = FailingLog::default();
    let (executor, _) = executor(&log, Durability::Synced);
    log.fail_after(0, Fault::Unwritten);
    let outcome = executor.call("look", "{}").await;
    // The body of what may be repeated need not wait for its request.
    assert!(outcome.is_success() || outcome.error().is_some());
    let (requests, responses) = (requests(&log), responses(&log));
    assert_eq!((requests.len(), responses.len()), (1, 1));
    assert_eq!(requests[0].invocation, responses[0].invocation);
}

/// A log whose `sync` waits until it is let go on.
#[derive(Clone, Default)]
struct SlowLog {
    log: MemoryLog,
    held: Arc<(Mutex<bool>, Condvar)>,
    syncs: Arc<AtomicU32>,
}

impl SlowLog {
    fn hold(&self, hold: bool) {
        *self.held.0.lock().unwrap() = hold;
        self.held.1.notify_all();
    }
}

impl JournalLog for SlowLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        self.log.head()
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        self.log.append(head, lines)
    }

    fn sync(&self) -> Result<(), LogError> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        let held = self.held.0.lock().unwrap();
        drop(self.held.1.wait_while(held, |held| *held).unwrap());
        Ok(())
    }

    fn read(&self) -> Result<LogLines, LogError> {
        self.log.read()
    }
}

/// Tell how often the log was synced.
#[tool(register = false)]
async fn syncs(log: &SlowLog) -> u32 {
    log.syncs.load(Ordering::SeqCst)
}

#[tokio::test]
async fn no_at_most_once_body_begins_before_its_request_is_durable_and_many_share_one_sync() {
    let log = SlowLog::default();
    let (journal, _) = Journal::builder(log.clone())
        .durability(Durability::Synced)
        .open()
        .unwrap();
    let executor = Executor::builder(ToolRegistry::new().with(Syncs))
        .permission_checker(AllowAll)
        .resource(log.clone())
        .call_recorder(journal)
        .build()
        .unwrap();
    let session = executor.session("s");
    log.hold(true);
    let call = |_| Box::pin(session.call(ToolCall::new("syncs", "{}")));
    let mut calls: Vec<_> = (0..20).map(call).collect();
    let mut cx = Context::from_waker(Waker::noop());
    for call in &mut calls {
        for _ in 0..10 {
            assert!(
                call.as_mut().poll(&mut cx).is_pending(),
                "its request is not durable"
            );
        }
    }
    log.hold(false);
    for call in calls {
        let outcome = call.await;
        // The log was synced when it was opened, for the first call, and once for all others together.
        let seen: u32 = outcome.text().parse().unwrap();
        assert!(seen >= 2, "{seen}");
    }
    let syncs = log.syncs.load(Ordering::SeqCst);
    assert!(syncs <= 1 + 2 + 20, "{syncs}");
    assert_eq!((requests(&log).len(), responses(&log).len()), (20, 20));
}

#[tokio::test]
async fn one_journal_at_a_time_writes_to_a_file_and_anybody_may_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let log = FileLog::open(&path).unwrap();
    let (journal, _) = Journal::open(log.clone()).unwrap();
    let refused = FileLog::open(&path).unwrap_err();
    assert!(matches!(refused, LogError::Locked { .. }));
    assert!(
        refused.to_string().contains("is open for writing already"),
        "{refused}"
    );
    // Two journals over one log: the second to write finds that it is not alone.
    let (other, _) = Journal::open(log.clone()).unwrap();
    let build = |journal| {
        let builder = Executor::builder(ToolRegistry::new().with(Look)).call_recorder(journal);
        builder.resource(Arc::new(Runs::default())).build().unwrap()
    };
    let (one, two) = (build(journal), build(other));
    assert!(one.call("look", "{}").await.is_success());
    unavailable(&two.call("look", "{}").await);
    assert!(one.call("look", "{}").await.is_success());

    let reader = FileLog::read_only(&path).unwrap();
    assert_eq!(verify(&reader).unwrap().records, 5);
    let refused = Journal::builder(reader).open();
    let (journal, _) = refused.unwrap();
    unavailable(&build(journal).call("look", "{}").await);
    drop((one, two, log));
    FileLog::open(&path).unwrap();
}

#[test]
fn what_is_no_file_is_no_log() {
    let folder = tempfile::tempdir().unwrap();
    assert!(FileLog::open(folder.path()).is_err());
    assert!(FileLog::open(folder.path().join("no/such/folder")).is_err());
    assert!(FileLog::read_only(folder.path().join("none")).is_err());
    #[cfg(target_os = "linux")]
    {
        let refused = FileLog::open("/dev/full").unwrap_err();
        let source = std::error::Error::source(&refused).unwrap();
        assert_eq!(source.to_string(), "it is no plain file");
    }
    let text = folder.path().join("text");
    std::fs::write(&text, "no journal\n").unwrap();
    let refused = Journal::open(FileLog::open(&text).unwrap()).unwrap_err();
    assert!(matches!(refused, JournalError::Broken(broken) if broken.line == 1));
}
