//! How a call ended, for the host.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::id::TicketId;
use crate::message::{ToolError, ToolResult};
use crate::pending::{PendingRequest, Ticket, WaitKind};

/// How a call ended, for the host's loop. Every call ends in exactly one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolOutcome {
    /// There is a result for the model, be it a success, an error or a denial: the run goes on.
    Completed(ToolResult),
    /// The call waits for somebody, and goes on by [`Session::resume`](crate::Session::resume) once they
    /// have answered; only in [`WaitMode::Suspending`](super::WaitMode::Suspending). The run goes on with
    /// the other calls, and the model gets the result of this one later.
    Interrupted(Interruption),
    /// The run should end: a tool failed in a way that it declared [fatal](ToolError::into_fatal).
    Failed(FailedCall),
}

/// A call that should end the host's run. There is a result all the same, so that the model's
/// call does not stay without one.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedCall {
    error: ToolError,
    result: ToolResult,
}

impl FailedCall {
    pub(super) fn new(error: ToolError, result: ToolResult) -> Self {
        Self { error, result }
    }

    /// Why.
    pub fn error(&self) -> &ToolError {
        &self.error
    }

    /// What the model would read.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }
}

/// A call that waits for somebody: all that a host needs to show, to store and to go on with, here or
/// in another process.
///
/// Serialises to JSON and back. It holds no secret of the call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interruption {
    #[serde(with = "shared")]
    ticket: Arc<Ticket>,
    result: ToolResult,
}

/// Serde's own way would need its feature `rc`.
mod shared {
    use super::{Arc, Deserialize, Serialize, Ticket};

    pub(super) fn serialize<S: serde::Serializer>(
        ticket: &Arc<Ticket>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        ticket.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Ticket>, D::Error> {
        Ticket::deserialize(deserializer).map(Arc::new)
    }
}

impl Interruption {
    pub(super) fn new(ticket: Arc<Ticket>, result: ToolResult) -> Self {
        Self { ticket, result }
    }

    /// The ticket, to show, and to resume the call with.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// The ticket's id.
    pub fn id(&self) -> TicketId {
        self.ticket.id()
    }

    /// What kind of thing is waited for.
    pub fn kind(&self) -> WaitKind {
        self.ticket.kind()
    }

    /// One line for people; see [`Ticket::summary`].
    pub fn summary(&self) -> String {
        self.ticket.summary()
    }

    /// What is asked: at least one thing, each of which takes one answer.
    pub fn requests(&self) -> &[PendingRequest] {
        self.ticket.requests()
    }

    /// What the model may read meanwhile, of status [`Pending`](crate::ToolStatus::Pending): that the
    /// call waits.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }
}

impl ToolOutcome {
    /// The result, which every outcome has.
    pub fn result(&self) -> &ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Interrupted(interruption) => &interruption.result,
            Self::Failed(failed) => &failed.result,
        }
    }

    /// The result, which every outcome has.
    pub fn into_result(self) -> ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Interrupted(interruption) => interruption.result,
            Self::Failed(failed) => failed.result,
        }
    }

    /// The interruption, if the call waits for somebody.
    pub fn interruption(&self) -> Option<&Interruption> {
        match self {
            Self::Interrupted(interruption) => Some(interruption),
            Self::Completed(_) | Self::Failed(_) => None,
        }
    }

    /// Whether the tool did what it was asked.
    pub fn is_success(&self) -> bool {
        self.result().is_success()
    }

    /// Why the call ended in an error.
    pub fn error(&self) -> Option<&ToolError> {
        self.result().error()
    }

    /// What the model reads, where it is text; see [`ToolResult::text`].
    pub fn text(&self) -> String {
        self.result().text()
    }
}
