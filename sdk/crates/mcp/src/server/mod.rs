//! An executor as an MCP server.
//!
//! ```no_run
//! use toolwright::{Executor, ToolRegistry, tool};
//!
//! /// Count the characters of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.chars().count()
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let executor = Executor::new(ToolRegistry::new().with(Count))?;
//! toolwright_mcp::serve(executor).stdio().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Both eras of the protocol are spoken: up to 2025-11-25, where a connection begins with `initialize`, and 2026-07-28,
//! where each request stands for itself. A call goes through the whole pipeline of the executor.
//!
//! | of MCP | of toolwright |
//! |---|---|
//! | a connection, or a session of streamable HTTP | a [`Session`](toolwright::Session), which ends with it |
//! | a request of the stateless era over HTTP | a session of its own, which ends with the call |
//! | `tools/list` | the tools that the session has now, sorted by name |
//! | `tools/call` | a call, as a turn of its own |
//! | `notifications/cancelled`, a disconnect | the turn is cancelled |
//! | a tool that does not exist | the JSON-RPC error -32602 |
//! | any other failure | a result with `isError` and the text for the model |
//! | a progress token | [`ToolContext::progress`](toolwright::ToolContext::progress), as so much of 100 |
//! | a call that waits for approval, in [`WaitMode::Suspending`](toolwright::executor::WaitMode::Suspending) | a form of the client (elicitation), or `inputRequests` with the signed ticket as `requestState` |
//! | a question of a tool, a sign-in | a form, an address. Secrets are not asked for |
//! | a level for logs | [`ToolContext::report_activity`](toolwright::ToolContext::report_activity), as messages of level `info` |
//! | what a tool asks of its client by [`ask_client`] | elicitation, sampling or roots |
//! | `_meta` of a call | [`ToolContext::metadata`](toolwright::ToolContext::metadata), trace context among it |

mod call;
mod client;
mod connection;
mod error;
#[cfg(feature = "http")]
pub mod http;
mod limits;
mod list;
mod people;
mod principal;
mod reports;
mod result;
mod session;
mod state;
mod time;
mod waiting;
mod waits;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::model::{CacheScope, Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RoleServer;
use rmcp::transport::IntoTransport;
use tokio_util::sync::CancellationToken;
use toolwright::Executor;
use toolwright::executor::SessionOptions;

pub use client::ClientInfo;
use connection::{Channel, ConnectionHandler};
pub use error::ServeError;
pub use limits::ServerLimits;
pub use people::{ask_client, ask_client_all, client_capabilities};
pub use principal::Principal;
use waiting::WaitingSessions;

/// Serves the tools of an executor: see [`McpServer`].
pub fn serve(executor: Executor) -> McpServer {
    McpServer::new(executor)
}

/// An MCP server: an executor, and how its clients reach it.
///
/// Built by [`serve`]. Cloning is cheap; clones share the executor.
///
/// ```no_run
/// use toolwright::executor::SessionOptions;
/// use toolwright::{Executor, ToolRegistry};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let executor = Executor::new(ToolRegistry::new())?;
/// toolwright_mcp::serve(executor)
///     .name("notes")
///     .version("1.2.0")
///     .instructions("The notes of one person. Search before you add.")
///     .sessions(|client| match client.name() {
///         "reader" => SessionOptions::new().capabilities([]),
///         _ => SessionOptions::new(),
///     })
///     .stdio()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "nothing is served until it is told where"]
pub struct McpServer {
    pub(crate) executor: Executor,
    config: ServerConfig,
    sessions: Arc<dyn Fn(&ClientInfo) -> SessionOptions + Send + Sync>,
    page_size: usize,
    cache: Option<(Duration, CacheScope)>,
    pub(crate) limits: ServerLimits,
    pub(crate) shutdown: CancellationToken,
    #[cfg(feature = "http")]
    http: http::HttpSettings,
    /// The sessions whose calls wait for requests to come.
    waiting: Arc<WaitingSessions>,
}

/// The most tools of a page, if nothing else is set.
pub(crate) const PAGE: usize = 1000;

impl McpServer {
    fn new(executor: Executor) -> Self {
        #[expect(deprecated, reason = "logs are there until the protocol removes them")]
        let capabilities = ServerCapabilities::builder()
            .enable_logging()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let package = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        Self {
            executor,
            config: ServerConfig::new(capabilities).with_server_info(package),
            sessions: Arc::new(|_| SessionOptions::new()),
            page_size: PAGE,
            cache: None,
            limits: ServerLimits::default(),
            shutdown: CancellationToken::new(),
            #[cfg(feature = "http")]
            http: http::HttpSettings::default(),
            waiting: Arc::default(),
        }
    }

