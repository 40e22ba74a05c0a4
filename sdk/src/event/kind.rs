//! The kinds of events.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::ContentHash;
use crate::id::{HookRunId, TicketId, ToolName};
use crate::message::{CallStatus, Content, ErrorKind, ExceededLimit, ResultSource, ToolStatus};
use crate::spec::Capability;
use crate::state::ScheduledAction;
use crate::ticket::{AnswerKind, WaitKind};

/// The kind of an event; see [`Event`](crate::event::Event).
///
/// A call begins with [`Requested`](Self::Requested) and ends with [`Finished`](Self::Finished), and what
/// else is told of it comes between the two. One that waits for somebody may have
/// [`Suspended`](Self::Suspended) in place of the end, and then goes on with
/// [`Resumed`](Self::Resumed), so that each call has one `Requested` and one `Finished`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A call was made.
    #[non_exhaustive]
    Requested {
        /// Of the tool, its version and the arguments as they were read, where calls are hashed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_hash: Option<ContentHash>,
    },
    /// A call that was suspended goes on.
    #[non_exhaustive]
    Resumed {
        /// The ticket that it waited with.
        ticket: TicketId,
    },
    /// The call goes on to another status.
    Status {
        /// What it was.
        from: CallStatus,
        /// What it is.
        to: CallStatus,
    },
    /// The body of the tool begins. One that was suspended begins once more.
    Started,
    /// The tool says how far it is: see [`ToolContext::progress`](crate::ToolContext::progress).
    #[non_exhaustive]
    Progress {
        /// Where the work stands.
        status: ProgressStatus,
        /// In words; empty when the tool says nothing.
        message: String,
        /// How much is done, from 0 to 1; `None` when that is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraction: Option<f64>,
    },
    /// The tool says what it is busy with, as a whole: see
    /// [`ToolContext::report_activity`](crate::ToolContext::report_activity).
    #[non_exhaustive]
    Activity {
        /// What kind of activity it is, such as `plan`: the host knows what to make of it.
        kind: String,
        /// The activity as it stands now.
        content: Value,
        /// Whether it takes the place of what the call has said of this kind before.
        replace: bool,
    },
    /// The tool says what has changed in an activity: see
    /// [`ToolContext::report_activity_delta`](crate::ToolContext::report_activity_delta).
    #[non_exhaustive]
    ActivityDelta {
        /// What kind of activity it is.
        kind: String,
        /// The changes, in this order; commonly a JSON Patch (RFC 6902).
        patch: Vec<Value>,
    },
    /// A part of the output while the tool runs: see
    /// [`ToolContext::stream_part`](crate::ToolContext::stream_part).
    #[non_exhaustive]
    Output {
        /// The part.
        part: Content,
    },
    /// A hook begins to look at the call. Several calls of a batch that a hook sees together have the
    /// event each, with the same id.
    #[non_exhaustive]
    HookStarted {
        /// The id of the run, which [`HookFinished`](Self::HookFinished) has too.
        id: HookRunId,
        /// The name of the hook.
        hook: String,
        /// The stage of the call at which the hook runs.
        stage: HookStage,
    },
    /// A hook has looked at the call.
    #[non_exhaustive]
    HookFinished {
        /// The id of the run.
        id: HookRunId,
        /// The name of the hook.
        hook: String,
        /// The stage of the call at which the hook ran.
        stage: HookStage,
        /// The time that the hook took.
        duration: Duration,
        /// The kind of the error, where the hook failed, panicked, took too long or was cancelled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ErrorKind>,
    },
    /// Somebody is asked about the call, or by its tool. In which words says the ticket.
    #[non_exhaustive]
    Asked {
        /// The ticket that the answers go to.
        ticket: TicketId,
        /// What is waited for.
        wait: WaitKind,
        /// How many things are asked.
        requests: usize,
    },
    /// Who was asked has answered.
    #[non_exhaustive]
    Answered {
        /// The ticket that the answers went to.
        ticket: TicketId,
        /// What was waited for.
        wait: WaitKind,
        /// What was said to each thing that was asked; nothing to those that a refusal of another made
        /// needless.
        answers: Vec<Option<AnswerKind>>,
    },
    /// The call does not run, and this is why. [`Finished`](Self::Finished) follows.
    #[non_exhaustive]
    Refused {
        /// The kind of the refusal: no such tool, invalid arguments, a limit, a capability, a denial ..
        kind: ErrorKind,
        /// The refusal as a word for programs to decide by.
        code: String,
        /// The capabilities that the tool requires and that are not granted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<Capability>,
        /// The limit that the call exceeds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<ExceededLimit>,
    },
    /// The call was cancelled, before its tool began or while it ran. [`Finished`](Self::Finished)
    /// follows.
    Cancelled,
    /// The call waits for somebody, and has ended here until it is resumed.
    #[non_exhaustive]
    Suspended {
        /// The ticket that it waits with.
        ticket: TicketId,
        /// What is waited for.
        wait: WaitKind,
    },
    /// The call has ended. Its outcome tells more, and is what counts.
    #[non_exhaustive]
    Finished {
        /// How.
        status: ToolStatus,
        /// Where the result comes from.
        source: ResultSource,
        /// Of what kind the error is, if it ended in one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ErrorKind>,
        /// How long it took, from when it was made or resumed, with whatever it had to wait for.
        duration: Duration,
        /// Of the tool, its version and the arguments as they ran, where calls are hashed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_hash: Option<ContentHash>,
        /// Of what the call gave, where calls are hashed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response_hash: Option<ContentHash>,
    },
    /// Something that a tool or a hook wants the app to know: see
    /// [`StateCommand::emit`](crate::state::StateCommand::emit).
    #[non_exhaustive]
    Emitted {
        /// What it is about.
        name: String,
        /// What there is to know of it.
        payload: Value,
    },
    /// The app is asked to do something later: see
    /// [`StateCommand::schedule`](crate::state::StateCommand::schedule).
    #[non_exhaustive]
    Scheduled {
        /// What, and when.
        action: ScheduledAction,
    },
    /// Models have to be told of other tools from now on: see
    /// [`Executor::watch_tools`](crate::Executor::watch_tools). It belongs to no session.
    #[non_exhaustive]
    ToolsChanged {
        /// What is new.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Vec<ToolName>,
        /// What is there no more.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed: Vec<ToolName>,
        /// What says something else of itself than before.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<ToolName>,
    },
    /// Something is not as it should be, and goes on all the same: for the log.
    #[non_exhaustive]
    Diagnostic {
        /// What, as a word for programs to decide by.
        code: String,
        /// What, for people.
        message: String,
    },
}

