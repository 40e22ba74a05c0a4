//! The check of a journal, and one hash for a run.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use toolwright::content::ContentHash;
use toolwright::id::{InvocationId, SessionId};

use crate::error::JournalError;
use crate::log::JournalLog;
use crate::read::JournalRecords;
use crate::record::{RecordKind, Request};

/// The findings of [`verify`] in a journal that was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// The number of records.
    pub records: u64,
    /// The hash of the last one; `None` of an empty log.
    pub head: Option<ContentHash>,
    /// The hash of the run: over the request and the response hash of each call, without times and ids.
    /// The calls are in the order in which they were made: session by session as they came, and what a tool
    /// calls after the call of that tool.
    pub run_hash: ContentHash,
}

/// Reads a journal to its end, and checks each line against the chain of hashes.
///
/// A journal without its last lines, or one that somebody has written anew as a whole, passes: to find that, compare
/// [`Verified::head`] with a head that was noted elsewhere.
///
/// # Errors
///
/// [`JournalError::Broken`] with the first line that is not what was written; also when the log cannot be
/// read.
pub fn verify(log: &dyn JournalLog) -> Result<Verified, JournalError> {
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

/// The hash of a run: over its calls in the order in which they were made. Their requests may stand in
/// another, where calls run side by side.
#[derive(Debug, Default)]
pub(crate) struct RunHasher {
    calls: Vec<Call>,
    open: HashMap<InvocationId, usize>,
    /// The requests of calls that are not recorded.
    others: Vec<ContentHash>,
}

#[derive(Debug)]
struct Call {
    session: SessionId,
    invocation: InvocationId,
    parent: Option<InvocationId>,
    request: ContentHash,
    response: Option<ContentHash>,
}

impl RunHasher {
    pub(crate) fn add(&mut self, kind: &RecordKind) {
        match kind {
            RecordKind::Requested(requested) => {
                self.open.insert(requested.invocation, self.calls.len());
                self.push(requested, requested.input.request_hash, None);
            }
            RecordKind::Responded(responded) => {
                let at = self.open.remove(&responded.invocation);
                if let Some(call) = at.and_then(|at| self.calls.get_mut(at)) {
                    call.request = responded.request_hash;
                    call.response = Some(responded.response_hash);
                }
            }
            _ => {}
        }
    }

    /// Adds a call that was recorded, with the hashes that it has had.
    pub(crate) fn push(
        &mut self,
        requested: &Request,
        request: ContentHash,
        response: Option<ContentHash>,
    ) {
        self.calls.push(Call {
            session: requested.session.clone(),
            invocation: requested.invocation,
            parent: requested.parent,
            request,
            response,
        });
    }

    /// Adds a call that was not recorded: such ones stand at the end.
    pub(crate) fn push_other(&mut self, request: ContentHash) {
        self.others.push(request);
    }

    pub(crate) fn finish(self) -> ContentHash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |request: ContentHash, response: Option<ContentHash>| {
            hasher.update(request.as_bytes());
            // A call that has not ended has none.
            let response = response.map_or([0; 32], |response| *response.as_bytes());
            hasher.update(&response);
        };
        for call in self.in_order() {
            add(call.request, call.response);
        }
        for request in &self.others {
            add(*request, None);
        }
        ContentHash::from_bytes(hasher.finalize().into())
    }

    /// Session by session, as they came; in each by the ids of the calls, which rise, and the calls that a
    /// tool made after the call of that tool.
    fn in_order(&self) -> Vec<&Call> {
        let mut sessions = HashMap::new();
        for call in &self.calls {
            let next = sessions.len();
            sessions.entry(&call.session).or_insert(next);
        }
        let known: HashSet<_> = self.calls.iter().map(|call| call.invocation).collect();
        let mut made: HashMap<_, Vec<&Call>> = HashMap::new();
        for call in &self.calls {
            let parent = call.parent.filter(|parent| known.contains(parent));
            made.entry(parent).or_default().push(call);
        }
        for calls in made.values_mut() {
            // The last first, as they are taken from the end.
            calls.sort_by_key(|call| Reverse((sessions.get(&call.session), call.invocation)));
        }
        let mut left = made.remove(&None).unwrap_or_default();
        let mut calls = Vec::with_capacity(self.calls.len());
        while let Some(call) = left.pop() {
            calls.push(call);
            left.extend(made.remove(&Some(call.invocation)).unwrap_or_default());
        }
        calls
    }
}
