//! The calls of a session that run by themselves, and what a host holds of one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{oneshot, watch};

use crate::event::EventKind;
use crate::executor::outcome;
use crate::id::{CallId, CallIdentity, InvocationId, TurnId};
use crate::message::{CallStatus, ErrorKind, IllegalStep, ResultSource, ToolError};
use crate::tool::{SessionScope, ToolOutcome, TurnScope};

pub(crate) fn ended_with(error: Option<&ToolError>) -> CallStatus {
    match error.map(ToolError::kind) {
        None => CallStatus::Succeeded,
        Some(ErrorKind::Cancelled) => CallStatus::Cancelled,
        Some(_) => CallStatus::Failed,
    }
}

impl ListedTask {
    /// The call has ended.
    pub(crate) fn end(self, outcome: &ToolOutcome) {
        let scope = &self.task.scope;
        if !scope.status().is_final()
            && outcome.suspension().is_none()
            && let Err(illegal) = scope.step(ended_with(outcome.error()))
        {
            self.report_step(illegal);
        }
    }
}

/// A call that runs by itself: it was spawned, or is a member of a batch.
pub(crate) struct Task {
    pub(crate) scope: Arc<TurnScope>,
    pub(crate) identity: CallIdentity,
    pub(crate) since: Option<Instant>,
}

impl Task {
    fn status(&self) -> CallStatus {
        self.scope.status()
    }

    /// Returns the outcome of a call whose task was stopped.
    pub(crate) fn lost(&self) -> ToolOutcome {
        let error = ToolError::unavailable("the app is shutting down, and the call was stopped");
        self.failed(error)
    }

    pub(crate) fn failed(&self, error: ToolError) -> ToolOutcome {
        let identity = self.identity.clone();
        outcome::ended(identity, ResultSource::Executor, error.into(), None)
    }

    fn running(&self) -> RunningCall {
        RunningCall {
            identity: self.identity.clone(),
            status: self.status(),
            since: self.since,
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("invocation", &self.identity.invocation)
            .field("tool", &self.identity.tool)
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

/// The tasks of a session, in the order in which they began.
pub(crate) struct Tasks {
    session: Arc<SessionScope>,
    all: Mutex<BTreeMap<InvocationId, Arc<Task>>>,
}

impl Tasks {
    pub(crate) fn new(session: Arc<SessionScope>) -> Self {
        let all = Mutex::default();
        Self { session, all }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<InvocationId, Arc<Task>>> {
        // Nothing that may panic happens under the lock.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(self: &Arc<Self>, task: Task) -> ListedTask {
        let task = Arc::new(task);
        self.all()
            .insert(task.identity.invocation, Arc::clone(&task));
        ListedTask {
            tasks: Arc::clone(self),
            task,
        }
    }

    pub(crate) fn get(&self, id: InvocationId) -> Option<Arc<Task>> {
        self.all().get(&id).cloned()
    }

    pub(crate) fn running(&self) -> Vec<RunningCall> {
        let all = self.all();
        all.values().map(|task| task.running()).collect()
    }
}

/// A task that is listed until this is dropped, which is when it has ended, however.
pub(crate) struct ListedTask {
    tasks: Arc<Tasks>,
    pub(crate) task: Arc<Task>,
}

impl ListedTask {
    /// A fault of ours, which must not end the call.
    #[cold]
    pub(crate) fn report_step(&self, illegal: IllegalStep) {
        let session = &self.tasks.session;
        session.events.emit(Some(&session.id), None, || {
            let (call, tool) = (
                self.task.identity.invocation,
                self.task.identity.tool.as_str(),
            );
            EventKind::Diagnostic {
                code: "illegal_step".to_owned(),
                message: format!("the call {call} of `{tool}`: {illegal}"),
            }
        });
    }
}

impl Drop for ListedTask {
    fn drop(&mut self) {
        self.tasks.all().remove(&self.task.identity.invocation);
        self.task.scope.close();
    }
}

/// A call that runs by itself: see [`Session::running`](crate::Session::running).
#[derive(Debug, Clone)]
pub struct RunningCall {
    identity: CallIdentity,
    status: CallStatus,
    since: Option<Instant>,
}

impl RunningCall {
    /// Our id of the call, which cancels it: see [`Session::cancel_call`](crate::Session::cancel_call).
    pub fn invocation_id(&self) -> InvocationId {
        self.identity.invocation
    }

    /// The call's turn.
    pub fn turn_id(&self) -> TurnId {
        self.identity.turn
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.identity.call_id.as_ref()
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        self.identity.tool.as_str()
    }

    /// Where the call was when it was looked at.
    pub fn status(&self) -> CallStatus {
        self.status
    }

    /// Since when it is there, if the executor [measures times](crate::ExecutorBuilder::measure_time).
    pub fn since(&self) -> Option<Instant> {
        self.since
    }
}

/// A call that runs in a task of its own: see [`Turn::spawn`](crate::Turn::spawn).
///
/// Dropping it leaves the call alone, which runs to its end unseen; [`cancel`](Self::cancel) ends it.
#[must_use = "the outcome comes by `join`"]
pub struct TaskHandle {
    pub(crate) task: Arc<Task>,
    pub(crate) outcome: oneshot::Receiver<ToolOutcome>,
}

impl fmt::Debug for TaskHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskHandle")
            .field("invocation", &self.task.identity.invocation)
            .field("tool", &self.task.identity.tool)
            .field("status", &self.task.status())
            .finish_non_exhaustive()
    }
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

    /// The name of the tool; of a call for a tool that there is not, the name that was called.
    pub fn tool(&self) -> &str {
        self.task.identity.tool.as_str()
    }

    /// Where the call is. Once it has ended, that stays.
    pub fn status(&self) -> CallStatus {
        self.task.status()
    }

    /// Watches where the call is, also beyond this handle.
    pub fn watch(&self) -> StatusWatch {
        StatusWatch {
            seen: self.status(),
            receiver: self.task.scope.watch(),
        }
    }

    /// Cancels the call: its token is set, and if it does not end by itself, its tool is dropped where
    /// it stands. Its outcome is an error of kind [`Cancelled`](crate::content::ErrorKind::Cancelled), unless it
    /// has ended before.
    pub fn cancel(&self) {
        self.task.scope.cancel();
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
