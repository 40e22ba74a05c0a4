//! The tools as calls find them, with what is known of each before it is called.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::content::ToolOutput;
use crate::context::Specs;
use crate::executor::catalog::capabilities::Unequipped;
use crate::executor::catalog::foreknown::{ToolVerdict, Verdicts};
use crate::executor::catalog::output_check::Checker;
use crate::id::ToolName;
use crate::registry::{ToolAvailability, ToolEntry, ToolSnapshot, UnavailableReason};
use crate::spec::{CapabilityGrant, Effect, ToolSpec};

/// The tools of a snapshot, with what is known of each before it is called. A call sees one catalog
/// from its start to its end.
pub(crate) struct Catalog {
    pub(crate) snapshot: Arc<ToolSnapshot>,
    /// By the tool's number.
    plans: Vec<ToolPlan>,
    /// The size of each tool's last output, by its number.
    output_sizes: Vec<AtomicUsize>,
    /// The restrictions: tools that are not there, and why.
    pub(crate) scope: CatalogScope,
}

impl Catalog {
    /// There is a plan for each entry of the snapshot.
    pub(crate) fn new(snapshot: Arc<ToolSnapshot>, plans: Vec<ToolPlan>) -> Self {
        Self::with_scope(snapshot, plans, CatalogScope::default())
    }

    pub(crate) fn with_scope(
        snapshot: Arc<ToolSnapshot>,
        plans: Vec<ToolPlan>,
        scope: CatalogScope,
    ) -> Self {
        let output_sizes = plans.iter().map(|_| AtomicUsize::new(0)).collect();
        Self {
            snapshot,
            plans,
            output_sizes,
            scope,
        }
    }

    /// The same tools, judged by another checker.
    pub(crate) fn judged_by(&self, verdicts: &Arc<Verdicts>) -> Self {
        let mut plans = self.plans.clone();
        for (number, plan) in plans.iter_mut().enumerate() {
            plan.foreknown = verdicts.of(self.entry(number));
        }
        let mut scope = self.scope.clone();
        scope.availability.problems = verdicts.problems().to_vec();
        scope.verdicts = Some(Arc::clone(verdicts));
        Self::with_scope(Arc::clone(&self.snapshot), plans, scope)
    }

    #[inline]
    pub(crate) fn entry(&self, number: usize) -> &ToolEntry {
        &self.snapshot.entries()[number]
    }

    #[inline]
    pub(crate) fn plan(&self, number: usize) -> &ToolPlan {
        &self.plans[number]
    }

    pub(crate) fn plans(&self) -> impl Iterator<Item = &ToolPlan> {
        self.plans.iter()
    }

    #[inline]
    pub(crate) fn note_size(&self, number: usize, bytes: usize) {
        let known = &self.output_sizes[number];
        // A read leaves the cache line shared between threads; a needless write would not.
        if known.load(Ordering::Relaxed) != bytes {
            known.store(bytes, Ordering::Relaxed);
        }
    }
}

impl Specs for Catalog {
    fn name(&self, number: usize) -> &ToolName {
        &self.entry(number).name
    }

    fn spec(&self, number: usize) -> &ToolSpec {
        self.entry(number).tool.spec()
    }

    fn timeout(&self, number: usize) -> Option<Duration> {
        self.plan(number).timeout
    }

    fn output_hint(&self, number: usize) -> usize {
        self.output_sizes[number].load(Ordering::Relaxed)
    }
}

/// The catalog of a call, from its start to its end.
#[derive(Clone)]
pub(crate) enum CatalogRef<'s> {
    /// The initial catalog of the executor. It lives as long as the executor, and so
    /// costs a call nothing.
    First(&'s Arc<Catalog>),
    Own(Arc<Catalog>),
}

impl CatalogRef<'_> {
    /// Returns the specs that the context of a call needs, or `None` for the initial catalog.
    #[inline]
    pub(crate) fn specs(&self) -> Option<Arc<dyn Specs>> {
        match self {
            Self::First(_) => None,
            Self::Own(catalog) => Some(Arc::<Catalog>::clone(catalog)),
        }
    }
}

impl Deref for CatalogRef<'_> {
    type Target = Arc<Catalog>;

    #[inline]
    fn deref(&self) -> &Arc<Catalog> {
        match self {
            Self::First(catalog) => catalog,
            Self::Own(catalog) => catalog,
        }
    }
}

/// The facts about a tool before it is called, taken from its spec once.
#[derive(Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own about the tool"
)]
pub(crate) struct ToolPlan {
    pub(crate) foreknown: ToolVerdict,
    pub(crate) timeout: Option<Duration>,
    pub(crate) repeatable: bool,
    /// True if its bodies never wait, so that they run where the call stands.
    pub(crate) never_waits: bool,
    /// True if its bodies are given their arguments and nothing of the call.
    pub(crate) arguments_only: bool,
    /// True if its calls request nothing, and the tool may run them in one step.
    pub(crate) runs_directly: bool,
    /// True if only its name selects it.
    pub(crate) explicit_only: bool,
    /// The capabilities and resources that calls may lack.
    pub(crate) unequipped: Option<Unequipped>,
    pub(crate) beside: Concurrency,
    /// The permits for calls of it, if their number is limited.
    pub(crate) slots: Option<Arc<Semaphore>>,
    /// The most bytes of an output.
    pub(crate) output: u64,
    /// Judges outputs, where they are judged.
    pub(crate) checker: Option<Arc<Checker>>,
}

/// Beside which other calls of a batch those of a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concurrency {
    /// No other: it may change what they see.
    Nobody,
    /// Those that only look, as it does itself.
    Readers,
    /// Any: its author says so.
    Anybody,
}

impl Concurrency {
    pub(crate) fn of(spec: &ToolSpec) -> Self {
        match spec.effect() {
            _ if spec.is_concurrent() => Self::Anybody,
            Effect::Pure | Effect::ReadOnly => Self::Readers,
            _ => Self::Nobody,
        }
    }
}

impl ToolPlan {
    /// Holds an output to the schema that the tool declares for it.
    #[inline]
    pub(crate) fn check(&self, output: &mut ToolOutput) {
        // Without a validator there is no checker, and a plain call does not look for one.
        if cfg!(feature = "json-schema")
            && let Some(checker) = &self.checker
        {
            checker.check(output);
        }
    }
}

/// The restrictions of a catalog, and the verdicts of a checker that is not the executor's.
#[derive(Clone, Default)]
pub(crate) struct CatalogScope {
    /// Tools that no session below may have.
    pub(crate) barred: HashMap<ToolName, UnavailableReason>,
    /// Tools that are gone or off, for the message to a model that calls one.
    pub(crate) absent: HashMap<Box<str>, Absence>,
    /// The capabilities that are granted at most here and in each session above.
    pub(crate) capabilities: Vec<Arc<[CapabilityGrant]>>,
    pub(crate) availability: ToolAvailability,
    /// The verdicts of the session's own checker. `None` if it has none.
    pub(crate) verdicts: Option<Arc<Verdicts>>,
}

#[derive(Clone)]
pub(crate) enum Absence {
    /// It was there before.
    Removed,
    /// It would be there, were a feature not off.
    Off(String),
}
