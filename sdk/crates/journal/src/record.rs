//! The records of a journal.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolwright::ToolError;
use toolwright::content::{ContentHash, ResultSource, ToolStatus};
use toolwright::id::{CallId, InvocationId, SessionId, TicketId, TurnId};
use toolwright::spec::{Determinism, Effect};
use toolwright::ticket::WaitKind;

use crate::canonical::CanonicalJson;

/// The form in which journals are written, which [`RecordKind::Opened`] names.
pub(crate) const FORMAT: u32 = 1;

/// A line of a journal.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct JournalRecord {
    /// The number of the record, from 1, without a gap.
    pub seq: u64,
    /// The time of the record, by the clock of the system, to the microsecond. No hash of a call includes it.
    pub time: SystemTime,
    /// The event.
    pub kind: RecordKind,
}

/// The event of a [`JournalRecord`].
///
/// A call has one [`Requested`](Self::Requested) and one [`Responded`](Self::Responded). One that waits in
/// a ticket has a [`Suspended`](Self::Suspended) between the two for each, and a
/// [`Resumed`](Self::Resumed) when it goes on. One that was resumed by way of another journal has a
/// `Requested` there that names the ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordKind {
    /// A journal begins here: the first record, and the only one of its kind.
    #[non_exhaustive]
    Opened {
        /// The form of the records.
        format: u32,
    },
    /// A call was made. Its body runs now, or it was refused before that and its response follows.
    Requested(Box<Request>),
    /// A call waits in a ticket.
    Suspended(SuspendedCall),
    /// A call goes on after it has waited, or runs once more with other arguments.
    Resumed(Box<ResumedCall>),
    /// A call has ended.
    Responded(Box<Response>),
}

impl RecordKind {
    /// The call that the record is about, if it is about one.
    pub fn invocation(&self) -> Option<InvocationId> {
        match self {
            Self::Opened { .. } => None,
            Self::Requested(requested) => Some(requested.invocation),
            Self::Suspended(suspended) => Some(suspended.invocation),
            Self::Resumed(resumed) => Some(resumed.invocation),
            Self::Responded(responded) => Some(responded.invocation),
        }
    }
}

/// A call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Request {
    /// Our id of the call, which is unique.
    pub invocation: InvocationId,
    /// The call whose tool made this one, if a tool did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<InvocationId>,
    /// The session of the call.
    pub session: SessionId,
    /// The turn of the call.
    pub turn: TurnId,
    /// The model's own id of the call, which may be missing or repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The tool's canonical name; the name as it was called if there is no such tool.
    pub tool: String,
    /// The tool's version, if it declares one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The effect that the tool declares; the default if there is no such tool.
    pub effect: Effect,
    /// The determinism that the tool declares.
    pub determinism: Determinism,
    /// The input of the call.
    pub input: RecordedInput,
    /// The ticket that the call has waited with by way of another journal, in which it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumes: Option<TicketId>,
}

/// The arguments of a call as a journal has them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedInput {
    /// The [canonical arguments](toolwright::arguments::CanonicalArguments), with `{"$secret": "<hash>"}` in
    /// place of each secret; `{"$unread": "<hash>"}` where they were not accepted, and so nobody knows what of
    /// them is secret. The hashes are keyed: see [`JournalKey`](crate::JournalKey).
    pub arguments: CanonicalJson,
    /// The hash of the tool, its version and these arguments: what a response names.
    pub request_hash: ContentHash,
    /// True if a hash stands in place of a value, so that the call cannot be made again from the record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// True if people or hooks gave these arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// The seed of the random numbers that the body was given. Whoever has it can compute them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<ContentHash>,
}

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SuspendedCall {
    /// The call.
    pub invocation: InvocationId,
    /// The ticket that it waits with.
    pub ticket: TicketId,
    /// The kind of the wait.
    pub wait: WaitKind,
}

/// A call that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResumedCall {
    /// The call.
    pub invocation: InvocationId,
    /// The input that it goes on with.
    pub input: RecordedInput,
}

/// A call that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// The call.
    pub invocation: InvocationId,
    /// The hash of what it was made with in the end, as its request or the last
    /// [`ResumedCall`] has it.
    pub request_hash: ContentHash,
    /// The hash of the output in its normal form: [`ToolResult::response_hash`](toolwright::ToolResult::response_hash).
    pub response_hash: ContentHash,
    /// The status of the result.
    pub status: ToolStatus,
    /// The origin of the result.
    pub source: ResultSource,
    /// The output, before it is cut for the model.
    pub output: RecordedOutput,
    /// The error that the call ended in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// The tool's metadata for the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Texts that the model reads after the output: people or the app changed the call, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// True if a hook changed the output.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// True if people or gates took part in the call: it was answered, approved or edited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attended: bool,
    /// The times that the body was given, in nanoseconds since 1970, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock: Vec<i64>,
    /// True if the body was given more than is recorded, so that it cannot run again from the record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrepeatable: bool,
}

/// The output of a call in its normal form: canonical JSON of the status, the parts and the error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordedOutput {
    /// It stands here.
    Inline(CanonicalJson),
    /// It is in the [store](crate::ContentStore) of large outputs, under the response hash.
    #[non_exhaustive]
    Stored {
        /// The number of its bytes.
        bytes: u64,
    },
}
