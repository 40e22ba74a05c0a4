//! The changes of an imported server.

use super::drift::Drift;

/// The state of the connection to an imported server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerStatus {
    /// Calls reach the server.
    Connected,
    /// The connection ended, and a new one is being made. Calls end as unavailable.
    #[non_exhaustive]
    Reconnecting {
        /// The attempts that failed since the connection ended.
        attempts: u32,
        /// The reason for the last failure.
        error: String,
    },
    /// The host has closed it. Calls end as unavailable.
    Closed,
}

/// A change of an imported server; see [`ImportOptions::observe`](super::ImportOptions::observe).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerEvent {
    /// There is a new connection.
    Connected,
    /// The connection ended, or an attempt to make a new one failed.
    #[non_exhaustive]
    Disconnected {
        /// The reason.
        error: String,
    },
    /// The server has other tools than before, by the server's own names.
    #[non_exhaustive]
    ToolsChanged {
        /// The tools that are new.
        added: Vec<String>,
        /// The tools that are gone.
        removed: Vec<String>,
        /// The tools that have another definition.
        changed: Vec<String>,
    },
    /// The definition of a tool is another than the one that was approved.
    Drifted(Drift),
    /// The tools of an executor that [follows](super::ImportedServer::follow) the server could not be changed.
    #[non_exhaustive]
    NotFollowed {
        /// The reason.
        error: String,
    },
}
