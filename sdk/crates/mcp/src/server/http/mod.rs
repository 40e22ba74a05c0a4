//! Streamable HTTP: one endpoint, behind authentication and limits.
//!
//! [`McpServer::http`] listens, and [`McpServer::router`] gives the endpoint to an app that has an HTTP server. The
//! transport is that of `rmcp`, in both eras of the protocol. This module adds who may use it, and how much.
//!
//! ```no_run
//! use tokio_util::sync::CancellationToken;
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_mcp::server::http::BearerTokens;
//! use toolwright_mcp::server::{Principal, ServerLimits};
//!
//! /// Count the characters of a text.
//! #[tool(pure)]
//! fn count(text: String) -> usize {
//!     text.chars().count()
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let tokens = BearerTokens::new()
//!     .token(std::env::var("ALICE_TOKEN")?, Principal::new("alice"))
//!     // A token that grants less than the executor does.
//!     .token(std::env::var("BOT_TOKEN")?, Principal::new("bot").capabilities([]));
//! let shutdown = CancellationToken::new();
//! let executor = Executor::new(ToolRegistry::new().with(Count))?;
//! toolwright_mcp::serve(executor)
//!     .authenticate(tokens)
//!     .allowed_hosts(["tools.example"])
//!     .limits(ServerLimits::new().calls_per_minute(600))
//!     .shutdown(shutdown)
//!     .http("0.0.0.0:8931")
//!     .await?;
//! # Ok(())
//! # }
//! ```
//!
//! A client connects to `http://tools.example:8931/mcp` and sends `Authorization: Bearer TOKEN` with each request. A server
//! without `authenticate` listens at the loopback interface alone.
//!
//! | a request | is answered with |
//! |---|---|
//! | whose `Host` or `Origin` is not of the loopback interface or allowed | 403 |
//! | without a token, or with a wrong one | 401, with the header `WWW-Authenticate` |
//! | with a token that does not allow it | 403, with the header `WWW-Authenticate` |
//! | with the session id of another principal, or of a session that has ended | 404: the client begins anew |
//! | with a body that is too large, too slow, or no JSON-RPC message | 413, 408, 400 |
//! | beyond a limit of its client | 429, with the header `Retry-After` |
//! | beyond a limit of the server, or while it shuts down | 503, with the header `Retry-After` |
//!
//! A session (2025-11-25) belongs to the principal that opened it. It ends by `DELETE`, when it is
//! [idle](ServerLimits::idle_time), and with the server; its calls are cancelled then. A connection that breaks cancels no call of
//! a session, because the client may resume the stream, as the protocol says; `notifications/cancelled` does. Where there are no sessions
//! (2026-07-28), a call ends with its connection.
//!
//! The header `Authorization` is taken out of the request when it has been read, so that no handler, tool or log sees a
//! token. Browsers need CORS headers, which this module does not send: add a layer to the router.

mod auth;
mod calls;
mod gate;
mod listen;
mod rate;
mod refusal;
mod serve;
mod sessions;
mod settings;
mod tokens;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, Response, StatusCode, header};
use axum::routing::any;
use rmcp::ServerHandler;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use rmcp::transport::streamable_http_server::{SessionId, StreamableHttpServerConfig};
use tokio_util::sync::CancellationToken;

pub use auth::{AuthError, Authenticate, Credentials};
pub use tokens::BearerTokens;

pub(crate) use settings::HttpSettings;

use self::calls::RunningCalls;
use self::gate::{Gate, admitted_body};
use self::rate::CallRates;
use self::refusal::Refusal;
use self::sessions::{Sessions, SessionsOfRequest};
#[cfg(doc)]
use crate::server::McpServer;
use crate::server::{Principal, ServerLimits};

/// All that the requests of a server share.
struct Shared {
    limits: ServerLimits,
    settings: HttpSettings,
    config: StreamableHttpServerConfig,
    /// The settings of the transport for requests of web pages: with origins, which others do not have.
    page_config: StreamableHttpServerConfig,
    sessions: Arc<Sessions>,
    calls: Arc<RunningCalls>,
    rates: CallRates,
    shutdown: CancellationToken,
    /// The principal of the limits where no one is authenticated.
    anonymous: Arc<str>,
}

