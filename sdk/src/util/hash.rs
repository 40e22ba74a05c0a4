//! The hash of what is compared by content: BLAKE3.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::hex::{hex, push_hex};

/// The BLAKE3 hash of some bytes: 32 bytes, written as 64 lower-case hexadecimal digits.
///
/// Equal content has equal hashes on every run and machine. It is no secret and no signature: whoever
/// can guess the content can tell whether it is the one.
///
/// ```
/// use toolwright::content::ContentHash;
///
/// let hash = ContentHash::of(b"abc");
/// assert_eq!(
///     hash.to_string(),
///     "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
/// );
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::from_blake3(blake3::hash(bytes.as_ref()))
    }

    /// A hash that is known already.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash of a finished hasher.
    pub(crate) fn from_blake3(hash: blake3::Hash) -> Self {
        Self(*hash.as_bytes())
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Appends the 64 digits to a text, in a fraction of the time that a formatter takes.
    pub fn push_to(&self, text: &mut String) {
        push_hex::<32, 64>(&self.0, text);
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: [u8; 64] = hex(&self.0);
        f.write_str(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// The error of a text that is no [`ContentHash`].
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash has 64 hexadecimal digits, lower-case")]
#[non_exhaustive]
pub struct InvalidHash {}

super::error_text::debug_as_text!(InvalidHash);

impl FromStr for ContentHash {
    type Err = InvalidHash;

    /// Takes the very text that a hash is written as, so that one hash has one text.
    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(InvalidHash {});
        }
        let hash = blake3::Hash::from_hex(text).map_err(|_| InvalidHash {})?;
        Ok(Self::from_blake3(hash))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_and_the_json_lead_back() {
        let hash = ContentHash::of("");
        let text = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(hash.to_string(), text);
        let mut pushed = "-".to_owned();
        hash.push_to(&mut pushed);
        assert_eq!(pushed, format!("-{text}"));
        assert_eq!(text.parse(), Ok(hash));
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<ContentHash>(&json).unwrap(), hash);
        assert_eq!(ContentHash::from_bytes(*hash.as_bytes()), hash);
    }

    #[test]
    fn what_is_no_hash_is_refused() {
        let text = ContentHash::of("").to_string();
        for wrong in [
            "",
            "af13",
            &text[1..],
            &format!("{text}0"),
            &text.to_uppercase(),
            &text.replace('a', "g"),
        ] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(InvalidHash {}), "{wrong}");
        }
        assert!(serde_json::from_str::<ContentHash>("7").is_err());
    }

    #[test]
    fn hashes_are_ordered_by_their_bytes_as_their_texts_are() {
        let mut hashes: Vec<ContentHash> = (0..50_u8).map(|n| ContentHash::of([n])).collect();
        hashes.sort();
        assert!(hashes.is_sorted_by_key(ToString::to_string));
    }
}
