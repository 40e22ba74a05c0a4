//! The reasons why a server ends.

use std::error::Error;

use rmcp::service::ServerInitializeError;
use tokio::task::JoinError;
use toolwright::executor::SessionEndError;

/// The reason why a server could not serve, or did not end well.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The first message of the client is no beginning of a connection.
    #[error("the client did not begin as MCP asks: {0}")]
    Beginning(String),
    /// The transport could not be read or written.
    #[error("the connection to the client failed {when}")]
    Transport {
        /// The moment, in words.
        when: String,
        /// The error of the transport.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The task that serves the client was stopped: it panicked, or its runtime has ended.
    #[error("the task that serves the client was stopped")]
    Stopped(#[source] JoinError),
    /// The server cannot listen at its address.
    #[cfg(feature = "http")]
    #[error(
        "the server cannot listen at its address: use another one, or end the program that has it"
    )]
    Listen(#[source] std::io::Error),
    /// Others than this machine reach the address, and the server would serve anyone.
    #[cfg(feature = "http")]
    #[error(
        "`{address}` can be reached from other machines, and anyone could call the tools: set `authenticate`, listen at 127.0.0.1, or set `allowed_hosts` if something in front of the server authenticates"
    )]
    Exposed {
        /// The address.
        address: std::net::SocketAddr,
    },
    /// The session of the client could not clean up.
    #[error("the session of the client did not end well")]
    SessionEnd(#[source] SessionEndError),
}

toolwright::text::debug_as_text!(ServeError);

impl ServeError {
    /// The reason why a connection did not begin; `None` if the client went away or the server was told to end. What the
    /// client sent is not repeated: it may hold secrets.
    pub(super) fn of_beginning(error: ServerInitializeError) -> Option<Self> {
        match error {
            ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled => None,
            ServerInitializeError::TransportError { error, context } => Some(Self::Transport {
                when: format!("({context})"),
                source: Box::new(error),
            }),
            ServerInitializeError::InitializeFailed(error) => {
                Some(Self::Beginning(error.message.into_owned()))
            }
            _ => Some(Self::Beginning(
                "its first message is no `initialize` and no request with the `_meta` of 2026-07-28".to_owned(),
            )),
        }
    }
}
