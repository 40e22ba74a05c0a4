//! What a tool says of itself when the executor is built.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::BuildProblem;
use super::capabilities::{missing, unequipped};
use super::catalog::{Beside, Plan};
use super::permits::Foreknown;
use super::unequipped::Unequipped;
use crate::permission::Judge;
use crate::registry::Entry;
use crate::spec::{Capability, CapabilityGrant, SchemaFault, ToolSpec};
use crate::tool::{ResourceKey, Resources};

/// What a tool says of itself when the executor is built.
pub(super) struct Described<'e> {
    entry: &'e Entry,
    pub(super) spec: &'e ToolSpec,
    needs: Vec<ResourceKey>,
    missing: Vec<Capability>,
    fault: Option<SchemaFault>,
}

impl<'e> Described<'e> {
    pub(super) fn new(entry: &'e Entry, grants: &[CapabilityGrant]) -> Self {
        let spec = entry.tool.spec();
        Self {
            entry,
            spec,
            needs: entry.tool.needs().to_vec(),
            missing: missing(spec, grants),
            fault: entry.tool.schema_fault().cloned(),
        }
    }

    /// What keeps the tool's executor from being built.
    pub(super) fn problems(
        &self,
        resources: &Resources,
        of_sessions: &[ResourceKey],
        problems: &mut Vec<BuildProblem>,
    ) {
        let name = || self.entry.name.clone();
        let is_of_sessions =
            |need: &ResourceKey| of_sessions.iter().any(|it| it.is_same_type(need));
        let missing = self.missing_resources(resources);
        let missing = missing.filter(|need| !is_of_sessions(need));
        problems.extend(missing.map(|need| BuildProblem::MissingResource {
            tool: name(),
            resource: need.type_name(),
        }));
        let bounds = self.spec.bounds();
        problems.extend(
            bounds
                .metered()
                .map(|bound| BuildProblem::UnenforceableBound {
                    tool: name(),
                    bound,
                }),
        );
        let contradictions = self.spec.contradictions();
        problems.extend(
            contradictions.map(|contradiction| BuildProblem::Contradiction {
                tool: name(),
                contradiction,
            }),
        );
        problems.extend(self.fault.clone().map(|fault| {
            let tool = name();
            match fault {
                SchemaFault::Broken(error) => BuildProblem::BrokenSchema { tool, error },
                SchemaFault::Unenforced(unenforced) => {
                    BuildProblem::SchemaNotEnforced { tool, unenforced }
                }
            }
        }));
    }

    fn missing_resources(&self, resources: &Resources) -> impl Iterator<Item = &ResourceKey> {
        let needs = self.needs.iter();
        needs.filter(|need| !resources.satisfies(need))
    }

    pub(super) fn plan(
        &self,
        judge: &Judge,
        resources: &Resources,
        timeout: Option<Duration>,
        output: u64,
        slots: Option<Arc<Semaphore>>,
    ) -> Plan {
        let bounds = self.spec.bounds();
        let lacks = !self.missing.is_empty();
        let capabilities = lacks.then(|| unequipped(&self.entry.name, self.missing.clone()));
        Plan {
            foreknown: Foreknown::new(judge, self.spec),
            timeout: bounds.timeout().or(timeout),
            explicit_only: self.spec.is_explicit_only(),
            repeatable: self.spec.effect().is_repeatable(),
            unequipped: Unequipped::new(
                capabilities,
                self.missing_resources(resources).copied().collect(),
            ),
            beside: Beside::of(self.spec),
            slots,
            output: bounds.output().unwrap_or(output),
            #[cfg(feature = "json-schema")]
            checker: None,
        }
    }
}
