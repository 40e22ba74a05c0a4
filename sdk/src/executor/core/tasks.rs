//! The calls of a session that run by themselves.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::content::CallStatus;
use crate::context::{SessionScope, TurnScope};
use crate::event::illegal_step;
use crate::id::{CallId, CallIdentity, InvocationId, TurnId};
use crate::outcome::ToolOutcome;
use crate::util::lock::Lock;

impl ListedTask {
    /// The call has ended.
    pub(crate) fn end(self, outcome: &ToolOutcome) {
        let scope = &self.task.scope;
        if !scope.status().is_final()
            && outcome.suspension().is_none()
            && let Err(illegal) = scope.step(CallStatus::of_end(outcome.error()))
        {
            let session = &self.tasks.session;
            let (call, tool) = (
                self.task.identity.invocation,
                self.task.identity.tool.as_str(),
            );
            session.events.emit(Some(&session.id), None, || {
                illegal_step(format_args!("the call {call} of `{tool}`"), illegal)
            });
        }
    }
}

/// A call in a task of its own: it was spawned, or is a member of a batch.
pub(crate) struct Task {
    pub(crate) scope: Arc<TurnScope>,
    pub(crate) identity: CallIdentity,
    pub(crate) since: Option<Instant>,
}

impl Task {
    pub(crate) fn status(&self) -> CallStatus {
        self.scope.status()
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
    all: Lock<BTreeMap<InvocationId, Arc<Task>>>,
}

impl Tasks {
    pub(crate) fn new(session: Arc<SessionScope>) -> Self {
        let all = Lock::default();
        Self { session, all }
    }

    pub(crate) fn add(self: &Arc<Self>, task: Task) -> ListedTask {
        let task = Arc::new(task);
        self.all
            .lock()
            .insert(task.identity.invocation, Arc::clone(&task));
        ListedTask {
            tasks: Arc::clone(self),
            task,
        }
    }

    pub(crate) fn get(&self, id: InvocationId) -> Option<Arc<Task>> {
        self.all.lock().get(&id).cloned()
    }

    pub(crate) fn running(&self) -> Vec<RunningCall> {
        let all = self.all.lock();
        all.values().map(|task| task.running()).collect()
    }
}

/// A task that is listed until this is dropped, which is when it has ended, however.
pub(crate) struct ListedTask {
    tasks: Arc<Tasks>,
    pub(crate) task: Arc<Task>,
}

impl Drop for ListedTask {
    fn drop(&mut self) {
        self.tasks.all.lock().remove(&self.task.identity.invocation);
        self.task.scope.close();
    }
}

/// A call that runs in a task of its own: see [`Session::running`](crate::Session::running).
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

    /// The status of the call when the list was made.
    pub fn status(&self) -> CallStatus {
        self.status
    }

    /// Since when it is there, if the executor [measures times](crate::ExecutorBuilder::measure_time).
    pub fn since(&self) -> Option<Instant> {
        self.since
    }
}
