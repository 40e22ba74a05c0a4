//! The facts that a tool gives about itself when the executor is built.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::context::{ResourceKey, Resources};
use crate::executor::build_error::BuildProblem;
use crate::executor::catalog::capabilities::Unequipped;
use crate::executor::catalog::capabilities::{missing, unequipped};
use crate::executor::catalog::foreknown::ToolVerdict;
use crate::executor::catalog::tools::{Concurrency, ToolPlan};
use crate::permission::PermissionEvaluator;
use crate::registry::{Origin, ToolEntry};
use crate::spec::{Capability, CapabilityGrant, SchemaFault, ToolSpec};
use crate::tool::schema_fault;

/// The facts that a tool gives about itself when the executor is built.
pub(crate) struct ToolInspection<'e> {
    entry: &'e ToolEntry,
    pub(crate) spec: &'e ToolSpec,
    needs: Vec<ResourceKey>,
    missing: Vec<Capability>,
    fault: Option<SchemaFault>,
}

impl<'e> ToolInspection<'e> {
    pub(crate) fn new(entry: &'e ToolEntry, grants: &[CapabilityGrant]) -> Self {
        let spec = entry.tool.spec();
        Self {
            entry,
            spec,
            needs: entry.tool.needs().to_vec(),
            missing: missing(spec, grants),
            fault: schema_fault(&*entry.tool).cloned(),
        }
    }

    /// Adds the problems that keep the executor from being built.
    pub(crate) fn problems(
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
        self.mistakes(resources, &is_of_sessions, problems);
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

    /// Adds the declarations that cannot work.
    fn mistakes(
        &self,
        resources: &Resources,
        is_of_sessions: &dyn Fn(&ResourceKey) -> bool,
        problems: &mut Vec<BuildProblem>,
    ) {
        let invalid = |origin: Origin, pointer: String, message: String| {
            let tool = self.entry.name.clone();
            BuildProblem::InvalidDeclaration {
                tool,
                origin,
                pointer,
                message,
            }
        };
        if let Some(mistakes) = self.spec.mistakes() {
            let origin = match mistakes.package {
                // The tool of a closure has no place but the one where it was registered.
                "" => self.entry.origin,
                package => Origin::declared(package, mistakes.place),
            };
            let all = mistakes.list.iter().cloned();
            problems.extend(all.map(|mistake| invalid(origin, mistake.pointer, mistake.message)));
        }
        // A tool that is written by hand finds its resources itself, so its needs are not known here.
        if self.entry.tool.facts().names.is_none() {
            return;
        }
        let never = self.needs.iter().filter(|need| {
            !need.is_required()
                && need.is_from_model()
                && !resources.has(need)
                && !is_of_sessions(need)
        });
        problems.extend(never.map(|need| {
            let name = need.type_name();
            let message = format!(
                "it takes an `Option<&{name}>`, which is `None` for ever: by reference comes what the app lends, and \
                 there is none. What the model fills in is taken by value, as `Option<{name}>`"
            );
            invalid(self.entry.origin, String::new(), message)
        }));
    }

    fn missing_resources(&self, resources: &Resources) -> impl Iterator<Item = &ResourceKey> {
        let needs = self.needs.iter();
        needs.filter(|need| !resources.satisfies(need))
    }

    pub(crate) fn plan(
        &self,
        judge: &PermissionEvaluator,
        resources: &Resources,
        timeout: Option<Duration>,
        output: u64,
        slots: Option<Arc<Semaphore>>,
    ) -> ToolPlan {
        let bounds = self.spec.bounds();
        let lacks = !self.missing.is_empty();
        let facts = self.entry.tool.facts();
        let capabilities = lacks.then(|| unequipped(&self.entry.name, self.missing.clone()));
        ToolPlan {
            foreknown: ToolVerdict::new(judge, self.spec),
            timeout: bounds.timeout().or(timeout),
            explicit_only: self.spec.is_explicit_only(),
            repeatable: self.spec.effect().is_repeatable(),
            never_waits: facts.never_waits,
            arguments_only: facts.arguments_only,
            runs_directly: facts.runs_directly,
            unequipped: Unequipped::new(
                capabilities,
                self.missing_resources(resources).copied().collect(),
            ),
            beside: Concurrency::of(self.spec),
            slots,
            output: bounds.output().unwrap_or(output),
            checker: None,
        }
    }
}
