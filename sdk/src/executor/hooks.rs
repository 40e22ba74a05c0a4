//! The gates and hooks of an executor, and the runs of hooks that are listed now.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::event::HookStage;
use crate::hook::{AfterTool, BeforeTool, ToolGate};
use crate::id::{HookRunId, InvocationId};
use crate::util::lock::Lock;

/// A hook that looks at calls now: see [`Executor::running_hooks`](crate::Executor::running_hooks).
#[derive(Debug, Clone)]
pub struct RunningHook {
    pub(crate) id: HookRunId,
    pub(crate) hook: Arc<str>,
    pub(crate) stage: HookStage,
    pub(crate) calls: HookedCalls,
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
        match &self.calls {
            HookedCalls::One(call) => std::slice::from_ref(call),
            HookedCalls::Several(calls) => calls,
        }
    }
}

/// The calls that a hook looks at.
#[derive(Debug, Clone)]
pub(crate) enum HookedCalls {
    One(InvocationId),
    Several(Vec<InvocationId>),
}

/// The hooks of an executor that run now, in the order in which they began.
#[derive(Default)]
pub(crate) struct RunningHooks {
    count: AtomicU64,
    all: Lock<Vec<RunningHook>>,
}

impl RunningHooks {
    pub(crate) fn add(&self, hook: &Arc<str>, stage: HookStage, calls: HookedCalls) -> HookRunId {
        let mut all = self.all.lock();
        let id = HookRunId::new(self.count.fetch_add(1, Ordering::Relaxed) + 1);
        all.push(RunningHook {
            id,
            hook: Arc::clone(hook),
            stage,
            calls,
        });
        id
    }

    pub(crate) fn remove(&self, id: HookRunId) {
        let mut all = self.all.lock();
        // The last to begin is commonly the first to end.
        if let Some(at) = all.iter().rposition(|running| running.id == id) {
            all.remove(at);
        }
    }

    pub(crate) fn all(&self) -> Vec<RunningHook> {
        self.all.lock().clone()
    }
}

/// The time that a hook may take by default.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// A gate or hook, and what it is called.
pub(crate) struct NamedHook<T: ?Sized> {
    pub(crate) name: Arc<str>,
    pub(crate) it: Box<T>,
}

/// The gates and hooks of an executor, in the order in which they were added.
pub(crate) struct Hooks {
    pub(crate) gates: Vec<NamedHook<dyn ToolGate>>,
    pub(crate) before: Vec<NamedHook<dyn BeforeTool>>,
    pub(crate) after: Vec<NamedHook<dyn AfterTool>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) running: RunningHooks,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            gates: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            timeout: Some(DEFAULT_TIMEOUT),
            running: RunningHooks::default(),
        }
    }
}

impl Hooks {
    pub(crate) fn is_empty(&self) -> bool {
        !self.look_before() && self.after.is_empty()
    }

    /// Returns true if any look at calls before they run.
    pub(crate) fn look_before(&self) -> bool {
        !self.gates.is_empty() || !self.before.is_empty()
    }
}
