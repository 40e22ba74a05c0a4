//! The gates and hooks of an executor, and the runs of hooks that are listed now.

use std::any::TypeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::event::HookStage;
use crate::hook::{AfterTool, BatchDecision, BeforeTool, ToolGate};
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

/// A run of a hook, without the name of the hook: to share that costs, and few ask for it.
struct ListedRun {
    id: HookRunId,
    stage: HookStage,
    number: usize,
    calls: HookedCalls,
}

/// The hooks of an executor that run now, in the order in which they began.
#[derive(Default)]
pub(crate) struct RunningHooks {
    /// With the number of runs that have begun.
    all: Lock<(u64, Vec<ListedRun>)>,
}

impl RunningHooks {
    /// Lists a run of the hook of a stage and number.
    #[inline]
    pub(crate) fn add(&self, (stage, number): (HookStage, usize), calls: HookedCalls) -> HookRunId {
        let mut all = self.all.lock();
        all.0 += 1;
        let id = HookRunId::new(all.0);
        all.1.push(ListedRun {
            id,
            stage,
            number,
            calls,
        });
        id
    }

    pub(crate) fn remove(&self, id: HookRunId) {
        let (_, all) = &mut *self.all.lock();
        // The last to begin is commonly the first to end.
        if all.pop_if(|running| running.id == id).is_none()
            && let Some(at) = all.iter().position(|running| running.id == id)
        {
            all.remove(at);
        }
    }
}

/// The time that a hook may take by default.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// A gate or hook, and what it is called.
pub(crate) struct NamedHook<T: ?Sized> {
    /// The place among those of its stage.
    pub(crate) number: usize,
    pub(crate) name: Arc<str>,
    pub(crate) it: Box<T>,
}

/// A hook before calls.
pub(crate) struct BeforeHook {
    /// The place among those of its stage.
    pub(crate) number: usize,
    pub(crate) name: Arc<str>,
    pub(crate) it: Box<dyn BeforeTool>,
    of_type: TypeId,
    /// True once it is known that the hook has no answer of its own for batches.
    ignores_batches: AtomicBool,
}

impl BeforeHook {
    pub(crate) fn new<T: BeforeTool>(number: usize, hook: T) -> Self {
        Self {
            number,
            name: hook.name().into(),
            it: Box::new(hook),
            of_type: TypeId::of::<T>(),
            ignores_batches: AtomicBool::new(false),
        }
    }

    /// Returns true if the hook is known to decide nothing about batches, whatever they are.
    pub(crate) fn ignores_batches(&self) -> bool {
        self.ignores_batches.load(Ordering::Relaxed)
    }

    /// Takes note of the hook's answer for a batch. Of a hook that passes on the answer of another, nothing is
    /// known: it may ask yet another next time.
    pub(crate) fn note_answer(&self, decision: &BatchDecision) {
        if decision.default_of == Some(self.of_type) && !self.ignores_batches() {
            self.ignores_batches.store(true, Ordering::Relaxed);
        }
    }
}

/// The gates and hooks of an executor, in the order in which they were added.
pub(crate) struct Hooks {
    pub(crate) gates: Vec<NamedHook<dyn ToolGate>>,
    pub(crate) before: Vec<BeforeHook>,
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
    /// The name of the hook of a stage and number.
    pub(crate) fn name(&self, stage: HookStage, number: usize) -> &str {
        let name = match stage {
            HookStage::Before => self.before.get(number).map(|hook| &hook.name),
            HookStage::After => self.after.get(number).map(|hook| &hook.name),
        };
        name.map_or("", |name| name)
    }

    /// The hooks that run now.
    pub(crate) fn running(&self) -> Vec<RunningHook> {
        let all = self.running.all.lock();
        let running = all.1.iter().map(|run| RunningHook {
            id: run.id,
            hook: self.name(run.stage, run.number).into(),
            stage: run.stage,
            calls: run.calls.clone(),
        });
        running.collect()
    }

    /// Returns true if any look at calls before they run.
    pub(crate) fn look_before(&self) -> bool {
        !self.gates.is_empty() || !self.before.is_empty()
    }
}
