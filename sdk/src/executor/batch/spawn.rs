//! Calls that run by themselves.

use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::content::{CallStatus, ToolCall, ToolError};
use crate::context::TurnScope;
use crate::executor::batch::handle::TaskHandle;
use crate::executor::call::observed::{Beginning, begin_observed};
use crate::executor::call::sourced;
use crate::executor::call::state::Preparing;
use crate::executor::catalog::tools::Concurrency;
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::{ListedTask, Task};
use crate::schedule::{BatchLock, ConcurrencyPermit, PermitGuard};
use crate::util::future::BoxFuture;

/// A call that runs in a task of its own and has not begun. It has its place among its siblings.
pub(crate) struct TaskRegistration {
    pub(crate) listed: ListedTask,
    pub(crate) permit_guard: Option<PermitGuard>,
}

impl Turn {
    /// Lists a call, so that it can be seen and cancelled separately.
    pub(crate) fn enlist(
        &self,
        call: &ToolCall<'_>,
        batch_lock: Option<&BatchLock>,
    ) -> TaskRegistration {
        let place = self.place();
        let invocation = place.invocation_id;
        let (found, tool) = place.find(call);
        let permit = found.and_then(|(number, _)| {
            let plan = place.catalog.plan(number);
            let batch_lock = batch_lock.filter(|_| plan.beside != Concurrency::Anybody);
            let batch_lock = batch_lock
                .map(|batch_lock| (batch_lock.clone(), plan.beside == Concurrency::Readers));
            ConcurrencyPermit::new(
                batch_lock,
                place.session.slots.clone(),
                plan.slots.clone(),
                None,
            )
        });
        if let Some(permit) = &permit {
            permit.enqueue();
        }
        let scope = TurnScope::of_call(
            self.id(),
            invocation,
            self.scope.cancellation.child_token(),
            Some(Arc::clone(&self.scope)),
            CallStatus::New,
            permit.clone(),
        );
        let task = Task {
            scope: Arc::new(scope),
            identity: place.identity(call.id().cloned(), tool),
            since: self.shared().measures_time.then(Instant::now),
        };
        let listed = self.session().core.tasks.add(task);
        let permit_guard = permit.map(PermitGuard::new);
        TaskRegistration {
            listed,
            permit_guard,
        }
    }

    /// Everything up to where the call is let run, or somebody is to be asked. Boxed: nobody who goes on
    /// from there is to have room for it.
    pub(crate) fn begin(
        &self,
        task: &Arc<Task>,
        permit_guard: Option<PermitGuard>,
        mut call: ToolCall<'static>,
    ) -> BoxFuture<'static, Preparing> {
        let turn = self.clone();
        let task = Arc::clone(task);
        Box::pin(async move {
            let place = turn.place_of(&task.scope, task.identity.invocation);
            let mut begun = match place.source {
                Some(source) => {
                    let outcome = sourced::run(turn.shared(), &place, &call, &**source).await;
                    return Preparing::Ended(Box::new(outcome));
                }
                None => match begin_observed(turn.shared(), &place, &mut call) {
                    Beginning::Begun(begun) => begun,
                    Beginning::Waits(beginning) => beginning.await,
                },
            };
            if let Preparing::Goes(call_state, _) = &mut begun {
                call_state.permit = permit_guard;
            }
            begun
        })
    }
}

/// Runs a call in a task of its own.
pub(crate) fn spawn(turn: &Turn, call: ToolCall<'_>) -> TaskHandle {
    let TaskRegistration {
        listed,
        permit_guard,
    } = turn.enlist(&call, None);
    let task = Arc::clone(&listed.task);
    let (told, outcome) = oneshot::channel();
    if let Ok(runtime) = Handle::try_current() {
        let begin = turn.begin(&task, permit_guard, call.into_owned());
        runtime.spawn(async move {
            let outcome = match begin.await {
                Preparing::Ended(outcome) => *outcome,
                Preparing::Goes(call_state, step) => Box::pin(call_state.drive(step)).await,
            };
            listed.end(&outcome);
            // Sending fails only if nobody waits for the outcome any more.
            let _ = told.send(outcome);
        });
    } else {
        let outcome = task.failed(no_runtime());
        listed.end(&outcome);
        let _ = told.send(outcome);
    }
    TaskHandle { task, outcome }
}

#[cold]
fn no_runtime() -> ToolError {
    ToolError::unavailable("the host cannot run the call in the background")
        .with_source("`spawn` needs a Tokio runtime around it; `call` runs in place and needs none")
}
