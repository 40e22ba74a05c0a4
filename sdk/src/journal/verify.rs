//! Whether a journal is what was written, and one hash for a run.

use std::collections::HashMap;

use super::{JournalError, JournalRecords, RecordKind};
use crate::event::EventLog;
use crate::hash::ContentHash;
use crate::id::InvocationId;

/// What [`verify`] found of a journal that is what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// How many records there are.
    pub records: u64,
    /// The hash of the last one; `None` of an empty log.
    pub head: Option<ContentHash>,
    /// One hash for the run: over the request and the response hash of each call, in the order of the
    /// requests, without times, ids and places.
    pub run_hash: ContentHash,
}

/// Reads a journal to its end, and checks each line against the chain of hashes.
///
/// That lines are missing at the end, or that somebody has written the whole journal anew, does not show by
/// itself: for that, [`Verified::head`] is compared with what was noted elsewhere.
///
/// # Errors
///
/// [`JournalError::Broken`] with the first line that is not what was written; also when the log cannot be
/// read.
pub fn verify(log: &dyn EventLog) -> Result<Verified, JournalError> {
    let mut records = JournalRecords::of(log)?;
    let mut run = RunHasher::default();
    for record in records.by_ref() {
        run.add(&record?.kind);
    }
    Ok(Verified {
        records: records.read(),
        head: records.head(),
        run_hash: run.finish(),
    })
}

/// The hash of a run.
#[derive(Debug, Default)]
pub(crate) struct RunHasher {
    calls: Vec<(ContentHash, Option<ContentHash>)>,
    open: HashMap<InvocationId, usize>,
}

impl RunHasher {
    pub(crate) fn add(&mut self, kind: &RecordKind) {
        match kind {
            RecordKind::Requested(requested) => {
                self.open.insert(requested.invocation, self.calls.len());
                self.calls.push((requested.input.request_hash, None));
            }
            RecordKind::Responded(responded) => {
                let at = self.open.remove(&responded.invocation);
                if let Some(call) = at.and_then(|at| self.calls.get_mut(at)) {
                    *call = (responded.request_hash, Some(responded.response_hash));
                }
            }
            _ => {}
        }
    }

    /// Adds a call, after all that were requested before it.
    pub(crate) fn push(&mut self, request: ContentHash, response: Option<ContentHash>) {
        self.calls.push((request, response));
    }

    pub(crate) fn finish(self) -> ContentHash {
        let mut hasher = blake3::Hasher::new();
        for (request, response) in self.calls {
            hasher.update(request.as_bytes());
            // A call that has not ended has none.
            hasher.update(
                response
                    .as_ref()
                    .map_or(&[0; 32], ContentHash::as_bytes)
                    .as_slice(),
            );
        }
        ContentHash::from_blake3(hasher.finalize())
    }
}
