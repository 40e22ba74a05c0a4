//! The capabilities that a tool lacks, found out when the executor is built.

use crate::id::ToolName;
use crate::message::{ErrorKind, ToolError};
use crate::spec::{Capability, CapabilityGrant, ToolSpec};

/// The capabilities that a tool requires and that nothing grants.
pub(super) fn missing(spec: &ToolSpec, grants: &[CapabilityGrant]) -> Vec<Capability> {
    let granted = |wanted: &Capability| grants.iter().any(|grant| grant.grants(wanted));
    let required = spec.capabilities().iter();
    required
        .filter(|wanted| !granted(wanted))
        .cloned()
        .collect()
}

/// What each call of a tool ends with that lacks capabilities.
pub(super) fn unequipped(tool: &ToolName, missing: Vec<Capability>) -> ToolError {
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
