//! From a registry to a catalog: the facts about tools before any is called.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::context::{ResourceKey, Resources};
use crate::dispatch::DispatchError;
use crate::executor::build_error::{BuildProblem, PlacementProblem};
use crate::executor::catalog::inspect::ToolInspection;
use crate::executor::catalog::output_check::{Checker, OutputCheck};
use crate::executor::catalog::tools::Catalog;
use crate::executor::guard::catch_tool_panic;
use crate::executor::output::large::LargeOutputs;
use crate::id::InvocationId;
use crate::permission::PermissionEvaluator;
use crate::registry::{ToolEntry, ToolRegistry, ToolSnapshot};
use crate::spec::{CapabilityGrant, ToolSpec};
use crate::ticket::TicketKey;
use crate::tool::Tool;
use crate::util::future::BoxFuture;

/// The settings that a catalog is made with, now and when tools are replaced.
pub(crate) struct CatalogBuilder {
    pub(crate) judge: Arc<PermissionEvaluator>,
    pub(crate) resources: Arc<Resources>,
    /// Those that sessions bring.
    pub(crate) session_resources: Vec<ResourceKey>,
    pub(crate) grants: Vec<CapabilityGrant>,
    pub(crate) timeout: Option<Duration>,
    /// By the names of tools, or by others that lead to them.
    pub(crate) slots: BTreeMap<String, Arc<Semaphore>>,
    pub(crate) excess: LargeOutputs,
    pub(crate) output_check: OutputCheck,
    pub(crate) placement: Placement,
}

/// The place of calls that are durable or belong to a pool.
#[derive(Default)]
pub(crate) enum Placement {
    /// No place: an executor with such a tool is not built.
    #[default]
    Nowhere,
    /// Here, like that of all others.
    Here,
    /// Wherever a dispatcher has them run.
    Dispatched(Arc<dyn Placer>),
}

/// The port that replaces tools whose calls are dispatched.
pub(crate) trait Placer: Send + Sync {
    /// Returns the reason why the calls of a tool cannot be dispatched.
    fn problem(&self, spec: &ToolSpec) -> Option<PlacementProblem>;

    /// Returns the tool that hands over the calls of another one.
    fn placed(&self, tool: &Arc<dyn Tool>) -> Arc<dyn Tool>;

    /// Returns true if the dispatcher has a call, and keeps it when processes end.
    fn keeps(&self, call: InvocationId) -> BoxFuture<'_, Result<bool, DispatchError>>;

    /// Sets the key that calls are signed with, once.
    fn sign_with(&self, key: &TicketKey);
}

impl Placement {
    /// Has the tool dispatch its calls, where it declares that.
    fn place(&self, entry: &mut ToolEntry, problems: &mut Vec<BuildProblem>) {
        // A tool that panics is reported when it is inspected.
        let Ok(Some(problem)) = catch_tool_panic("the tool", || self.placed(entry)) else {
            return;
        };
        let tool = entry.name.clone();
        problems.push(BuildProblem::Placement { tool, problem });
    }

    fn placed(&self, entry: &mut ToolEntry) -> Option<PlacementProblem> {
        if !entry.tool.spec().is_dispatched() {
            return None;
        }
        match self {
            Self::Nowhere => Some(PlacementProblem::NoDispatcher {
                pool: entry.tool.spec().pool().map(str::to_owned),
            }),
            Self::Here => None,
            Self::Dispatched(placer) => {
                let problem = placer.problem(entry.tool.spec());
                let tool = placer.placed(&entry.tool);
                entry.replace_tool(tool);
                problem
            }
        }
    }
}

impl CatalogBuilder {
    /// The catalog of a registry, for use where problems are not reported.
    pub(crate) fn catalog(
        &self,
        mut registry: ToolRegistry,
        problems: &mut Vec<BuildProblem>,
    ) -> Catalog {
        self.excess.register(&mut registry);
        // A tool that could not be made is missing, as if it could not be registered.
        let made = problems.is_empty();
        let checked = registry.check();
        let registered = made && checked.is_ok();
        if let Err(error) = checked {
            problems.push(BuildProblem::Registry(error));
        }
        let mut snapshot = ToolSnapshot::new(registry);
        for entry in snapshot.entries_mut() {
            self.placement.place(entry, problems);
        }
        let limited = self.limited(&snapshot);
        let mut plans = Vec::with_capacity(snapshot.len());
        let mut specs = Vec::with_capacity(snapshot.len());
        for (number, entry) in snapshot.entries().iter().enumerate() {
            let Ok(described) =
                catch_tool_panic("the tool", || ToolInspection::new(entry, &self.grants))
            else {
                let tool = entry.name.clone();
                problems.push(BuildProblem::Panicked { tool });
                continue;
            };
            described.problems(&self.resources, &self.session_resources, problems);
            specs.push(described.spec);
            let slots = limited.get(&number).cloned();
            let limit = self.excess.limit;
            let mut plan = described.plan(&self.judge, &self.resources, self.timeout, limit, slots);
            match Checker::new(self.output_check, &entry.name, described.spec) {
                Ok(outputs) => plan.checker = outputs.map(Arc::new),
                Err(problem) => problems.push(problem),
            }
            plans.push(plan);
        }
        // A checker would report rules for the tools that are missing because of other problems.
        if registered && specs.len() == snapshot.len() {
            let of_checker = self.judge.problems(&specs).into_iter();
            problems.extend(of_checker.map(BuildProblem::Permissions));
        }
        Catalog::new(Arc::new(snapshot), plans)
    }

    /// The slots of the tools that have a limit, by the tools' numbers.
    fn limited(&self, snapshot: &ToolSnapshot) -> BTreeMap<usize, Arc<Semaphore>> {
        let named = self.slots.iter().flat_map(|(tool, slots)| {
            let versions = snapshot.numbers_of(tool);
            versions.map(|number| (number, Arc::clone(slots)))
        });
        named.collect()
    }

    /// Reports limits for tools that do not exist. A tool that is removed later keeps its limit for when it comes back.
    pub(crate) fn find_limited(&self, whole: &Catalog, problems: &mut Vec<BuildProblem>) {
        let missing = self
            .slots
            .keys()
            .filter(|tool| whole.snapshot.find(tool).is_none());
        problems.extend(missing.map(|tool| BuildProblem::UnknownTool {
            tool: tool.clone(),
            nearest: whole.snapshot.nearest(tool).map(str::to_owned),
        }));
    }
}
