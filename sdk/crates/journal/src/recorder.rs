//! The port by which an executor records its calls in a journal.

use std::collections::HashMap;

use toolwright::id::InvocationId;
use toolwright::record::{CallProgress, CallRecorder, CallRecording, CallRequest};
use toolwright::ticket::StoreError;

use crate::journal::Journal;
use crate::record::RecordKind;
use crate::recording::Recording;

impl CallRecorder for Journal {
    fn record(&self, request: CallRequest<'_>) -> Box<dyn CallRecording> {
        Recording::of(self, &request)
    }

    fn progress(&self, calls: &[InvocationId]) -> Result<Vec<CallProgress>, StoreError> {
        let mut seen: HashMap<_, _> = calls.iter().map(|call| (*call, Seen::default())).collect();
        for record in self.records().map_err(StoreError::new)? {
            let kind = record.map_err(StoreError::new)?.kind;
            let call = kind.invocation();
            if let Some(seen) = call.and_then(|call| seen.get_mut(&call)) {
                seen.add(&kind);
            }
        }
        Ok(calls.iter().map(|call| seen[call].progress()).collect())
    }
}

/// The records of a call that tell how far it has come.
///
/// They are counted, because their order does not tell: somebody may answer a ticket, and the call go on, before its
/// suspension is recorded.
#[derive(Debug, Default)]
struct Seen {
    is_known: bool,
    suspended: u32,
    resumed: u32,
    has_ended: bool,
}

impl Seen {
    fn add(&mut self, kind: &RecordKind) {
        self.is_known = true;
        match kind {
            RecordKind::Requested(request) => self.resumed += u32::from(request.resumes.is_some()),
            RecordKind::Resumed(_) => self.resumed += 1,
            RecordKind::Suspended(_) => self.suspended += 1,
            RecordKind::Responded(_) => self.has_ended = true,
            RecordKind::Opened { .. } => {}
        }
    }

    /// A suspension by this journal follows on the first run of the body or on a resumption, so that after a resumption
    /// without one there are at most as many of them as of resumptions.
    fn progress(&self) -> CallProgress {
        if self.has_ended {
            CallProgress::Ended
        } else if self.is_known && self.suspended <= self.resumed {
            CallProgress::Begun
        } else {
            CallProgress::NotBegun
        }
    }
}
