//! The capabilities and resources that a tool lacks, found out when the executor is built, or a session opened.

use std::sync::Arc;

use crate::content::{ErrorKind, ToolError};
use crate::context::{self, ResourceKey, Resources};
use crate::executor::guard::catch_tool_panic;
use crate::id::ToolName;
use crate::registry::ToolEntry;
use crate::spec::{Capability, CapabilityGrant, ToolSpec};

/// The capabilities that a tool requires and that nothing grants.
pub(crate) fn missing(spec: &ToolSpec, grants: &[CapabilityGrant]) -> Vec<Capability> {
    let granted = |wanted: &Capability| grants.iter().any(|grant| grant.grants(wanted));
    let required = spec.capabilities().iter();
    required
        .filter(|wanted| !granted(wanted))
        .cloned()
        .collect()
}

/// Returns the error of each call of a tool that lacks capabilities.
pub(crate) fn unequipped(tool: &ToolName, missing: Vec<Capability>) -> ToolError {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let (noun, verb) = match &missing[..] {
        [_] => ("capability", "is"),
        _ => ("capabilities", "are"),
    };
    let names = names.join(", ");
    ToolError::new(
        ErrorKind::CapabilityDenied,
        format!("`{tool}` was denied: it requires the {noun} {names}, which {verb} not granted"),
    )
    .with_missing_capabilities(missing)
    .with_source("the setting is `ExecutorBuilder::grant_capability`")
}

/// The error that ends each call of a tool in a session without its capabilities: those that the executor does not
/// grant, or that one of the sessions around the call does not.
pub(crate) fn unequipped_here(
    entry: &ToolEntry,
    of_executor: Option<ToolError>,
    levels: &[Arc<[CapabilityGrant]>],
) -> Option<ToolError> {
    let of_executor_missing = of_executor
        .as_ref()
        .map_or(&[][..], ToolError::missing_capabilities);
    let missing = catch_tool_panic("the tool", || {
        let granted = |wanted: &Capability| {
            let by = |level: &Arc<[CapabilityGrant]>| level.iter().any(|it| it.grants(wanted));
            !of_executor_missing.contains(wanted) && levels.iter().all(by)
        };
        let required = entry.tool.spec().capabilities().iter();
        let missing = required.filter(|wanted| !granted(wanted)).cloned();
        missing.collect::<Vec<Capability>>()
    });
    match missing {
        Ok(missing) if missing.len() == of_executor_missing.len() => of_executor,
        Ok(missing) => {
            let denied = unequipped(&entry.name, missing);
            Some(denied.with_source(
                "the settings are `ExecutorBuilder::grant_capability`, and for a session \
                 `SessionOptions::capabilities`",
            ))
        }
        // A tool that panics when asked for its capabilities is treated as lacking them.
        Err(panicked) => Some(panicked),
    }
}

/// The things without which a tool does not run, as far as the executor does not have them.
#[derive(Debug, Clone)]
pub(crate) struct Unequipped {
    /// The end of each call, where a capability is missing.
    capabilities: Option<ToolError>,
    /// Resources that sessions have or have not.
    resources: Arc<[ResourceKey]>,
}

impl Unequipped {
    /// `None` where the tool lacks nothing in any session.
    pub(crate) fn new(
        capabilities: Option<ToolError>,
        resources: Arc<[ResourceKey]>,
    ) -> Option<Self> {
        let lacks = capabilities.is_some() || !resources.is_empty();
        lacks.then_some(Self {
            capabilities,
            resources,
        })
    }

    pub(crate) fn into_parts(self) -> (Option<ToolError>, Arc<[ResourceKey]>) {
        (self.capabilities, self.resources)
    }

    /// The end of a call in a session with these resources, if something is missing there.
    #[cold]
    pub(crate) fn refusal(&self, resources: &Resources) -> Option<ToolError> {
        self.capabilities.clone().or_else(|| {
            let mut needs = self.resources.iter();
            let missed = needs.find(|need| !resources.satisfies(need))?;
            Some(context::missing(missed.type_name()))
        })
    }
}
