//! The party that a request is made for.

use std::sync::Arc;

use toolwright::spec::CapabilityGrant;

/// The party that a client acts for, as authentication found it. Two requests with the same [`id`](Self::id) are of the same
/// party: they share the limits, and one may continue what the other began.
///
/// ```
/// use toolwright_mcp::server::Principal;
///
/// let alice = Principal::new("alice").capabilities(["fs:read:/data/*".parse()?]);
/// assert_eq!(alice.id(), "alice");
/// # Ok::<(), toolwright::spec::InvalidCapability>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Principal {
    id: Arc<str>,
    grants: Option<Arc<[CapabilityGrant]>>,
}

impl Principal {
    /// Returns a principal with a name that no other party has. Its sessions have the capabilities that the executor grants.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self {
            id: id.into(),
            grants: None,
        }
    }

    /// Sets what the sessions of this principal are granted at most, as
    /// [`SessionOptions::capabilities`](toolwright::executor::SessionOptions::capabilities) does. An empty list grants nothing.
    pub fn capabilities(mut self, grants: impl IntoIterator<Item = CapabilityGrant>) -> Self {
        self.grants = Some(grants.into_iter().collect());
        self
    }

    /// The name of the party.
    pub fn id(&self) -> &str {
        &self.id
    }

    #[cfg(feature = "http")]
    pub(crate) fn key(&self) -> &Arc<str> {
        &self.id
    }

    /// The capabilities that its sessions are granted at most. `None` means all that the executor grants.
    pub fn grants(&self) -> Option<&[CapabilityGrant]> {
        self.grants.as_deref()
    }
}
