//! The client of a session.

use std::fmt;

use rmcp::model::{Implementation, InitializeRequestParams, ProtocolVersion};
use rmcp::service::{RequestContext, RoleServer};
use toolwright::content::ContentHash;

use super::principal::Principal;

/// The client of a session: see [`McpServer::sessions`](super::McpServer::sessions).
#[derive(Clone)]
pub struct ClientInfo {
    implementation: Implementation,
    protocol: ProtocolVersion,
    principal: Option<Principal>,
    #[cfg(feature = "http")]
    headers: Option<axum::http::HeaderMap>,
}

impl ClientInfo {
    /// The client of a request. The handshake tells it where there was one, and the request itself otherwise.
    pub(super) fn of(
        context: &RequestContext<RoleServer>,
        handshake: Option<&InitializeRequestParams>,
    ) -> Self {
        let implementation = handshake
            .map(|handshake| handshake.client_info.clone())
            .or_else(|| context.client_info());
        let protocol = context.protocol_version();
        Self {
            implementation: implementation.unwrap_or_else(|| Implementation::new("", "")),
            protocol: protocol.unwrap_or_default(),
            principal: principal_of(context),
            #[cfg(feature = "http")]
            headers: parts(context).map(|parts| parts.headers.clone()),
        }
    }

    /// The same client, with the version of the protocol that was agreed on.
    pub(super) fn speaking(mut self, protocol: ProtocolVersion) -> Self {
        self.protocol = protocol;
        self
    }

    /// The client's name, as it says it; empty if it says none.
    pub fn name(&self) -> &str {
        &self.implementation.name
    }

    /// The client's version, as it says it; empty if it says none.
    pub fn version(&self) -> &str {
        &self.implementation.version
    }

    /// The version of the protocol, such as `2025-11-25`.
    pub fn protocol_version(&self) -> &str {
        self.protocol.as_str()
    }

    /// The principal that the client's bearer token proves, where clients are authenticated.
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    /// The headers of the request that the session began with, over HTTP, without `Authorization`.
    #[cfg(feature = "http")]
    pub fn headers(&self) -> Option<&axum::http::HeaderMap> {
        self.headers.as_ref()
    }
}

impl fmt::Debug for ClientInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientInfo")
            .field("name", &self.name())
            .field("version", &self.version())
            .field("protocol_version", &self.protocol_version())
            .field("principal", &self.principal)
            .finish_non_exhaustive()
    }
}

/// The request over HTTP that a message came with.
#[cfg(feature = "http")]
fn parts(context: &RequestContext<RoleServer>) -> Option<&axum::http::request::Parts> {
    context.extensions.get()
}

/// The principal that a request was authenticated as.
pub(super) fn principal_of(context: &RequestContext<RoleServer>) -> Option<Principal> {
    #[cfg(feature = "http")]
    if let Some(parts) = parts(context) {
        return parts.extensions.get().cloned();
    }
    context.extensions.get().cloned()
}

/// The word for a principal in ids of sessions: it tells principals apart, and does not show who they are.
pub(super) fn word_of(principal: Option<&Principal>) -> String {
    let Some(principal) = principal else {
        return "anonymous".to_owned();
    };
    let mut word = ContentHash::of(principal.id()).to_string();
    word.truncate(32);
    word
}
