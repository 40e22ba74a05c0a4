//! The errors of an import.

use std::time::Duration;

use rmcp::service::{ClientInitializeError, ServiceError};

use super::connect::ConnectError;

/// A server whose tools could not be imported.
#[derive(thiserror::Error)]
#[error("the tools of the MCP server `{server}` could not be imported: {fault}")]
pub struct ImportError {
    server: String,
    #[source]
    fault: ImportFault,
}

toolwright::text::debug_as_text!(ImportError);

impl ImportError {
    pub(super) fn new(server: &str, fault: ImportFault) -> Self {
        Self {
            server: server.to_owned(),
            fault,
        }
    }

    /// The name that the server was to have.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The part that failed.
    pub fn fault(&self) -> &ImportFault {
        &self.fault
    }
}

/// The part of an import that failed.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ImportFault {
    /// The name is none for a server.
    #[error("{0:?} is no name for a server, which has letters, digits, `_` and `-`")]
    Name(String),
    /// The server could not be reached or started.
    #[error("{0}")]
    Connect(#[source] ConnectError),
    /// The server did not take part in the handshake of the protocol.
    #[error("the handshake failed: {0}")]
    Handshake(#[source] Box<ClientInitializeError>),
    /// Connecting took too long; see [`ImportOptions::connect_timeout`](super::ImportOptions::connect_timeout).
    #[error("it was not connected within {0:?} (`ImportOptions::connect_timeout`)")]
    ConnectTime(Duration),
    /// The server did not list its tools.
    #[error("it did not list its tools: {0}")]
    List(#[source] ServiceError),
    /// Listing took too long; see [`ImportOptions::list_timeout`](super::ImportOptions::list_timeout).
    #[error("it did not list its tools within {0:?} (`ImportOptions::list_timeout`)")]
    ListTime(Duration),
}

toolwright::text::debug_as_text!(ImportFault);
