//! Sync bodies that hold their thread for long: reported once for each tool, if somebody observes calls.

use std::time::{Duration, Instant};

use crate::event::EventKind;
use crate::executor::catalog::tools::ToolPlan;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::observe::observer::CallObserver;
use crate::executor::trace::warn_of_held_thread;
use crate::id::ToolName;

/// The longest that a sync body holds its thread without being told of.
const LIMIT: Duration = Duration::from_millis(50);

/// The time at which a sync body began.
pub(crate) struct HeldThread(Instant);

impl HeldThread {
    /// A call that nobody observes reads no clock.
    pub(crate) fn of(plan: &ToolPlan) -> Option<Self> {
        plan.never_waits.then(|| Self(Instant::now()))
    }

    pub(crate) fn tell(&self, shared: &ExecutorCore, tool: &ToolName, observer: &CallObserver) {
        let held = self.0.elapsed();
        if held > LIMIT {
            tell(shared, tool, observer, held);
        }
    }
}

/// Tells of a plain call whose body never waits: it has held its thread since it began. Returns that time.
#[cold]
#[inline(never)]
pub(crate) fn tell_of_held_thread(
    shared: &ExecutorCore,
    (plan, tool): (&ToolPlan, &ToolName),
    observer: &CallObserver,
) -> Duration {
    let held = observer.elapsed();
    if plan.never_waits && held > LIMIT {
        tell(shared, tool, observer, held);
    }
    held
}

#[cold]
fn tell(shared: &ExecutorCore, tool: &ToolName, observer: &CallObserver, held: Duration) {
    if !shared.held_threads.lock().insert(tool.clone()) {
        return;
    }
    warn_of_held_thread(tool, held);
    observer.emit(|| EventKind::Diagnostic {
        code: "held_thread".to_owned(),
        message: format!(
            "the body of `{tool}` held its thread for {held:?}: other calls of the batch and other tasks \
             of that thread waited; make it `#[tool(blocking)]`, or `async`"
        ),
    });
}
