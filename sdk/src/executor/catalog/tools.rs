//! The tools as calls find them, with what is known of each before it is called.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::executor::catalog::foreknown::Verdicts;
use crate::executor::catalog::plan::ToolPlan;
use crate::executor::catalog::scope::CatalogScope;
use crate::id::ToolName;
use crate::registry::{Entry, ToolSnapshot};
use crate::spec::ToolSpec;
use crate::tool::Specs;

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
    pub(crate) fn entry(&self, number: usize) -> &Entry {
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
        // Threads that only look do not take it from each other.
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
