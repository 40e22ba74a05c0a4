//! The calls of a session that run by themselves.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::sync::watch;

use crate::content::{CallStatus, IllegalStep};
use crate::context::{CallTurn, SessionScope, TaskScope, TurnScope};
use crate::event::illegal_step;
use crate::id::{CallId, CallIdentity, InvocationId, TurnId};
use crate::outcome::ToolOutcome;
use crate::util::lock::Lock;

/// A call that runs by itself: it was spawned, or is a member of a batch.
pub(crate) struct Task {
    pub(crate) scope: TaskScope,
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

impl fmt::Debug for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("invocation", &self.identity.invocation)
            .field("tool", &self.identity.tool)
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

/// Calls of a session that came together: one that was spawned, or the members of a batch. Their invocations follow
/// each other.
pub(crate) struct TaskList {
    /// The scope of their turn.
    turn: Arc<TurnScope>,
    tasks: Vec<Task>,
    /// The number of those that are listed.
    listed: AtomicUsize,
    of_session: Arc<Tasks>,
}

/// A call of a list.
#[derive(Clone)]
pub(crate) struct TaskRef {
    list: Arc<TaskList>,
    at: usize,
}

impl Deref for TaskRef {
    type Target = Task;

    fn deref(&self) -> &Task {
        &self.list.tasks[self.at]
    }
}

impl TaskRef {
    /// The session of the call.
    pub(crate) fn session(&self) -> &Arc<SessionScope> {
        &self.list.of_session.session
    }

    /// The turn of the call.
    #[inline]
    pub(crate) fn turn(&self) -> CallTurn<'_> {
        CallTurn::Task(&self.list.turn, &self.scope)
    }

    /// The call goes on to another status.
    #[inline]
    pub(crate) fn step(&self, next: CallStatus) -> Result<(), IllegalStep> {
        self.scope.step(&self.list.turn, next)
    }

    /// Watches the status of the call.
    pub(crate) fn watch(&self) -> Option<watch::Receiver<(CallStatus, bool)>> {
        self.scope.watch(&self.list.turn)
    }

    /// Cancels the call.
    pub(crate) fn cancel(&self) {
        self.scope.scope(&self.list.turn).cancel();
    }
}

/// The tasks of a session, in the order in which they began.
pub(crate) struct Tasks {
    session: Arc<SessionScope>,
    /// By the first invocation of each list: a list has one entry, and not one for each call.
    all: Lock<BTreeMap<InvocationId, Arc<TaskList>>>,
}

impl Tasks {
    pub(crate) fn new(session: Arc<SessionScope>) -> Self {
        let all = Lock::default();
        Self { session, all }
    }

    /// Lists calls of a turn that came together.
    pub(crate) fn add(self: &Arc<Self>, turn: &Arc<TurnScope>, tasks: Vec<Task>) -> Arc<TaskList> {
        let first = tasks.first().map(|task| task.identity.invocation);
        let list = Arc::new(TaskList {
            turn: Arc::clone(turn),
            listed: AtomicUsize::new(tasks.len()),
            tasks,
            of_session: Arc::clone(self),
        });
        if let Some(first) = first {
            self.all.lock().insert(first, Arc::clone(&list));
        }
        list
    }

    pub(crate) fn get(&self, id: InvocationId) -> Option<TaskRef> {
        let all = self.all.lock();
        let (_, list) = all.range(..=id).next_back()?;
        let tasks = &list.tasks;
        let at = tasks
            .binary_search_by_key(&id, |task| task.identity.invocation)
            .ok()?;
        (!tasks[at].scope.is_closed()).then(|| TaskRef {
            list: Arc::clone(list),
            at,
        })
    }

    pub(crate) fn running(&self) -> Vec<RunningCall> {
        let all = self.all.lock();
        let tasks = all.values().flat_map(|list| &list.tasks);
        let listed = tasks.filter(|task| !task.scope.is_closed());
        listed.map(Task::running).collect()
    }
}

impl TaskList {
    pub(crate) fn task(&self, at: usize) -> &Task {
        &self.tasks[at]
    }

    /// The hold on a call, which is to be taken once.
    pub(crate) fn listed(self: &Arc<Self>, at: usize) -> ListedTask {
        ListedTask {
            task: TaskRef {
                list: Arc::clone(self),
                at,
            },
            is_closed: false,
        }
    }
}

/// A task that is listed until this is dropped, which is when it has ended, however.
pub(crate) struct ListedTask {
    pub(crate) task: TaskRef,
    /// True once nothing more is told of the call.
    is_closed: bool,
}

impl ListedTask {
    /// The number of the call among those that came together.
    pub(crate) fn at(&self) -> usize {
        self.task.at
    }

    /// The call has ended.
    pub(crate) fn end(mut self, outcome: &ToolOutcome) {
        self.is_closed = true;
        let suspended = outcome.suspension().is_some();
        let last = (!suspended).then(|| CallStatus::of_end(outcome.error()));
        if let Err(illegal) = self.task.scope.end(&self.task.list.turn, last) {
            let session = &self.task.list.of_session.session;
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

impl Drop for ListedTask {
    fn drop(&mut self) {
        if !self.is_closed {
            self.task.scope.close(&self.task.list.turn);
        }
        let list = &self.task.list;
        if list.listed.fetch_sub(1, Ordering::AcqRel) == 1 {
            let first = list.tasks[0].identity.invocation;
            list.of_session.all.lock().remove(&first);
        }
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

    /// The status of the call when the list was made.
    pub fn status(&self) -> CallStatus {
        self.status
    }

    /// Since when it is there, if the executor [measures times](crate::ExecutorBuilder::measure_time).
    pub fn since(&self) -> Option<Instant> {
        self.since
    }
}
