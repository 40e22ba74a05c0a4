//! The runs of hooks: listed while they run, and told of at their start and their end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::Executor;
use super::course::Course;
use super::hooks::Hooks;
use crate::event::{EventKind, HookStage};
use crate::id::{HookRunId, InvocationId};
use crate::message::{ErrorKind, ToolError};

/// A hook that looks at calls now: see [`Executor::running_hooks`].
#[derive(Debug, Clone)]
pub struct RunningHook {
    id: HookRunId,
    hook: String,
    stage: HookStage,
    calls: Vec<InvocationId>,
}

impl RunningHook {
    /// The id of the run, which its events have too.
    pub fn id(&self) -> HookRunId {
        self.id
    }

    /// The name of the hook.
    pub fn hook(&self) -> &str {
        &self.hook
    }

    /// The stage at which it runs.
    pub fn stage(&self) -> HookStage {
        self.stage
    }

    /// The calls that it looks at: several where it sees those of a batch together.
    pub fn calls(&self) -> &[InvocationId] {
        &self.calls
    }
}

/// The hooks of an executor that run now.
#[derive(Default)]
pub(super) struct RunningHooks {
    count: AtomicU64,
    all: Mutex<BTreeMap<HookRunId, RunningHook>>,
}

impl RunningHooks {
    fn all(&self) -> MutexGuard<'_, BTreeMap<HookRunId, RunningHook>> {
        // Nothing that may panic happens under the lock.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run of a hook, which is listed until this is dropped.
pub(super) struct HookRun<'c> {
    hooks: &'c Hooks,
    courses: Vec<&'c Course>,
    id: HookRunId,
    hook: &'c str,
    stage: HookStage,
    /// The start of the run. `None` if nobody is told how long it takes.
    began: Option<Instant>,
    ended: bool,
}

impl<'c> HookRun<'c> {
    pub(super) fn begin(
        hooks: &'c Hooks,
        courses: Vec<&'c Course>,
        hook: &'c str,
        stage: HookStage,
    ) -> Self {
        let id = HookRunId::new(hooks.running.count.fetch_add(1, Ordering::Relaxed) + 1);
        let running = RunningHook {
            id,
            hook: hook.to_owned(),
            stage,
            calls: courses.iter().map(|course| course.invocation_id).collect(),
        };
        hooks.running.all().insert(id, running);
        for course in &courses {
            course.emit(|| EventKind::HookStarted {
                id,
                hook: hook.to_owned(),
                stage,
            });
        }
        let is_told = courses.iter().any(|course| course.witness.is_some());
        Self {
            hooks,
            courses,
            id,
            hook,
            stage,
            began: is_told.then(Instant::now),
            ended: false,
        }
    }

    pub(super) fn end<T>(mut self, result: &Result<T, ToolError>) {
        self.tell_end(result.as_ref().err().map(ToolError::kind));
    }

    fn tell_end(&mut self, error: Option<ErrorKind>) {
        self.ended = true;
        let Some(began) = self.began else { return };
        let duration = began.elapsed();
        for course in &self.courses {
            course.emit(|| EventKind::HookFinished {
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

impl Executor {
    /// The hooks that look at calls now, in the order in which they began: each run of a
    /// [`BeforeTool`](crate::BeforeTool) or [`AfterTool`](crate::AfterTool), programs among them. Gates
    /// decide at once and are not among them.
    pub fn running_hooks(&self) -> Vec<RunningHook> {
        self.shared.hooks.running.all().values().cloned().collect()
    }
}