impl EventKind {
    /// The name in serialised form: `requested`, `tools_changed` ..
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Requested { .. } => "requested",
            Self::Resumed { .. } => "resumed",
            Self::Status { .. } => "status",
            Self::Started => "started",
            Self::Progress { .. } => "progress",
            Self::Activity { .. } => "activity",
            Self::ActivityDelta { .. } => "activity_delta",
            Self::Output { .. } => "output",
            Self::HookStarted { .. } => "hook_started",
            Self::HookFinished { .. } => "hook_finished",
            Self::Asked { .. } => "asked",
            Self::Answered { .. } => "answered",
            Self::Refused { .. } => "refused",
            Self::Cancelled => "cancelled",
            Self::Suspended { .. } => "suspended",
            Self::Finished { .. } => "finished",
            Self::Emitted { .. } => "emitted",
            Self::Scheduled { .. } => "scheduled",
            Self::ToolsChanged { .. } => "tools_changed",
            Self::Diagnostic { .. } => "diagnostic",
        }
    }
}

/// The stage of a call at which a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HookStage {
    /// Before the call runs: a [`BeforeTool`](crate::hook::BeforeTool).
    Before,
    /// When the call has ended: an [`AfterTool`](crate::hook::AfterTool).
    After,
}

/// Where the work of a tool stands; see
/// [`ToolContext::report_progress`](crate::ToolContext::report_progress).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProgressStatus {
    /// It has not begun.
    Pending,
    /// It is under way.
    #[default]
    Running,
    /// It is done.
    Done,
    /// It has failed.
    Failed,
}
