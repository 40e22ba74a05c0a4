//! The part that a host holds of a call in a task of its own.

use tokio::sync::{oneshot, watch};

use crate::content::{CallStatus, ResultSource, ToolError};
use crate::executor::call::outcome;
use crate::executor::core::tasks::{Task, TaskRef};
use crate::executor::guard::shutting_down;
use crate::id::{CallId, InvocationId, TurnId};
use crate::outcome::ToolOutcome;

impl Task {
    /// Returns the outcome of a call whose task was stopped.
    pub(crate) fn lost(&self) -> ToolOutcome {
        self.failed(shutting_down())
    }

    pub(crate) fn failed(&self, error: ToolError) -> ToolOutcome {
        let identity = self.identity.clone();
        outcome::ended(identity, ResultSource::Executor, error.into(), None)
    }
}

/// A call that runs in a task of its own: see [`Turn::spawn`](crate::Turn::spawn).
///
/// Dropping it leaves the call alone, which runs to its end unseen; [`cancel`](Self::cancel) ends it.
#[derive(Debug)]
#[must_use = "the outcome comes by `join`"]
pub struct TaskHandle {
    pub(crate) task: TaskRef,
    pub(crate) outcome: oneshot::Receiver<ToolOutcome>,
}

impl TaskHandle {
    /// Our id of the call, which is unique.
    pub fn invocation_id(&self) -> InvocationId {
        self.task.identity.invocation
    }

    /// The call's turn.
    pub fn turn_id(&self) -> TurnId {
        self.task.identity.turn
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.task.identity.call_id.as_ref()
    }

    /// The name of the tool; if the tool does not exist, the name that was called.
    pub fn tool(&self) -> &str {
        self.task.identity.tool.as_str()
    }

    /// Returns the status of the call, which stays once it has ended.
    pub fn status(&self) -> CallStatus {
        self.task.status()
    }

    /// Watches where the call is, also beyond this handle.
    pub fn watch(&self) -> StatusWatch {
        StatusWatch {
            seen: self.status(),
            receiver: self.task.watch(),
        }
    }

    /// Cancels the call: its token is set, and if it does not end within the
    /// [grace time](crate::executor::Limits::cancel_grace), its tool is dropped where it stands. Its outcome is an error
    /// of kind [`Cancelled`](crate::content::ErrorKind::Cancelled), unless it has ended before.
    pub fn cancel(&self) {
        self.task.cancel();
    }

    /// Waits for the outcome.
    ///
    /// Dropping the future is as dropping the handle.
    pub async fn join(self) -> ToolOutcome {
        match self.outcome.await {
            Ok(outcome) => outcome,
            Err(_) => self.task.lost(),
        }
    }
}

/// Watches where a call is: see [`TaskHandle::watch`].
#[derive(Debug, Clone)]
pub struct StatusWatch {
    seen: CallStatus,
    receiver: Option<watch::Receiver<(CallStatus, bool)>>,
}

impl StatusWatch {
    /// Waits for the next status after the one that was seen last; `None` once the call has ended, or
    /// waits in a ticket, and that was seen. Of steps that follow each other at once, only the last may
    /// be seen.
    pub async fn next(&mut self) -> Option<CallStatus> {
        let receiver = self.receiver.as_mut()?;
        loop {
            let (status, is_last) = *receiver.borrow_and_update();
            if status != self.seen {
                self.seen = status;
                return Some(status);
            }
            if is_last {
                return None;
            }
            receiver.changed().await.ok()?;
        }
    }
}
