//! The calls of a journal, put together from its records.

use std::collections::HashMap;

use toolwright::content::{ContentHash, ErrorKind, ResultSource};
use toolwright::id::InvocationId;

use crate::log::JournalLog;
use crate::record::{Request, Response};
use crate::{JournalError, JournalRecord, JournalRecords, RecordKind, RecordedInput};

/// A call as a journal has it.
#[derive(Debug)]
pub(crate) struct RecordedCall {
    /// The number of its request's record.
    pub(crate) seq: u64,
    pub(crate) requested: Request,
    /// The last input that it went on with after it had waited, or ran once more with.
    resumed: Option<RecordedInput>,
    pub(crate) responded: Option<Response>,
    /// The call whose tool made it, where the journal has that one.
    pub(crate) above: Option<usize>,
}

impl RecordedCall {
    /// Returns the input that it was made with in the end.
    pub(crate) fn input(&self) -> &RecordedInput {
        self.resumed.as_ref().unwrap_or(&self.requested.input)
    }

    /// The hash of what it was made with in the end.
    pub(crate) fn request_hash(&self) -> ContentHash {
        let of_response = self
            .responded
            .as_ref()
            .map(|response| response.request_hash);
        of_response.unwrap_or(self.input().request_hash)
    }

    /// Returns true if the record itself says that there was no such tool.
    pub(crate) fn found_no_tool(&self) -> bool {
        self.responded.as_ref().is_some_and(|response| {
            let kind = response.error.as_ref().map(toolwright::ToolError::kind);
            response.source == ResultSource::Executor && kind == Some(ErrorKind::NotFound)
        })
    }

    /// Returns true if people or hooks changed it, or it went on after it had waited.
    pub(crate) fn was_changed(&self) -> bool {
        self.resumed.is_some() || self.requested.input.changed
    }
}

/// Reads the calls of a log, in the order of their requests.
pub(super) fn read(log: &dyn JournalLog) -> Result<Vec<RecordedCall>, JournalError> {
    let mut calls = Vec::new();
    let mut numbers = HashMap::new();
    for record in JournalRecords::of(log)? {
        add(&mut calls, &mut numbers, record?);
    }
    Ok(calls)
}

fn add(
    calls: &mut Vec<RecordedCall>,
    numbers: &mut HashMap<InvocationId, usize>,
    JournalRecord { seq, kind, .. }: JournalRecord,
) {
    match kind {
        RecordKind::Requested(requested) => {
            let above = requested.parent.and_then(|parent| numbers.get(&parent));
            let above = above.copied();
            // The last of a call that went on by way of this journal after another had begun it.
            numbers.insert(requested.invocation, calls.len());
            calls.push(RecordedCall {
                seq,
                requested: *requested,
                resumed: None,
                responded: None,
                above,
            });
        }
        RecordKind::Resumed(resumed) => {
            if let Some(call) = find(calls, numbers, resumed.invocation) {
                call.resumed = Some(resumed.input);
            }
        }
        RecordKind::Responded(responded) => {
            if let Some(call) = find(calls, numbers, responded.invocation) {
                call.responded = Some(*responded);
            }
        }
        RecordKind::Opened { .. } | RecordKind::Suspended(_) => {}
    }
}

fn find<'c>(
    calls: &'c mut [RecordedCall],
    numbers: &HashMap<InvocationId, usize>,
    invocation: InvocationId,
) -> Option<&'c mut RecordedCall> {
    calls.get_mut(*numbers.get(&invocation)?)
}
