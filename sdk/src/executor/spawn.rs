//! Calls that run by themselves.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::ToolOutcome;
use super::begin::Begun;
use super::catalog::Beside;
use super::course::Course;
use super::places::ended_with;
use super::session::{Session, Turn};
use super::task::{Listed, RunningCall, Task, TaskHandle};
use crate::id::{InvocationId, Label, ToolName};
use crate::message::{CallStatus, ToolCall, ToolError};
use crate::tool::{BoxFuture, Lane, Seat, Seated, TurnScope};

/// A call that runs by itself and has not begun. It has its place among its siblings.
pub(super) struct Enlisted {
    pub(super) listed: Listed,
    pub(super) seated: Option<Seated>,
}

impl Turn {
    /// Makes a call one that can be seen and cancelled by itself.
    pub(super) fn enlist(&self, call: &ToolCall<'_>, lane: Option<&Lane>) -> Enlisted {
        let place = self.place();
        let invocation = place.invocation_id;
        let found = place.catalog.snapshot.find(call.name());
        let seat = found.and_then(|(number, _)| {
            let plan = place.catalog.plan(number);
            let lane = lane.filter(|_| plan.beside != Beside::Anybody);
            let lane = lane.map(|lane| (lane.clone(), plan.beside == Beside::Readers));
            Seat::new(lane, place.session.slots.clone(), plan.slots.clone(), None)
        });
        if let Some(seat) = &seat {
            seat.line_up();
        }
        let tool = found.map_or_else(|| name_of(call), |(_, entry)| entry.name.label());
        let scope = TurnScope::of_call(
            self.id(),
            invocation,
            self.scope.cancellation.child_token(),
            Some(Arc::clone(&self.scope)),
            CallStatus::New,
            seat.clone(),
        );
        let task = Task {
            scope: Arc::new(scope),
            invocation,
            turn: self.id(),
            call: call.id().cloned(),
            tool,
            since: self.shared().measures_time.then(Instant::now),
        };
        let listed = self.session().core.tasks.add(task);
        let seated = seat.map(Seated::new);
        Enlisted { listed, seated }
    }

    /// Runs a call in a task of its own. The host's loop goes on, and looks after the call by the
    /// handle, or by [`Session::running`].
    ///
    /// That takes a Tokio runtime: without one the call does not run, and its outcome says so.
    ///
    /// ```
    /// use toolwright::{CallStatus, Executor, ToolCall, ToolRegistry, tool};
    ///
    /// /// Double a number.
    /// #[tool(pure)]
    /// async fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Double))?;
    /// let session = executor.session("s-1");
    /// let handle = session.spawn(ToolCall::new("double", r#"{"n": 4}"#));
    /// assert_eq!(handle.status(), CallStatus::New);
    /// assert_eq!(session.running().len(), 1);
    /// assert_eq!(handle.join().await.text(), "8");
    /// assert!(session.running().is_empty());
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn spawn(&self, call: ToolCall<'_>) -> TaskHandle {
        let Enlisted { listed, seated } = self.enlist(&call, None);
        let task = Arc::clone(&listed.task);
        let (told, outcome) = oneshot::channel();
        if let Ok(runtime) = Handle::try_current() {
            let begin = self.begin(&task, seated, call.into_owned());
            runtime.spawn(async move {
                let outcome = match begin.await {
                    Begun::Ended(outcome) => *outcome,
                    Begun::Goes(course, step) => Box::pin(course.drive(step)).await,
                };
                listed.end(&outcome);
                // Where nobody waits for it any more, it is not missed.
                let _ = told.send(outcome);
            });
        } else {
            let outcome = task.failed(no_runtime());
            listed.end(&outcome);
            let _ = told.send(outcome);
        }
        TaskHandle { task, outcome }
    }
}

pub(super) fn name_of(call: &ToolCall<'_>) -> Label {
    let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
    Label::from(Cow::Owned(name))
}

#[cold]
fn no_runtime() -> ToolError {
    ToolError::unavailable("the host cannot run the call in the background")
        .with_source("`spawn` needs a Tokio runtime around it; `call` runs in place and needs none")
}

impl Turn {
    /// Everything up to where the call is let run, or somebody is to be asked. Boxed: nobody who goes on
    /// from there is to have room for it.
    pub(super) fn begin(
        &self,
        task: &Arc<Task>,
        seated: Option<Seated>,
        mut call: ToolCall<'static>,
    ) -> BoxFuture<'static, Begun> {
        let turn = self.clone();
        let task = Arc::clone(task);
        Box::pin(async move {
            let place = turn.place_of(&task.scope, task.invocation);
            let mut begun = Course::begin(turn.shared(), &place, &mut call).await;
            if let Begun::Goes(course, _) = &mut begun {
                course.seat = seated;
            }
            begun
        })
    }
}

impl Listed {
    /// The call has ended.
    pub(super) fn end(self, outcome: &ToolOutcome) {
        let scope = &self.task.scope;
        if !scope.status().is_final()
            && outcome.interruption().is_none()
            && let Err(illegal) = scope.step(ended_with(outcome.error()))
        {
            self.report_step(illegal);
        }
    }
}

impl Session {
    /// Runs a call in a task of its own, as a turn of its own: see [`Turn::spawn`].
    pub fn spawn(&self, call: ToolCall<'_>) -> TaskHandle {
        self.turn().spawn(call)
    }

    /// The calls of the session that run by themselves now, or wait to: those that were
    /// [spawned](Turn::spawn) and the members of [batches](Turn::call_all), in the order in which they
    /// came. A call that its host runs in place is not among them, and none that has ended.
    pub fn running(&self) -> Vec<RunningCall> {
        self.core.tasks.running()
    }

    /// Cancels one of the [running](Self::running) calls, as [`TaskHandle::cancel`] does; its siblings
    /// go on. Tells whether there is such a call.
    pub fn cancel_call(&self, call: InvocationId) -> bool {
        let task = self.core.tasks.get(call);
        if let Some(task) = &task {
            task.scope.cancel();
        }
        task.is_some()
    }
}
