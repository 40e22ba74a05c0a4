//! Tools that lack something: a capability, or a resource that the session should have brought.

use std::sync::Arc;

use crate::content::ToolError;
use crate::context::{ResourceKey, Resources, missing};

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
            Some(missing(missed.type_name()))
        })
    }
}
