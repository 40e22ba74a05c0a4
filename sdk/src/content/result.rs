//! The executor's report about a call that has ended.

use std::mem;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::block::Content;
use super::error::ToolError;
use super::extras::Extras;
use super::output::{ContentParts, ToolOutput};
use crate::arguments::Repair;
use crate::id::{CallId, InvocationId, Label, TicketId};
use crate::util::hash::ContentHash;

/// Some repairs. Nearly every call has none, and an optional box is half as large as an optional
/// slice.
#[allow(clippy::box_collection)]
pub(crate) type Repairs = Box<Vec<Repair>>;

/// The way in which a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolStatus {
    /// The tool did what it was asked.
    Success,
    /// It did not; the content says why.
    Error,
    /// It is not done: the call waits for somebody, or goes on elsewhere. The content says so.
    Pending,
}

impl ToolStatus {
    /// The name in serialised form: `success`, `error` or `pending`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Pending => "pending",
        }
    }
}

/// The origin of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResultSource {
    /// The tool itself.
    Tool,
    /// The executor: the tool did not run, or did not come to an end.
    Executor,
    /// Whoever answered the ticket of the call: the tool did not run to its end.
    Answer,
    /// A [gate](crate::hook::ToolGate): the tool did not run.
    Gate,
    /// A cache that a [gate](crate::hook::ToolGate) has: the tool did not run for this call.
    Cache,
    /// A record, by a [call source](crate::record::CallSource): the tool did not run for this call.
    Replay,
}

impl ResultSource {
    /// The name in serialised form: `tool`, `executor`, `answer`, `gate`, `cache` or `replay`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Executor => "executor",
            Self::Answer => "answer",
            Self::Gate => "gate",
            Self::Cache => "cache",
            Self::Replay => "replay",
        }
    }
}

/// The part of a result that the model sees, in bytes; see
/// [`Limits::max_output_bytes`](crate::executor::Limits::max_output_bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Truncation {
    /// The bytes that are shown, without the line that says so.
    pub shown: u64,
    /// The bytes of the whole result.
    pub total: u64,
    /// True if the text of the whole result is kept, to be read on.
    pub kept: bool,
}

/// The executor's report about one call that has ended: its identity, its end, and the text for the model.
///
/// Serialises to JSON and back; only the source of an error, which is for the log, is lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<CallId>,
    invocation_id: InvocationId,
    tool: Label,
    status: ToolStatus,
    source: ResultSource,
    content: ContentParts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ToolError>,
    #[serde(flatten, deserialize_with = "Extras::read")]
    extras: Option<Box<Extras>>,
}

/// The parts of an output as a result has them.
pub(crate) struct ResultParts {
    status: ToolStatus,
    content: ContentParts,
    error: Option<ToolError>,
    extras: Option<Box<Extras>>,
}

impl ToolOutput {
    #[expect(
        clippy::inline_always,
        reason = "an output is moved once more for each call between"
    )]
    #[inline(always)]
    pub(crate) fn into_result_parts(self) -> ResultParts {
        let Self {
            parts,
            error,
            extras,
        } = self;
        let is_pending = extras.as_deref().is_some_and(|extras| extras.is_pending);
        let extras = extras.and_then(Extras::of_result);
        ResultParts {
            status: if error.is_some() {
                ToolStatus::Error
            } else if is_pending {
                ToolStatus::Pending
            } else {
                ToolStatus::Success
            },
            content: parts,
            error,
            extras,
        }
    }

    /// Returns the output that a result was made of, in another process. What the result knows of its call stays there.
    pub(crate) fn of_result(result: ToolResult) -> Self {
        let is_pending = result.is_pending();
        let extras = result.extras.map(|extras| *extras).unwrap_or_default();
        Self {
            parts: result.content,
            error: result.error,
            extras: Extras {
                metadata: extras.metadata,
                is_pending,
                truncation: extras.truncation,
                mismatch: extras.mismatch,
                ..Extras::default()
            }
            .into_box(),
        }
    }
}

impl ToolResult {
    #[expect(clippy::inline_always, reason = "as `into_result_parts`")]
    #[inline(always)]
    pub(crate) fn new(
        call_id: Option<CallId>,
        invocation_id: InvocationId,
        tool: Label,
        source: ResultSource,
        parts: ResultParts,
    ) -> Self {
        Self {
            call_id,
            invocation_id,
            tool,
            status: parts.status,
            source,
            content: parts.content,
            error: parts.error,
            extras: parts.extras,
        }
    }

    /// Sets the ticket of a call that waits.
    pub(crate) fn with_ticket(mut self, ticket: TicketId) -> Self {
        self.extras().ticket = Some(ticket);
        self
    }

    /// Notes that a person changed the arguments.
    pub(crate) fn note_edit(&mut self) {
        self.extras().edited = true;
    }

    /// Adds what the model should read besides.
    pub(crate) fn push(&mut self, part: Content) {
        self.content.push(part);
    }

    pub(crate) fn with_duration(mut self, duration: Duration) -> Self {
        self.extras().duration = Some(duration);
        self
    }

