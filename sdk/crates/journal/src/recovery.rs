//! The findings when a journal is opened.

use std::collections::BTreeMap;

use toolwright::content::ContentHash;
use toolwright::id::{InvocationId, SessionId, TicketId};
use toolwright::spec::Effect;

use crate::log::TornRecord;
use crate::record::{JournalRecord, RecordKind, Request, SuspendedCall};

/// The findings when a journal was [opened](super::JournalBuilder::open).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// A last line that was not written to its end, and was cut off. Nothing that it told of had returned.
    pub cut: Option<TornRecord>,
    /// The number of records.
    pub records: u64,
    /// The calls that have no response, in the order of their requests: the process ended before them, or
    /// they wait in tickets.
    pub unfinished: Vec<UnfinishedCall>,
}

/// A call that was made and has no response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfinishedCall {
    /// The number of its request's record.
    pub seq: u64,
    /// Our id of the call.
    pub invocation: InvocationId,
    /// The session of the call.
    pub session: SessionId,
    /// The tool's canonical name.
    pub tool: String,
    /// The tool's version, if it declares one.
    pub version: Option<String>,
    /// The effect that the tool declares.
    pub effect: Effect,
    /// The hash of what the call was made with last.
    pub request_hash: ContentHash,
    /// The ticket that it waits with; it goes on when that is answered.
    pub waits: Option<TicketId>,
}

impl UnfinishedCall {
    /// Returns true if nobody knows if the call had its effect, so that it must not be made again as it is: its
    /// body may have begun, and is to run once at most. That is for a person to settle.
    pub fn is_indeterminate(&self) -> bool {
        self.waits.is_none() && self.effect == Effect::AtMostOnce
    }
}

/// The calls of a journal that have not ended.
#[derive(Debug, Default)]
pub(super) struct OpenCalls(BTreeMap<u64, UnfinishedCall>);

impl OpenCalls {
    pub(super) fn add(&mut self, record: JournalRecord) {
        match record.kind {
            RecordKind::Requested(requested) => {
                self.0.insert(record.seq, of(record.seq, *requested));
            }
            RecordKind::Suspended(SuspendedCall {
                invocation, ticket, ..
            }) => {
                if let Some(call) = self.find(invocation) {
                    call.waits = Some(ticket);
                }
            }
            RecordKind::Resumed(resumed) => {
                if let Some(call) = self.find(resumed.invocation) {
                    call.waits = None;
                    call.request_hash = resumed.input.request_hash;
                }
            }
            RecordKind::Responded(responded) => {
                self.0
                    .retain(|_, call| call.invocation != responded.invocation);
            }
            RecordKind::Opened { .. } => {}
        }
    }

    fn find(&mut self, invocation: InvocationId) -> Option<&mut UnfinishedCall> {
        let mut calls = self.0.values_mut();
        calls.find(|call| call.invocation == invocation)
    }

    pub(super) fn into_calls(self) -> Vec<UnfinishedCall> {
        self.0.into_values().collect()
    }
}

fn of(seq: u64, requested: Request) -> UnfinishedCall {
    UnfinishedCall {
        seq,
        invocation: requested.invocation,
        session: requested.session,
        tool: requested.tool,
        version: requested.version,
        effect: requested.effect,
        request_hash: requested.input.request_hash,
        waits: None,
    }
}
