//! Requests that are refused, as HTTP answers them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError, RequestId};
use thiserror::Error;

use super::auth::AuthError;

/// The reason why a request is refused, as the person reads it who sees the answer.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Auth(AuthError),
    #[error("the body has more than {limit} bytes: send less in one message")]
    BodyTooLarge { limit: usize },
    #[error("the body did not arrive within {time:?}: send it faster, or in smaller messages")]
    BodyTooSlow { time: Duration },
    #[error("the body could not be read to its end: {0}")]
    BodyBroken(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the body is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    #[error(
        "the body is an array: MCP has had no batches since 2025-06-18; send each message in a request of its own"
    )]
    Batch,
    #[error("the body is no JSON-RPC message: {0}")]
    NotAMessage(#[source] serde_json::Error),
    #[error(
        "the body is no message that MCP has: it must be a JSON-RPC 2.0 object with `jsonrpc`, and `method` with `params` of the kind that the method takes"
    )]
    UnknownMessage,
    #[error(
        "no session of this client has this `Mcp-Session-Id`: it has ended, or another client opened it; send `initialize` without the header to open one"
    )]
    UnknownSession,
    #[error("too many sessions are open: {limit} is the limit of this server; try again later")]
    TooManySessions { limit: usize },
    #[error(
        "`{principal}` has {limit} sessions open, which is the limit: end one (DELETE) before the next"
    )]
    TooManySessionsOfPrincipal { principal: Arc<str>, limit: usize },
    #[error("this client has {limit} calls running, which is the limit: wait until one ends")]
    TooManyCalls { limit: usize },
    #[error(
        "a call with the id `{id}` is running: give each request of a session an id of its own"
    )]
    SameId { id: RequestId },
    #[error("{limit} calls are running, which is the limit of this server: try again later")]
    ServerBusy { limit: usize },
    #[error("too many calls: {per_minute} a minute are allowed; the next one in {} s", seconds(*.wait))]
    TooFast { per_minute: u32, wait: Duration },
    #[error("the server is shutting down: try again later, in a new session")]
    ShuttingDown,
}

/// Whole seconds until something is possible, at least one.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs()
        .saturating_add(u64::from(wait.subsec_nanos() > 0))
        .max(1)
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Auth(AuthError::Missing | AuthError::Invalid) => StatusCode::UNAUTHORIZED,
            Self::Auth(AuthError::InsufficientScope { .. }) => StatusCode::FORBIDDEN,
            Self::Auth(AuthError::Unavailable(_))
            | Self::TooManySessions { .. }
            | Self::ServerBusy { .. }
            | Self::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::BodyBroken(_)
            | Self::NotJson(_)
            | Self::Batch
            | Self::NotAMessage(_)
            | Self::UnknownMessage
            | Self::SameId { .. } => StatusCode::BAD_REQUEST,
            Self::UnknownSession => StatusCode::NOT_FOUND,
            Self::TooManySessionsOfPrincipal { .. }
            | Self::TooManyCalls { .. }
            | Self::TooFast { .. } => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::NotJson(_) => ErrorCode::PARSE_ERROR,
            Self::Batch | Self::NotAMessage(_) | Self::UnknownMessage | Self::SameId { .. } => {
                ErrorCode::INVALID_REQUEST
            }
            // The code that JSON-RPC leaves to servers.
            _ => ErrorCode(-32000),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooFast { wait, .. } => Some(seconds(*wait)),
            Self::TooManyCalls { .. } | Self::ServerBusy { .. } | Self::ShuttingDown => Some(1),
            Self::TooManySessions { .. } | Self::TooManySessionsOfPrincipal { .. } => Some(60),
            Self::Auth(AuthError::Unavailable(_)) => Some(5),
            _ => None,
        }
    }

    /// The challenge of RFC 6750 section 3 (<https://www.rfc-editor.org/rfc/rfc6750>, read 2026-11-24), with the parameter of
    /// RFC 9728 section 5.1.
    fn challenge(&self, metadata: Option<&str>) -> Option<HeaderValue> {
        let mut parameters = Vec::new();
        match self {
            // Without credentials the reason is left out, as the RFC asks.
            Self::Auth(AuthError::Missing) => {}
            Self::Auth(AuthError::Invalid) => {
                parameters.push(r#"error="invalid_token""#.to_owned());
            }
            Self::Auth(AuthError::InsufficientScope { scope }) => {
                parameters.push(r#"error="insufficient_scope""#.to_owned());
                parameters.push(format!("scope={}", quoted(scope)));
            }
            _ => return None,
        }
        parameters.extend(metadata.map(|url| format!("resource_metadata={}", quoted(url))));
        let challenge = format!("Bearer {}", parameters.join(", "));
        HeaderValue::from_str(challenge.trim_end()).ok()
    }

    /// The answer: the reason as text, or as a JSON-RPC error where the request has an id.
    pub(super) fn into_response(
        self,
        id: Option<RequestId>,
        metadata: Option<&str>,
    ) -> Response<Body> {
        let text = self.to_string();
        let (kind, body) = match id {
            None if self.code() == ErrorCode(-32000) => ("text/plain; charset=utf-8", text),
            id => {
                let error = JsonRpcError::new(id, ErrorData::new(self.code(), text, None));
                let body = serde_json::to_string(&error).unwrap_or_default();
                ("application/json", body)
            }
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status();
        let headers: &mut HeaderMap = response.headers_mut();
        let mut set = |name: HeaderName, value| headers.insert(name, value);
        set(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        if let Some(seconds) = self.retry_after() {
            set(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = self.challenge(metadata) {
            set(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// A quoted string of a header.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars().filter(|c| !c.is_control()) {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
    out
}