    /// Notes what there is to tell of the arguments.
    #[inline]
    pub(crate) fn note(&mut self, purpose: Option<Box<str>>, repairs: Option<Repairs>) {
        if purpose.is_some() || repairs.is_some() {
            let extras = self.extras();
            extras.purpose = purpose;
            extras.repairs = repairs;
        }
    }

    fn extras(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }

    /// The model's id of the call, as it was sent.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call_id.as_ref()
    }

    /// Our id of the call.
    pub fn invocation_id(&self) -> InvocationId {
        self.invocation_id
    }

    /// The tool's canonical name; the name as it was called if there is no such tool.
    pub fn tool(&self) -> &str {
        self.tool.as_str()
    }

    /// The way in which the call ended.
    pub fn status(&self) -> ToolStatus {
        self.status
    }

    /// Returns true if the call succeeded.
    pub fn is_success(&self) -> bool {
        self.status == ToolStatus::Success
    }

    /// Returns true if the call ended in an error, which the content describes.
    pub fn is_error(&self) -> bool {
        self.status == ToolStatus::Error
    }

    /// Returns true if the call is not done: it waits for somebody, or goes on elsewhere.
    pub fn is_pending(&self) -> bool {
        self.status == ToolStatus::Pending
    }

    /// The ticket that the call waits with; see
    /// [`ToolOutcome::Suspended`](crate::ToolOutcome::Suspended).
    pub fn ticket(&self) -> Option<TicketId> {
        self.extras.as_ref()?.ticket
    }

    /// Returns true if the call ran with arguments that a person changed; the content shows them.
    pub fn edited(&self) -> bool {
        self.extras.as_ref().is_some_and(|extras| extras.edited)
    }

    /// The origin of the result.
    pub fn source(&self) -> ResultSource {
        self.source
    }

    /// The content for the model.
    pub fn content(&self) -> &[Content] {
        self.content.as_slice()
    }

    /// The text for the model: the text and JSON parts, one a line.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.content().iter().filter_map(Content::as_text).collect();
        parts.join("\n")
    }

    /// The same as [`text`](Self::text), without a copy where there is one part.
    pub fn into_text(mut self) -> String {
        self.take_text()
    }

    /// Takes the text out of a result that nobody reads again. By reference: a result is large to move.
    pub(crate) fn take_text(&mut self) -> String {
        match mem::take(&mut self.content) {
            ContentParts::One(Content::Text { text }) => text,
            ContentParts::One(Content::Json { json }) => json.into_string(),
            parts => {
                self.content = parts;
                self.text()
            }
        }
    }

    /// The error that the call ended in.
    pub fn error(&self) -> Option<&ToolError> {
        self.error.as_ref()
    }

    /// The changes in the arguments that made them fit the tool's schema, in this order; see
    /// [`ToolSpec::repair`](crate::ToolSpec::repair). The error of a call that was refused all the same describes the
    /// arguments after these.
    pub fn repairs(&self) -> &[Repair] {
        let repairs = self
            .extras
            .as_ref()
            .and_then(|extras| extras.repairs.as_deref());
        repairs.map_or(&[], Vec::as_slice)
    }

    /// The time that the call took, from when it was made or resumed, its waits included; `None` unless the executor
    /// [measures times](crate::ExecutorBuilder::measure_time).
    pub fn duration(&self) -> Option<Duration> {
        self.extras.as_ref()?.duration
    }

    /// The model's reason for the call, in its own words, if it [was asked for it](crate::ToolRegistry::ask_purpose)
    /// and gave one: for people and the log.
    pub fn purpose(&self) -> Option<&str> {
        self.extras.as_ref()?.purpose.as_deref()
    }

    /// The metadata that the tool gave to the host.
    pub fn metadata(&self) -> Option<&Map<String, Value>> {
        self.extras.as_ref()?.metadata.as_deref()
    }

    /// The part of the result that the model sees, if that is not all of it.
    pub fn truncated(&self) -> Option<&Truncation> {
        self.extras.as_ref()?.truncation.as_ref()
    }

    /// In what the output is not what the tool declares, where that is
    /// flagged (`ExecutorBuilder::check_output`, feature `json-schema`).
    pub fn mismatch(&self) -> Option<&str> {
        self.extras.as_ref()?.mismatch.as_deref()
    }

    /// The hash of the output before it was cut for the model, where a
    /// [recorder](crate::ExecutorBuilder::call_recorder) hashes calls. With a journal (the crate
    /// `toolwright-journal`), outputs that differ in the order of members, in white space and in how a number is
    /// written have one hash.
    pub fn response_hash(&self) -> Option<ContentHash> {
        self.extras.as_ref()?.response_hash
    }

    /// Returns true if the data of the result is in the form that was hashed, canonical JSON (RFC 8785). False if
    /// calls are not hashed, or if there is no such form: a tool's own JSON text may have a name twice.
    pub fn is_normalized(&self) -> bool {
        self.extras.as_ref().is_some_and(|extras| extras.normalized)
    }

    /// The result as JSON.
    ///
    /// # Errors
    ///
    /// Fails if a part holds JSON that nests deeper than 128 levels.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