/// Returns a router with the endpoint at its root. Each session, and each request where there are no sessions, has a handler of its
/// own. The principal of a request is in the extensions of its [`http::request::Parts`](axum::http::request::Parts).
pub(crate) fn router<H, F>(
    handler: F,
    settings: HttpSettings,
    limits: ServerLimits,
    shutdown: CancellationToken,
) -> Router
where
    H: ServerHandler,
    F: Fn() -> H + Clone + Send + Sync + 'static,
{
    let server = Arc::new(Shared {
        config: settings.config(),
        page_config: settings.page_config(),
        sessions: Arc::new(Sessions::new(&limits)),
        calls: Arc::new(RunningCalls::new(
            limits.concurrent_calls,
            limits.concurrent_calls_in_all,
        )),
        rates: CallRates::new(limits.calls_per_minute),
        anonymous: Arc::from("anonymous"),
        limits,
        settings,
        shutdown,
    });
    let endpoint = move |request| {
        let (server, handler) = (server.clone(), handler.clone());
        async move { answer(server, handler, request).await }
    };
    Router::new().route("/", any(endpoint))
}

async fn answer<H, F>(server: Arc<Shared>, handler: F, request: Request) -> Response<Body>
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let metadata = server.settings.resource_metadata.clone();
    let refused = |refusal: Refusal, gate: Option<&Gate>| {
        let id = gate.and_then(Gate::id).cloned();
        refusal.into_response(id, metadata.as_deref())
    };
    if server.shutdown.is_cancelled() {
        return refused(Refusal::ShuttingDown, None);
    }
    let (request, principal) = match authenticated(&server, request).await {
        Ok(authenticated) => authenticated,
        Err(refusal) => return refused(refusal, None),
    };
    let gate = Arc::new(Gate::new(principal));
    let ends_session = request.method() == Method::DELETE;
    let request = through_gate(&server, &gate, request);
    let end = server.shutdown.child_token();
    let config = if request.headers().contains_key(header::ORIGIN) {
        &server.page_config
    } else {
        &server.config
    };
    let config = config.clone().with_cancellation_token(end.clone());
    let sessions = Arc::new(SessionsOfRequest::new(
        server.sessions.clone(),
        gate.clone(),
        end,
    ));
    let mut service = StreamableHttpService::new(
        move || Ok(handler()),
        sessions,
        StreamableHttpServerConfig::default(),
    );
    // Set afterwards, for `new` reads each origin, which takes longer than the rest.
    service.config = config;
    let mut response = service.handle(request).await;
    if ends_session && response.status() == StatusCode::ACCEPTED {
        // The session has ended already, and clients take 202 for a failure: the Python client warns of it.
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    let refusal = gate.take_refusal().or_else(|| match response.status() {
        // The body was read and is JSON, so it is not the header that the status speaks of.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if gate.is_read() => Some(Refusal::UnknownMessage),
        StatusCode::INTERNAL_SERVER_ERROR if server.shutdown.is_cancelled() => {
            Some(Refusal::ShuttingDown)
        }
        _ => None,
    });
    match refusal {
        Some(refusal) => refused(refusal, Some(&gate)),
        None => response.map(Body::new),
    }
}

/// Finds the principal, and takes the credentials out of the request: no handler, tool or log sees them.
async fn authenticated(
    server: &Shared,
    mut request: Request,
) -> Result<(Request, Option<Principal>), Refusal> {
    let principal = match &server.settings.authenticate {
        Some(authenticate) => {
            let credentials = Credentials::new(request.headers());
            let principal = authenticate.authenticate(&credentials).await;
            Some(principal.map_err(|error| {
                if let AuthError::Unavailable(source) = &error {
                    tracing::error!(
                        error = &**source as &dyn std::error::Error,
                        "a token could not be checked"
                    );
                }
                Refusal::Auth(error)
            })?)
        }
        None => None,
    };
    request.headers_mut().remove(header::AUTHORIZATION);
    if let Some(principal) = &principal {
        request.extensions_mut().insert(principal.clone());
    }
    Ok((request, principal))
}

fn through_gate(server: &Arc<Shared>, gate: &Arc<Gate>, mut request: Request) -> Request {
    if request.method() != Method::POST {
        return request;
    }
    request.extensions_mut().insert(gate.clone());
    let session = request.headers().get(HEADER_SESSION_ID);
    let session = session.and_then(|id| id.to_str().ok()).map(SessionId::from);
    let (server, gate) = (server.clone(), gate.clone());
    request.map(|body| admitted_body(server, gate, session, body))
}
