//! The kinds of events.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::{
    CallStatus, Content, ErrorKind, ExceededLimit, IllegalStep, ResultSource, ToolStatus,
};
use crate::id::{HookRunId, TicketId, ToolName};
use crate::spec::Capability;
use crate::state::ScheduledAction;
use crate::ticket::{AnswerKind, WaitKind};
use crate::util::hash::ContentHash;

/// The kind of an event; see [`Event`](crate::event::Event).
///
/// A call begins with [`Requested`](Self::Requested) and ends with [`Finished`](Self::Finished); its other
/// events come between the two. A call that waits for somebody may have
/// [`Suspended`](Self::Suspended) in place of the end, and then goes on with
/// [`Resumed`](Self::Resumed), so that each call has one `Requested` and one `Finished`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A call was made.
    #[non_exhaustive]
    Requested {
        /// The hash of the tool, its version and the arguments as they were read, if calls are hashed.
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
        /// The status before.
        from: CallStatus,
        /// The status now.
        to: CallStatus,
    },
    /// The body of the tool begins. One that was suspended begins once more.
    Started,
    /// The tool says how far it is: see [`ToolContext::progress`](crate::ToolContext::progress).
    #[non_exhaustive]
    Progress {
        /// The state of the work.
        status: ProgressStatus,
        /// In words; empty when the tool says nothing.
        message: String,
        /// The part that is done, from 0 to 1; `None` if it is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraction: Option<f64>,
    },
    /// The tool says what it is busy with, as a whole: see
    /// [`ToolContext::report_activity`](crate::ToolContext::report_activity).
    #[non_exhaustive]
    Activity {
        /// The kind of activity, such as `plan`; the app defines its kinds.
        kind: String,
        /// The activity as it stands now.
        content: Value,
        /// True if it replaces everything that the call reported of this kind before.
        replace: bool,
    },
    /// The tool says what has changed in an activity: see
    /// [`ToolContext::report_activity_delta`](crate::ToolContext::report_activity_delta).
    #[non_exhaustive]
    ActivityDelta {
        /// The kind of activity.
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
        /// The kind of wait.
        wait: WaitKind,
        /// The number of requests.
        requests: usize,
    },
    /// The people who were asked have answered.
    #[non_exhaustive]
    Answered {
        /// The ticket that the answers went to.
        ticket: TicketId,
        /// The kind of wait.
        wait: WaitKind,
        /// The answer to each request; `None` for a request that needed no answer because another was refused.
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
        /// The kind of wait.
        wait: WaitKind,
    },
    /// The call has ended. Its outcome tells more, and is what counts.
    #[non_exhaustive]
    Finished {
        /// The status that the call ended with.
        status: ToolStatus,
        /// The origin of the result.
        source: ResultSource,
        /// The kind of the error, if the call ended in one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ErrorKind>,
        /// The time since the call was made or resumed, waits included.
        duration: Duration,
        /// The hash of the tool, its version and the arguments as they ran, if calls are hashed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_hash: Option<ContentHash>,
        /// The hash of the call's output, if calls are hashed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response_hash: Option<ContentHash>,
    },
    /// Something that a tool or a hook wants the app to know: see
    /// [`StateCommand::emit`](crate::state::StateCommand::emit).
    #[non_exhaustive]
    Emitted {
        /// The subject, as a name that the app knows.
        name: String,
        /// The information itself.
        payload: Value,
    },
    /// The app is asked to do something later: see
    /// [`StateCommand::schedule`](crate::state::StateCommand::schedule).
    #[non_exhaustive]
    Scheduled {
        /// The action, and its time.
        action: ScheduledAction,
    },
    /// Models have to be told of other tools from now on: see
    /// [`Executor::watch_tools`](crate::Executor::watch_tools). It belongs to no session.
    #[non_exhaustive]
    ToolsChanged {
        /// The new tools.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Vec<ToolName>,
        /// The tools that were removed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        removed: Vec<ToolName>,
        /// The tools whose specs have changed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<ToolName>,
    },
    /// Something is not as it should be, and goes on all the same: for the log.
    #[non_exhaustive]
    Diagnostic {
        /// The problem, as a word for programs to decide by.
        code: String,
        /// The problem, for people.
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
    /// After the call has ended: an [`AfterTool`](crate::hook::AfterTool).
    After,
}

/// The state of a tool's work; see [`ToolContext::report_progress`](crate::ToolContext::report_progress).
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

/// Returns the report of an illegal step of a call: a bug of this crate, which must not end the call.
#[cold]
pub(crate) fn illegal_step(call: fmt::Arguments<'_>, illegal: IllegalStep) -> EventKind {
    EventKind::Diagnostic {
        code: "illegal_step".to_owned(),
        message: format!("{call}: {illegal}"),
    }
}
