//! Tools of MCP servers as tools of an executor.
//!
//! ```no_run
//! use toolwright::{Executor, ToolRegistry};
//! use toolwright_mcp::client::Command;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Command::new("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]);
//! let files = toolwright_mcp::import("files", server).await?;
//! let registry = ToolRegistry::new().with_server("files", files.registry());
//! let executor = Executor::new(registry)?;
//! files.follow(&executor);
//! # Ok(())
//! # }
//! ```
//!
//! The tools of the server `files` are named `files.read_file` and so on, and `@files` selects them. They go through
//! the whole pipeline: arguments are held to the server's schema before anything is sent, permissions are asked for,
//! calls are cancelled, limited and recorded as those of any tool.
//!
//! **A server is not trusted.** The effects that it claims for its tools do not spare anybody a question, unless the host says so
//! ([`ImportOptions::trust_annotations`]). A schema that refers to another document is never fetched: the tool is
//! [left out](ImportedServer::skipped). A tool whose definition changes after it was approved
//! [asks again](ImportedServer::drift), whatever was granted before.

mod calls;
mod connect;
mod connection;
mod core;
mod drift;
mod elicitation;
mod error;
mod event;
mod follow;
mod handler;
mod keep;
mod list;
mod options;
mod result;
mod server;
mod spec;
mod tool;

use std::sync::Arc;

use toolwright::CancellationToken;

#[cfg(test)]
pub(crate) use connect::MAX_MESSAGE;
#[cfg(all(test, feature = "http"))]
pub(crate) use connect::REQUESTS;
pub use connect::{ChildProcess, Command, Connect, ConnectError, connect_fn};
#[cfg(feature = "http")]
pub use connect::{Http, HttpClient};
pub use drift::{Drift, Fingerprint, Pins};
pub use elicitation::{AcceptDefaults, AnswerElicitation};
pub use error::{ImportError, ImportFault};
pub use event::{ServerEvent, ServerStatus};
pub use list::SkippedTool;
pub use options::ImportOptions;
pub use result::{OTHER_PARTS, RESULT_META};
pub use server::ImportedServer;
pub use spec::ANNOTATIONS;

/// Connects to a server and reads its tools, with default options; see the [module](self).
///
/// # Errors
///
/// Fails if the name is none for a server, if the server cannot be reached or started, or if it does not list its tools.
/// Later failures do not end the import: see [`ImportedServer::status`].
pub async fn import(
    name: impl Into<String>,
    connect: impl Connect,
) -> Result<ImportedServer, ImportError> {
    import_with(name, connect, ImportOptions::new()).await
}

/// Connects to a server and reads its tools.
///
/// # Errors
///
/// As of [`import`].
///
/// ```no_run
/// use toolwright_mcp::client::{Command, ImportOptions, import_with};
///
/// # async fn run() -> Result<(), toolwright_mcp::client::ImportError> {
/// let clock = Command::new("mcp-server-time", ["--local-timezone", "UTC"]);
/// let options = ImportOptions::new().trust_annotations(true).max_tools(10);
/// let clock = import_with("clock", clock, options).await?;
/// # drop(clock);
/// # Ok(())
/// # }
/// ```
pub async fn import_with(
    name: impl Into<String>,
    connect: impl Connect,
    options: ImportOptions,
) -> Result<ImportedServer, ImportError> {
    let name = name.into();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_of_name) {
        let fault = ImportFault::Name(name.clone());
        return Err(ImportError::new(&name, fault));
    }
    let connect = Arc::new(connect);
    let (connection, subscription, tools) = connection::open(&name, &connect, &options).await?;
    let (connection, closed) = (Arc::new(connection), CancellationToken::new());
    let core = core::ServerCore::new(
        name,
        options,
        Arc::clone(&connection),
        tools,
        closed.clone(),
    );
    let core = Arc::new(core);
    let weak = Arc::downgrade(&core);
    tokio::spawn(keep::keep(weak, closed, connect, connection, subscription));
    Ok(ImportedServer { core })
}
