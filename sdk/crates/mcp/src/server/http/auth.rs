//! The principal of a request.

use async_trait::async_trait;
use axum::http::{HeaderMap, header};
use thiserror::Error;

use crate::server::Principal;

/// Finds the principal of each request, before anything of its body is read.
///
/// [`BearerTokens`](super::BearerTokens) is one for a fixed set of tokens; a closure is one too. An implementation that verifies tokens
/// of an authorization server checks signature, expiry and audience: a token issued for another server must be refused
/// (<https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization>, read 2026-11-24).
///
/// ```
/// use toolwright_mcp::server::Principal;
/// use toolwright_mcp::server::http::{AuthError, Authenticate, Credentials};
///
/// /// Takes the name that the proxy in front of this server has authenticated.
/// fn by_proxy(request: &Credentials<'_>) -> Result<Principal, AuthError> {
///     let user = request.header("x-authenticated-user").ok_or(AuthError::Missing)?;
///     Ok(Principal::new(user))
/// }
/// # fn authenticates(_: impl Authenticate) {}
/// # authenticates(by_proxy);
/// ```
#[async_trait]
pub trait Authenticate: Send + Sync + 'static {
    /// Returns the principal that the credentials belong to.
    ///
    /// # Errors
    ///
    /// Fails if there is none, which refuses the request.
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, AuthError>;
}

#[async_trait]
impl<F> Authenticate for F
where
    F: Fn(&Credentials<'_>) -> Result<Principal, AuthError> + Send + Sync + 'static,
{
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, AuthError> {
        self(credentials)
    }
}

/// The credentials of a request. `Debug` shows none of them.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Credentials<'a> {
    headers: &'a HeaderMap,
}

impl<'a> Credentials<'a> {
    pub(super) fn new(headers: &'a HeaderMap) -> Self {
        Self { headers }
    }

    /// The token of the header `Authorization: Bearer TOKEN`. `None` if there is no such header, more than one, or one of
    /// another scheme.
    pub fn bearer(&self) -> Option<&'a str> {
        let mut values = self.headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return None;
        };
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        let token = token.trim();
        (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
    }

    /// The value of a header, such as one that a proxy sets. `None` if it is absent, given twice or not ASCII. A header is worth as
    /// much as the party that can set it: a server that trusts one must not be reachable around its proxy.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        let mut values = self.headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok(),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// The reason why a request has no principal.
#[derive(Error)]
#[non_exhaustive]
pub enum AuthError {
    /// The request has no credentials. Answered with 401.
    #[error(
        "this server needs a bearer token: send the header `Authorization: Bearer TOKEN` with each request"
    )]
    Missing,
    /// The credentials are wrong, have expired or are those of another server. Answered with 401.
    #[error(
        "the bearer token is not valid for this server: it is unknown, expired, or issued for another server; get a new one"
    )]
    Invalid,
    /// The credentials are right, and do not allow this. Answered with 403.
    #[error("the bearer token does not allow this: it needs the scope `{scope}`")]
    InsufficientScope {
        /// The scopes that would allow it, with spaces between them.
        scope: String,
    },
    /// The credentials could not be checked. Answered with 503; the source goes to the log alone.
    #[error("the bearer token could not be checked now; try again later")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

toolwright::text::debug_as_text!(AuthError);
