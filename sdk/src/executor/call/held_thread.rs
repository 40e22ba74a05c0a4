//! Sync bodies that hold their thread for long: told once for each tool, where somebody is told of calls.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::event::EventKind;
use crate::executor::call::state::Course;
use crate::tool::Invocation;

/// The longest that a sync body holds its thread without being told of.
const LIMIT: Duration = Duration::from_millis(50);

/// When a sync body began.
pub(crate) struct HeldThread(Instant);

impl HeldThread {
    /// A call that nobody observes reads no clock.
    pub(crate) fn of(course: &Course, invocation: &dyn Invocation) -> Option<Self> {
        (course.witness.is_some() && invocation.runs_now()).then(|| Self(Instant::now()))
    }

    pub(crate) fn tell(&self, course: &Course) {
        let held = self.0.elapsed();
        if held > LIMIT {
            tell(course, held);
        }
    }
}

#[cold]
fn tell(course: &Course, held: Duration) {
    let tool = &course.entry().name;
    let told = &course.shared.held_threads;
    let is_new = {
        // Nothing that may panic happens under the lock.
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(tool.clone())
    };
    if !is_new {
        return;
    }
    #[cfg(feature = "tracing")]
    tracing::warn!(
        target: "toolwright",
        tool = tool.as_str(),
        held_ms = held.as_secs_f64() * 1e3,
        "a sync body held its thread: make the tool `blocking` or `async`"
    );
    course.emit(|| EventKind::Diagnostic {
        code: "held_thread".to_owned(),
        message: format!(
            "the body of `{tool}` held its thread for {held:?}: other calls of the batch and other tasks \
             of that thread waited; make it `#[tool(blocking)]`, or `async`"
        ),
    });
}
