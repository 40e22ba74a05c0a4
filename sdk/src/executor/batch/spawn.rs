//! Calls that run by themselves.

use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::content::{ToolCall, ToolError};
use crate::context::{CallTurn, TaskScope};
use crate::executor::batch::handle::TaskHandle;
use crate::executor::call::observed::{Beginning, begin_observed};
use crate::executor::call::sourced;
use crate::executor::call::state::Preparing;
use crate::executor::catalog::tools::{Concurrency, ToolPlan};
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::{Task, TaskList, TaskRef};
use crate::id::Label;
use crate::schedule::{BatchLock, ConcurrencyPermit, PermitGuard};
use crate::util::future::BoxFuture;

/// Calls that came together and have not begun. Each has its place among the others.
pub(crate) struct TaskRegistrations {
    pub(crate) list: Arc<TaskList>,
    /// By the number of the call.
    pub(crate) enlisted: Vec<EnlistedCall>,
    /// True if one of the calls must not run beside others.
    pub(crate) keeps_order: bool,
}

/// A call that has its place among the others.
pub(crate) struct EnlistedCall {
    /// The number of its tool, if there is one.
    pub(crate) tool: Option<usize>,
    pub(crate) permit: Option<PermitGuard>,
}

impl Turn {
    /// Lists calls, so that they can be seen and cancelled separately.
    pub(crate) fn enlist(&self, calls: &[ToolCall<'_>]) -> TaskRegistrations {
        let core = &self.session().core;
        let first = core.next_of(calls.len());
        let place = self.place_of(CallTurn::Scope(&self.scope), self.invocation(first));
        let find = |call: &ToolCall<'_>| {
            let (found, label) = place.find(call);
            (found.map(|(number, _)| number), label)
        };
        let found: Vec<_> = calls.iter().map(find).collect();
        let plan = |tool: Option<usize>| tool.map(|tool| place.catalog.plan(tool));
        let is_alone = |(tool, _): &(Option<usize>, Label)| {
            plan(*tool).is_some_and(|plan| plan.beside == Concurrency::Nobody)
        };
        // Without a runtime they run one after another anyway.
        let keeps_order =
            calls.len() > 1 && found.iter().any(is_alone) && Handle::try_current().is_ok();
        let batch_lock = keeps_order.then(BatchLock::default);
        let since = self.shared().measures_time.then(Instant::now);
        let mut tasks = Vec::with_capacity(calls.len());
        let mut enlisted = Vec::with_capacity(calls.len());
        for ((call, (tool, label)), number) in calls.iter().zip(found).zip(first..) {
            let permit = plan(tool).and_then(|plan| self.permit(plan, batch_lock.as_ref()));
            let invocation = self.invocation(number);
            let place = self.place_of(CallTurn::Scope(&self.scope), invocation);
            tasks.push(Task {
                scope: TaskScope::new(&self.scope, invocation, permit.clone()),
                identity: place.identity(call.id().cloned(), label),
                since,
            });
            enlisted.push(EnlistedCall {
                tool,
                permit: permit.map(PermitGuard::new),
            });
        }
        TaskRegistrations {
            list: core.tasks.add(&self.scope, tasks),
            enlisted,
            keeps_order,
        }
    }

    /// The permit of a call, which has its place in the order of the calls from then on.
    #[inline]
    fn permit(
        &self,
        plan: &ToolPlan,
        batch_lock: Option<&BatchLock>,
    ) -> Option<Arc<ConcurrencyPermit>> {
        let batch_lock = batch_lock.filter(|_| plan.beside != Concurrency::Anybody);
        let batch_lock =
            batch_lock.map(|batch_lock| (batch_lock.clone(), plan.beside == Concurrency::Readers));
        let of_session = self.session().core.scope.slots.clone();
        let permit = ConcurrencyPermit::new(batch_lock, of_session, plan.slots.clone(), None)?;
        permit.enqueue();
        Some(permit)
    }

    /// Everything up to where the call is let run, or somebody is to be asked. Boxed: nobody who goes on
    /// from there is to have room for it.
    pub(crate) fn begin(
        &self,
        task: &TaskRef,
        permit_guard: Option<PermitGuard>,
        mut call: ToolCall<'static>,
    ) -> BoxFuture<'static, Preparing> {
        let turn = self.clone();
        let task = task.clone();
        Box::pin(async move {
            let place = turn.place_of_task(&task);
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
    let TaskRegistrations {
        list, mut enlisted, ..
    } = turn.enlist(std::slice::from_ref(&call));
    let listed = list.listed(0);
    let task = listed.task.clone();
    let (told, outcome) = oneshot::channel();
    if let Ok(runtime) = Handle::try_current() {
        let permit = enlisted.pop().and_then(|enlisted| enlisted.permit);
        let begin = turn.begin(&task, permit, call.into_owned());
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
