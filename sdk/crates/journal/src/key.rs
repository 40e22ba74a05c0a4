//! Hashes of what must not be read: keyed.

use std::fmt;

use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

/// The key that secrets are hashed with before they enter a journal: whoever has only the journal cannot
/// try out what they may have been.
///
/// The same key gives the same hashes, so that calls with secrets can be compared over several journals.
/// `Debug` does not show it.
#[derive(Clone)]
pub struct JournalKey([u8; 32]);

impl JournalKey {
    /// A key of 32 bytes that were made at random.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new key.
    ///
    /// # Errors
    ///
    /// Fails if the system gives no random bytes.
    pub fn random() -> Result<Self, StoreError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            StoreError::new(format!("the system gave no random bytes: {error}"))
        })?;
        Ok(Self(bytes))
    }

    pub(crate) fn hash(&self, text: &str) -> ContentHash {
        ContentHash::from_bytes(blake3::keyed_hash(&self.0, text.as_bytes()).into())
    }
}

impl fmt::Debug for JournalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JournalKey")
    }
}
