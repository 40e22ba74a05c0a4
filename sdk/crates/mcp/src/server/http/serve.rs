//! The settings and the ways to serve that a server has over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use tokio::net::{TcpListener, ToSocketAddrs};

use super::auth::Authenticate;
use super::{listen, router};
use crate::server::connection::{Channel, ConnectionHandler};
use crate::server::{McpServer, ServeError};

/// The path of the endpoint where this crate listens.
const PATH: &str = "/mcp";

impl McpServer {
    /// Sets how the principal of a request over HTTP is found: see [`Authenticate`]. A request without one is refused, and a
    /// session is open to the principal alone that opened it. Default: no one is asked who they are.
    pub fn authenticate(mut self, authenticate: impl Authenticate) -> Self {
        self.http.authenticate = Some(Arc::new(authenticate));
        self
    }

    /// Sets the URL of the server's OAuth metadata, which a refused client learns from the header `WWW-Authenticate`
    /// (`resource_metadata`, RFC 9728). The app serves the document. Default: none.
    pub fn resource_metadata(mut self, url: impl Into<Arc<str>>) -> Self {
        self.http.resource_metadata = Some(url.into());
        self
    }

    /// Adds host names that a request may name in its header `Host`, with a port (`tools.example:8080`) or for any port. The names of
    /// the loopback interface are always allowed. A server that any name reaches could be called by web pages that have their
    /// own name lead to it.
    pub fn allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.http
            .allowed_hosts
            .extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Adds origins whose web pages may call the server: `https://app.example`, with a port if it is not that of the scheme, or `:*`
    /// for any. Origins of the loopback interface are always allowed, and requests without the header `Origin`, which no
    /// browser sends.
    pub fn allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.http
            .allowed_origins
            .extend(origins.into_iter().map(Into::into));
        self
    }

    /// Returns the endpoint as a router, at its root `/`, for an app that has an HTTP server: nest it where it shall be.
    ///
    /// The app sees to TLS, to the time that the head of a request may take, and to the number of connections. When it shuts
    /// down, it cancels the token of [`shutdown`](McpServer::shutdown), which ends sessions and streams.
    ///
    /// ```
    /// use toolwright::{Executor, ToolRegistry};
    ///
    /// # fn app() -> Result<axum::Router, toolwright::BuildError> {
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// let tools = toolwright_mcp::serve(executor).router();
    /// let app = axum::Router::new().nest("/mcp", tools);
    /// # Ok(app)
    /// # }
    /// ```
    pub fn router(self) -> Router {
        let (settings, limits) = (self.http.clone(), self.limits.clone());
        let shutdown = self.shutdown.clone();
        let server = Arc::new(self);
        let handler = move || ConnectionHandler::new(server.clone(), Channel::Http);
        router(handler, settings, limits, shutdown)
    }

    /// Serves over HTTP at an address, at the path `/mcp`, until [`shutdown`](McpServer::shutdown) is cancelled. The server has no
    /// TLS: put it behind a proxy that has, or use [`router`](Self::router).
    ///
    /// ```no_run
    /// use toolwright::{Executor, ToolRegistry};
    ///
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// let executor = Executor::new(ToolRegistry::new())?;
    /// toolwright_mcp::serve(executor).http("127.0.0.1:8931").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the address cannot be listened at, or if others than this machine reach it and the server neither
    /// authenticates nor has [allowed hosts](Self::allowed_hosts).
    pub async fn http(self, address: impl ToSocketAddrs) -> Result<(), ServeError> {
        let listener = listen::bind(address).await.map_err(ServeError::Listen)?;
        self.http_on(listener).await
    }

    /// Serves as [`http`](Self::http) does, on a socket that listens already. So the app knows its port, or gets it from a service
    /// manager.
    ///
    /// # Errors
    ///
    /// Fails as [`http`](Self::http) does.
    pub async fn http_on(self, listener: TcpListener) -> Result<(), ServeError> {
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        self.check_exposure(address)?;
        let (limits, shutdown) = (self.limits.clone(), self.shutdown.clone());
        let elsewhere = || async {
            let text =
                format!("there is nothing here: the endpoint of this MCP server is `{PATH}`");
            (StatusCode::NOT_FOUND, text)
        };
        let app = Router::new().nest(PATH, self.router()).fallback(elsewhere);
        listen::listen(listener, app, &limits, shutdown).await;
        Ok(())
    }

    fn check_exposure(&self, address: SocketAddr) -> Result<(), ServeError> {
        let settings = &self.http;
        let guarded = settings.authenticate.is_some() || !settings.allowed_hosts.is_empty();
        if guarded || address.ip().is_loopback() {
            return Ok(());
        }
        Err(ServeError::Exposed { address })
    }
}