    /// Sets the name of the server, for programs. Default: `toolwright-mcp`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.config.server_info.name = name.into();
        self
    }

    /// Sets the version of the server. Default: that of `toolwright-mcp`.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.config.server_info.version = version.into();
        self
    }

    /// Sets the name of the server, for people. Default: none.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.config.server_info.title = Some(title.into());
        self
    }

    /// Sets what a model should know of the server as a whole. Default: none.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.config.instructions = Some(instructions.into());
        self
    }

    /// Sets the options of each session by its client: which tools it has, what it may do, its resources. Called once
    /// for each session. A client says its name itself, so that only its [principal](ClientInfo::principal) tells who
    /// it is. Default: [`SessionOptions::new`].
    ///
    /// The [capabilities of a principal](Principal::capabilities) take the place of those of the options.
    pub fn sessions(
        mut self,
        options: impl Fn(&ClientInfo) -> SessionOptions + Send + Sync + 'static,
    ) -> Self {
        self.sessions = Arc::new(options);
        self
    }

    /// Sets the most tools of one answer to `tools/list`; 0 counts as 1. Default: 1000.
    pub fn page_size(mut self, tools: usize) -> Self {
        self.page_size = tools.max(1);
        self
    }

    /// Sets how long clients may keep the list of tools, and whether a cache between may keep it for others
    /// (`ttlMs` and `cacheScope` of 2026-07-28). Default: it is stale at once, and private.
    pub fn cache(mut self, lifetime: Duration, scope: CacheScope) -> Self {
        self.cache = Some((lifetime, scope));
        self
    }

    /// Sets the limits. Default: those of [`ServerLimits::default`].
    pub fn limits(mut self, limits: ServerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what ends the server: when it is cancelled, calls are cancelled, sessions end, and the server
    /// returns. Default: it ends when its clients do.
    pub fn shutdown(mut self, token: CancellationToken) -> Self {
        self.shutdown = token;
        self
    }

    /// The options of the session of a client.
    fn session_options(&self, client: &ClientInfo) -> SessionOptions {
        let options = (self.sessions)(client);
        match client.principal().and_then(Principal::grants) {
            Some(grants) => options.capabilities(grants.iter().cloned()),
            None => options,
        }
    }

    /// Serves one client on standard input and output, until it closes them. Nothing else may write to standard
    /// output meanwhile. It takes a Tokio runtime with its drivers (`enable_all`).
    ///
    /// # Errors
    ///
    /// Fails as [`on`](Self::on) does.
    pub async fn stdio(self) -> Result<(), ServeError> {
        self.on(rmcp::transport::stdio_pipes()).await
    }

    /// Serves one client on a transport, until it closes: a pair of streams, or any transport of `rmcp`. The session of
    /// the client ends before this returns.
    ///
    /// # Errors
    ///
    /// Fails if what the client sends first is no beginning of a connection, if the transport fails meanwhile, or if
    /// the session cannot clean up. A client that goes away is no error.
    pub async fn on<T, E, A>(self, transport: T) -> Result<(), ServeError>
    where
        T: IntoTransport<RoleServer, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let shutdown = self.shutdown.child_token();
        let connection = ConnectionHandler::new(Arc::new(self), Channel::Stream);
        // Boxed: it is most of the 16 KiB that the caller's future would have.
        let begun = Box::pin(connection.clone().serve_with_ct(transport, shutdown)).await;
        let served = match begun {
            Ok(running) => running.waiting().await.map_err(ServeError::Stopped),
            Err(error) => match ServeError::of_beginning(error) {
                Some(error) => return Err(error),
                None => return Ok(()),
            },
        };
        let ended = connection.end().await;
        served?;
        ended
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer")
            .field("executor", &self.executor)
            .field("info", &self.config.server_info)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
