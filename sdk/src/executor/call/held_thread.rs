//! Sync bodies that hold their thread for long: reported once for each tool, if somebody observes calls.

use std::time::{Duration, Instant};

use crate::event::EventKind;
use crate::executor::call::state::CallState;
use crate::executor::trace::warn_of_held_thread;

/// The longest that a sync body holds its thread without being told of.
const LIMIT: Duration = Duration::from_millis(50);

/// The time at which a sync body began.
pub(crate) struct HeldThread(Instant);

impl HeldThread {
    /// A call that nobody observes reads no clock.
    pub(crate) fn of(call_state: &CallState) -> Option<Self> {
        let never_waits = call_state.plan().never_waits;
        never_waits.then(|| Self(Instant::now()))
    }

    pub(crate) fn tell(&self, call_state: &CallState) {
        let held = self.0.elapsed();
        if held > LIMIT {
            tell(call_state, held);
        }
    }
}

#[cold]
fn tell(call_state: &CallState, held: Duration) {
    let tool = &call_state.entry().name;
    let told = &call_state.shared.held_threads;
    if !told.lock().insert(tool.clone()) {
        return;
    }
    warn_of_held_thread(tool, held);
    call_state.emit(|| EventKind::Diagnostic {
        code: "held_thread".to_owned(),
        message: format!(
            "the body of `{tool}` held its thread for {held:?}: other calls of the batch and other tasks \
             of that thread waited; make it `#[tool(blocking)]`, or `async`"
        ),
    });
}
