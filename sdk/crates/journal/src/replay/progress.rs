//! The progress of a replay.

use std::collections::HashMap;

use toolwright::content::ContentHash;
use toolwright::id::InvocationId;

use super::Divergence;

/// The way in which a recorded call was replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// Answered from the record, or not at all, as it has not ended there.
    Record,
    /// The record could not answer.
    Unanswered,
    /// It ran again: the hashes of its request and its response.
    Again(ContentHash, ContentHash),
}

/// A recorded call that runs again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Running {
    /// The number of the recorded call.
    pub(super) number: usize,
    /// True if it runs with the clock and the random numbers that it had.
    pub(super) bounded: bool,
    /// The hash of what it is made with now.
    pub(super) request: ContentHash,
}

/// The calls of a run that were replayed up to now.
#[derive(Debug)]
pub(super) struct Progress {
    /// For each call: true if it was made again, and how that ended.
    calls: Vec<(bool, Option<Settled>)>,
    /// The recorded calls that run again.
    running: HashMap<InvocationId, Running>,
    pub(super) divergences: Vec<Divergence>,
    /// The call that is made next, in a whole run: there one is made after another.
    next: Option<usize>,
    /// The requests of calls that are not recorded.
    pub(super) unknown: Vec<ContentHash>,
}

impl Progress {
    pub(super) fn new(calls: usize) -> Self {
        Self {
            calls: vec![(false, None); calls],
            running: HashMap::new(),
            divergences: Vec::new(),
            next: None,
            unknown: Vec::new(),
        }
    }

    pub(super) fn running(&self, invocation: InvocationId) -> Option<Running> {
        self.running.get(&invocation).copied()
    }

    pub(super) fn is_taken(&self, number: usize) -> bool {
        self.calls.get(number).is_some_and(|(taken, _)| *taken)
    }

    pub(super) fn settled(&self, number: usize) -> Option<Settled> {
        self.calls.get(number)?.1
    }

    pub(super) fn take(&mut self, number: usize) {
        if let Some((taken, _)) = self.calls.get_mut(number) {
            *taken = true;
        }
    }

    pub(super) fn set_next(&mut self, number: usize) {
        self.take(number);
        self.next = Some(number);
    }

    pub(super) fn take_next(&mut self) -> Option<usize> {
        self.next.take()
    }

    pub(super) fn runs_as(&mut self, invocation: InvocationId, running: Running) {
        self.running.insert(invocation, running);
    }

    pub(super) fn settle(&mut self, number: usize, settled: Settled) {
        if let Some(call) = self.calls.get_mut(number) {
            *call = (true, Some(settled));
        }
    }

    pub(super) fn unknown(&mut self, divergence: Divergence, request: ContentHash) {
        self.divergences.push(divergence);
        self.unknown.push(request);
    }
}
