//! From a registry to a catalog: what is found out about tools before any is called.

use std::sync::Arc;
use std::time::Duration;

use super::BuildProblem;
#[cfg(feature = "json-schema")]
use super::OutputCheck;
use super::catalog::Catalog;
#[cfg(feature = "json-schema")]
use super::checked::Checker;
use super::described::Described;
use super::excess::Excess;
use super::guard::guarded;
use crate::permission::Judge;
use crate::registry::{ToolRegistry, ToolSnapshot};
use crate::spec::CapabilityGrant;
use crate::tool::Resources;

/// What is needed to find out about tools, now and when they are replaced.
pub(super) struct Planner {
    pub(super) judge: Arc<Judge>,
    pub(super) resources: Arc<Resources>,
    pub(super) grants: Vec<CapabilityGrant>,
    pub(super) timeout: Option<Duration>,
    pub(super) excess: Excess,
    #[cfg(feature = "json-schema")]
    pub(super) output_check: OutputCheck,
}

impl Planner {
    /// The catalog of a registry, for use where no problem is told.
    pub(super) fn catalog(
        &self,
        mut registry: ToolRegistry,
        problems: &mut Vec<BuildProblem>,
    ) -> Catalog {
        self.excess.register(&mut registry);
        // Tools that could not be made are missing, as one that could not be registered.
        let made = problems.is_empty();
        let checked = registry.check();
        let registered = made && checked.is_ok();
        if let Err(error) = checked {
            problems.push(BuildProblem::Registry(error));
        }
        let snapshot = ToolSnapshot::new(registry);
        let mut plans = Vec::with_capacity(snapshot.len());
        let mut specs = Vec::with_capacity(snapshot.len());
        for entry in snapshot.entries() {
            let Ok(described) = guarded("the tool", || Described::new(entry, &self.grants)) else {
                let tool = entry.name.clone();
                problems.push(BuildProblem::Panicked { tool });
                continue;
            };
            described.problems(&self.resources, problems);
            specs.push(described.spec);
            let mut plan = described.plan(&self.judge, self.timeout, self.excess.limit);
            #[cfg(feature = "json-schema")]
            match Checker::new(self.output_check, &entry.name, described.spec) {
                Ok(checker) => plan.checker = checker.map(Arc::new),
                Err(problem) => problems.push(problem),
            }
            plans.push(plan);
        }
        // Where tools are missing, a checker would tell of what is no fault of its own.
        if registered && specs.len() == snapshot.len() {
            let of_checker = self.judge.problems(&specs).into_iter();
            problems.extend(of_checker.map(BuildProblem::Permissions));
        }
        Catalog::new(Arc::new(snapshot), plans)
    }
}
