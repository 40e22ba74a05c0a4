//! Ids that nobody else has.

use std::fmt;

use serde::{Serialize, Serializer};

use super::CallRng;

/// An id of 128 bits; 122 of them are random: see [`ToolContext::new_id`](crate::ToolContext::new_id).
///
/// Shown and serialised as a UUID of version 4 (RFC 9562), in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FreshId(u128);

impl FreshId {
    pub(super) fn draw(rng: &mut CallRng) -> Self {
        let mut bytes = [0; 16];
        rng.fill(&mut bytes);
        // The version, and the variant: RFC 9562, 5.4.
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        Self(u128::from_be_bytes(bytes))
    }

    /// The id as a number.
    pub fn as_u128(self) -> u128 {
        self.0
    }

    /// The id as bytes, as a UUID has them.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

impl fmt::Display for FreshId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.0;
        let group = |shift: u32, digits: u32| (id >> shift) & ((1 << (4 * digits)) - 1);
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            group(96, 8),
            group(80, 4),
            group(64, 4),
            group(48, 4),
            group(0, 12)
        )
    }
}

impl Serialize for FreshId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
