//! The restrictions of a catalog.

use std::collections::HashMap;
use std::sync::Arc;

use crate::executor::catalog::foreknown::Verdicts;
use crate::id::ToolName;
use crate::registry::{ToolAvailability, UnavailableReason};
use crate::spec::CapabilityGrant;

/// The restrictions of a catalog, and the verdicts of a checker that is not the executor's.
#[derive(Clone, Default)]
pub(crate) struct CatalogScope {
    /// Tools that no session below may have.
    pub(crate) barred: HashMap<ToolName, UnavailableReason>,
    /// Tools that are gone or off, for the message to a model that calls one.
    pub(crate) absent: HashMap<Box<str>, Absence>,
    /// The capabilities that are granted at most here and in each session above.
    pub(crate) capabilities: Vec<Arc<[CapabilityGrant]>>,
    pub(crate) availability: ToolAvailability,
    /// The verdicts of the session's own checker. `None` if it has none.
    pub(crate) verdicts: Option<Arc<Verdicts>>,
}

#[derive(Clone)]
pub(crate) enum Absence {
    /// It was there before.
    Removed,
    /// It would be there, were a feature not off.
    Off(String),
}
