//! The tools as calls find them, with what is known of each before it is called.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

#[cfg(feature = "json-schema")]
use super::checked::Checker;
use super::narrow::Scope;
use super::permits::Foreknown;
use super::session_checker::Verdicts;
use super::unequipped::Unequipped;
use crate::id::ToolName;
use crate::message::ToolOutput;
use crate::registry::{Entry, ToolSnapshot};
use crate::spec::{Effect, ToolSpec};
use crate::tool::Specs;

/// The tools of a snapshot, with what is known of each before it is called. A call sees one catalog
/// from its start to its end.
pub(super) struct Catalog {
    pub(super) snapshot: Arc<ToolSnapshot>,
    /// By the tool's number.
    plans: Vec<Plan>,
    /// The size of each tool's last output, by its number.
    output_sizes: Vec<AtomicUsize>,
    /// What it has not.
    pub(super) scope: Scope,
}

/// What is known of a tool before it is called, taken from its spec once.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) foreknown: Foreknown,
    pub(super) timeout: Option<Duration>,
    pub(super) repeatable: bool,
    /// Whether only its name selects it.
    pub(super) explicit_only: bool,
    /// The capabilities and resources that calls may lack.
    pub(super) unequipped: Option<Unequipped>,
    pub(super) beside: Beside,
    /// How many calls of it may run at a time.
    pub(super) slots: Option<Arc<Semaphore>>,
    /// The most bytes of an output.
    pub(super) output: u64,
    /// Judges outputs, where they are judged.
    #[cfg(feature = "json-schema")]
    pub(super) checker: Option<Arc<Checker>>,
}

/// Beside which other calls of a batch those of a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// None: it may change what they see.
    Nobody,
    /// Those that only look, as it does itself.
    Readers,
    /// Any: its author says so.
    Anybody,
}

impl Beside {
    pub(super) fn of(spec: &ToolSpec) -> Self {
        match spec.effect() {
            _ if spec.is_concurrent() => Self::Anybody,
            Effect::Pure | Effect::ReadOnly => Self::Readers,
            _ => Self::Nobody,
        }
    }
}

impl Catalog {
    /// There is a plan for each entry of the snapshot.
    pub(super) fn new(snapshot: Arc<ToolSnapshot>, plans: Vec<Plan>) -> Self {
        Self::with_scope(snapshot, plans, Scope::default())
    }

    pub(super) fn with_scope(snapshot: Arc<ToolSnapshot>, plans: Vec<Plan>, scope: Scope) -> Self {
        let output_sizes = plans.iter().map(|_| AtomicUsize::new(0)).collect();
        Self {
            snapshot,
            plans,
            output_sizes,
            scope,
        }
    }

    /// The same tools, judged by another checker.
    pub(super) fn judged_by(&self, verdicts: &Arc<Verdicts>) -> Self {
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
    pub(super) fn entry(&self, number: usize) -> &Entry {
        &self.snapshot.entries()[number]
    }

    #[inline]
    pub(super) fn plan(&self, number: usize) -> &Plan {
        &self.plans[number]
    }

    pub(super) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.plans.iter()
    }

    #[inline]
    pub(super) fn note_size(&self, number: usize, bytes: usize) {
        let known = &self.output_sizes[number];
        // Threads that only look do not take it from each other.
        if known.load(Ordering::Relaxed) != bytes {
            known.store(bytes, Ordering::Relaxed);
        }
    }
}

impl Plan {
    /// An output as it may go on.
    #[inline]
    #[cfg_attr(
        not(feature = "json-schema"),
        expect(clippy::unused_self, reason = "nothing is checked without a validator")
    )]
    pub(super) fn checked(&self, output: ToolOutput) -> ToolOutput {
        #[cfg(feature = "json-schema")]
        if let Some(checker) = &self.checker {
            return checker.checked(output);
        }
        output
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
