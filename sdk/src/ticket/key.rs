//! Signatures and digests: keyed BLAKE3.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{TicketError, TicketErrorKind};

/// The secret that tickets, answers and grants are signed with. Whoever has it can forge them: it is
/// kept apart from what it signs.
///
/// `Debug` does not show it.
#[derive(Clone)]
pub struct TicketKey([u8; 32]);

impl TicketKey {
    /// A key of 32 bytes that were made at random.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new key. What is signed with it is worth nothing to whoever does not get the key too: another
    /// process, or this one after a restart.
    ///
    /// # Errors
    ///
    /// Fails if the system gives no random bytes.
    pub fn random() -> Result<Self, TicketError> {
        random_bytes().map(Self)
    }

    /// The bytes, to keep the key somewhere safe.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Signs bytes for a purpose: what is signed for one is worth nothing for another.
    pub(crate) fn sign(&self, purpose: KeyPurpose, bytes: &[u8]) -> KeyedDigest {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&[purpose as u8]);
        hasher.update(bytes);
        KeyedDigest(hasher.finalize())
    }

    /// Returns true if that is the signature. Takes the same time wherever they differ.
    pub(crate) fn verify(
        &self,
        purpose: KeyPurpose,
        bytes: &[u8],
        signature: &KeyedDigest,
    ) -> bool {
        self.sign(purpose, bytes) == *signature
    }
}

/// Bytes that nobody can guess.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], TicketError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        TicketError::new(TicketErrorKind::Unavailable)
            .with_detail("the system gave no random bytes")
            .with_source(error.to_string())
    })?;
    Ok(bytes)
}

impl fmt::Debug for TicketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TicketKey")
    }
}

/// The purpose of a signature.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(crate) enum KeyPurpose {
    Ticket = 1,
    Call = 2,
    Arguments = 3,
    Definition = 4,
    Answer = 5,
    Grant = 6,
    GrantedArguments = 7,
    Host = 8,
    Dispatch = 9,
}

/// A keyed BLAKE3 digest of 32 bytes, written as 64 hexadecimal digits. Compared in constant time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyedDigest(blake3::Hash);

impl fmt::Debug for KeyedDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyedDigest({self})")
    }
}

impl fmt::Display for KeyedDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

impl Serialize for KeyedDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyedDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        blake3::Hash::from_hex(text)
            .map(Self)
            .map_err(|_| serde::de::Error::custom("a digest has 64 hexadecimal digits"))
    }
}
