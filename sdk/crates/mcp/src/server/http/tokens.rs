//! A fixed set of tokens.

use async_trait::async_trait;

use super::auth::{AuthError, Authenticate, Credentials};
use crate::server::Principal;

/// A fixed set of bearer tokens, each of one principal. Digests are kept instead of the tokens, and compared in constant time.
///
/// ```
/// use toolwright_mcp::server::Principal;
/// use toolwright_mcp::server::http::BearerTokens;
///
/// # let from_the_vault = || "6f1c0e1cb8e14f3a9d7c".to_owned();
/// let tokens = BearerTokens::new().token(from_the_vault(), Principal::new("alice"));
/// assert_eq!(format!("{tokens:?}"), r#"BearerTokens { principals: ["alice"] }"#);
/// ```
#[derive(Clone, Default)]
pub struct BearerTokens {
    principals: Vec<(blake3::Hash, Principal)>,
}

impl BearerTokens {
    /// Returns an empty set, which refuses every request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token. Use at least 128 random bits, and no password: each client may try as many as it likes. An empty one
    /// is never accepted.
    pub fn token(mut self, token: impl AsRef<str>, principal: Principal) -> Self {
        let digest = blake3::hash(token.as_ref().as_bytes());
        self.principals.push((digest, principal));
        self
    }
}

#[async_trait]
impl Authenticate for BearerTokens {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, AuthError> {
        let token = credentials.bearer().ok_or(AuthError::Missing)?;
        let digest = blake3::hash(token.as_bytes());
        // `Hash` compares in constant time, and no comparison is left out.
        let mut found = None;
        for (known, principal) in &self.principals {
            if *known == digest {
                found = Some(principal);
            }
        }
        found.cloned().ok_or(AuthError::Invalid)
    }
}

impl std::fmt::Debug for BearerTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let principals: Vec<_> = self.principals.iter().map(|(_, p)| p.id()).collect();
        f.debug_struct("BearerTokens")
            .field("principals", &principals)
            .finish()
    }
}
