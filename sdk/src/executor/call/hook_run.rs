//! The run of a hook: it is listed while it runs, and its start and its end are events.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::event::{EventKind, HookStage};
use crate::executor::call::state::CallState;
use crate::executor::hooks::{Hooks, RunningHook};
use crate::id::HookRunId;
use crate::message::{ErrorKind, ToolError};

/// A run of a hook, which is listed until this is dropped.
pub(crate) struct HookRun<'c> {
    hooks: &'c Hooks,
    call_states: Vec<&'c CallState>,
    id: HookRunId,
    hook: &'c str,
    stage: HookStage,
    /// The start of the run. `None` if nobody is told how long it takes.
    began: Option<Instant>,
    ended: bool,
}

impl<'c> HookRun<'c> {
    pub(crate) fn begin(
        hooks: &'c Hooks,
        call_states: Vec<&'c CallState>,
        hook: &'c str,
        stage: HookStage,
    ) -> Self {
        let id = HookRunId::new(hooks.running.count.fetch_add(1, Ordering::Relaxed) + 1);
        let running = RunningHook {
            id,
            hook: hook.to_owned(),
            stage,
            calls: call_states
                .iter()
                .map(|call_state| call_state.identity.invocation)
                .collect(),
        };
        hooks.running.all().insert(id, running);
        for call_state in &call_states {
            call_state.emit(|| EventKind::HookStarted {
                id,
                hook: hook.to_owned(),
                stage,
            });
        }
        let is_told = call_states
            .iter()
            .any(|call_state| call_state.observer.is_some());
        Self {
            hooks,
            call_states,
            id,
            hook,
            stage,
            began: is_told.then(Instant::now),
            ended: false,
        }
    }

    pub(crate) fn end<T>(mut self, result: &Result<T, ToolError>) {
        self.tell_end(result.as_ref().err().map(ToolError::kind));
    }

    fn tell_end(&mut self, error: Option<ErrorKind>) {
        self.ended = true;
        let Some(began) = self.began else { return };
        let duration = began.elapsed();
        for call_state in &self.call_states {
            call_state.emit(|| EventKind::HookFinished {
                id: self.id,
                hook: self.hook.to_owned(),
                stage: self.stage,
                duration,
                error,
            });
        }
    }
}

/// A hook whose call is dropped has ended too.
impl Drop for HookRun<'_> {
    fn drop(&mut self) {
        self.hooks.running.all().remove(&self.id);
        if !self.ended {
            self.tell_end(Some(ErrorKind::Cancelled));
        }
    }
}
