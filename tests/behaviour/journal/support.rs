//! Helpers that the tests of the journal share.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use toolwright::content::ContentHash;
use toolwright::id::InvocationId;
use toolwright::permission::AllowAll;
use toolwright::ticket::StoreError;
use toolwright::{Executor, ExecutorBuilder, ToolRegistry};
use toolwright_journal::{
    Journal, JournalLog, JournalRecords, LogError, LogLine, LogLines, MemoryLog, RecordKind,
    record, verify,
};

/// An executor with a journal in memory.
pub(super) fn recorded(tools: ToolRegistry) -> (ExecutorBuilder, MemoryLog) {
    let log = MemoryLog::new();
    let (journal, _) = Journal::open(log.clone()).unwrap();
    let builder = Executor::builder(tools)
        .permission_checker(AllowAll)
        .call_recorder(journal);
    (builder, log)
}

/// The records of a log, after it was verified.
pub(super) fn kinds(log: &dyn JournalLog) -> Vec<RecordKind> {
    verify(log).unwrap();
    let records = JournalRecords::of(log).unwrap();
    records.map(|record| record.unwrap().kind).collect()
}

pub(super) fn requests(log: &dyn JournalLog) -> Vec<record::Request> {
    let of = |kind| match kind {
        RecordKind::Requested(requested) => Some(*requested),
        _ => None,
    };
    kinds(log).into_iter().filter_map(of).collect()
}

pub(super) fn responses(log: &dyn JournalLog) -> Vec<record::Response> {
    let of = |kind| match kind {
        RecordKind::Responded(responded) => Some(*responded),
        _ => None,
    };
    kinds(log).into_iter().filter_map(of).collect()
}

pub(super) fn response_of(log: &dyn JournalLog, call: InvocationId) -> record::Response {
    let mut of = responses(log);
    of.retain(|responded| responded.invocation == call);
    assert_eq!(of.len(), 1, "a call has one response");
    of.remove(0)
}

/// The records of a log, in short words.
pub(super) fn words(log: &dyn JournalLog) -> Vec<&'static str> {
    let word = |kind: &RecordKind| match kind {
        RecordKind::Opened { .. } => "opened",
        RecordKind::Requested(_) => "requested",
        RecordKind::Suspended(_) => "suspended",
        RecordKind::Resumed(_) => "resumed",
        RecordKind::Responded(_) => "responded",
        _ => "?",
    };
    kinds(log).iter().map(word).collect()
}

/// The fault of a log at the next lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It says that it has written nothing, and has not.
    Unwritten,
    /// It does not know what it has written.
    Unknown,
    /// Somebody else was there.
    Conflict,
    Panics,
    /// The lines were added, but not made durable.
    Unsynced,
}

/// A log in memory that fails when it is told to.
#[derive(Clone, Default)]
pub(super) struct FailingLog {
    pub(super) log: MemoryLog,
    /// After how many appends, and how.
    fault: Arc<Mutex<Option<(u32, Fault)>>>,
    pub(super) appends: Arc<AtomicU32>,
    pub(super) syncs: Arc<AtomicU32>,
}

impl FailingLog {
    /// The append after so many more fails, once.
    pub(super) fn fail_after(&self, appends: u32, fault: Fault) {
        *self.fault.lock().unwrap() = Some((appends, fault));
    }

    fn due(&self) -> Option<Fault> {
        let mut fault = self.fault.lock().unwrap();
        match fault.as_mut() {
            Some((0, _)) => fault.take().map(|(_, fault)| fault),
            Some((left, _)) => {
                *left -= 1;
                None
            }
            None => None,
        }
    }
}

impl JournalLog for FailingLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        self.log.head()
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        self.appends.fetch_add(1, Ordering::SeqCst);
        let full = || StoreError::new("no space left on device");
        match self.due() {
            Some(Fault::Unwritten) => return Err(LogError::Unwritten(full())),
            Some(Fault::Unknown) => return Err(LogError::Unknown(full())),
            Some(Fault::Conflict) => return Err(LogError::Conflict),
            Some(Fault::Panics) => panic!("the log is broken"),
            Some(Fault::Unsynced) => *self.fault.lock().unwrap() = Some((0, Fault::Unsynced)),
            None => {}
        }
        self.log.append(head, lines)
    }

    fn sync(&self) -> Result<(), LogError> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        match self.due() {
            Some(_) => Err(LogError::Unknown(StoreError::new("input/output error"))),
            None => Ok(()),
        }
    }

    fn read(&self) -> Result<LogLines, LogError> {
        self.log.read()
    }
}
