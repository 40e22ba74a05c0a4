//! The check of the tools that a registry holds.

use super::{Origin, Registered, RegistryError, ToolRegistry, ToolSnapshot};
use crate::id::ToolName;
use crate::spec::{SchemaError, SchemaFault};
use crate::tool::{Tool, schema_fault};
use crate::util::panic::catch_panic;

impl ToolRegistry {
    /// Checks that every tool could be added.
    ///
    /// # Errors
    ///
    /// Fails if [`ToolRegistry::with`] was given a tool whose name or alias is taken or whose schema is broken, or if
    /// a tool has the argument that [asks for the purpose](ToolRegistry::ask_purpose). The error lists all of them.
    pub fn check(&self) -> Result<(), RegistryError> {
        let mut problems = self.problems.clone();
        if self.asks_purpose {
            problems.reserved.extend(self.purpose_taken());
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems.into())
        }
    }

    /// The tools that have an argument of the reserved name.
    fn purpose_taken(&self) -> impl Iterator<Item = (ToolName, Origin)> {
        let has_it = |registered: &Registered| {
            // A tool that panics here is reported when its spec is asked for.
            catch_panic(|| registered.tool.spec().has_purpose_argument()).unwrap_or(false)
        };
        self.all_versions()
            .filter(move |(_, registered)| has_it(registered))
            .map(|(name, registered)| (name.clone(), registered.origin))
    }

    /// Freezes the registry, as an executor does.
    ///
    /// # Errors
    ///
    /// As [`ToolRegistry::check`].
    pub fn freeze(self) -> Result<ToolSnapshot, RegistryError> {
        self.check()?;
        Ok(ToolSnapshot::new(self))
    }
}

/// The name and aliases of a tool. The spec is not made for them where that can be helped.
pub(super) fn names_of(tool: &dyn Tool) -> (ToolName, Vec<ToolName>) {
    if let Some((name, aliases)) = tool.facts().names {
        let aliases = aliases.iter().map(|alias| ToolName::new(*alias));
        if let (Ok(name), Ok(aliases)) = (ToolName::new(name), aliases.collect()) {
            return (name, aliases);
        }
    }
    let spec = tool.spec();
    (spec.name().clone(), spec.aliases().to_vec())
}

/// The mistake in the input schema of a tool made at run time. The schema of a type is checked when an executor is
/// built, because it is not made before.
pub(super) fn broken_schema(tool: &dyn Tool) -> Option<SchemaError> {
    if tool.facts().names.is_some() {
        return None;
    }
    match schema_fault(tool) {
        Some(SchemaFault::Broken(error)) => Some(error.clone()),
        _ => None,
    }
}
