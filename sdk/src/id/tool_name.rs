//! The names of tools.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize};

use super::label::Label;

/// The canonical name of a tool: dotted segments of `[A-Za-z0-9_-]`, at most
/// [`ToolName::MAX_LENGTH`] characters in all.
///
/// Providers that allow no dots see the tool's *wire name* instead; see
/// [`ToolSnapshot::wire_name`](crate::registry::ToolSnapshot::wire_name).
///
/// ```
/// use toolwright::ToolName;
///
/// let name = ToolName::new("fs.read")?;
/// assert_eq!(name.as_str(), "fs.read");
/// assert!(ToolName::new("fs..read").is_err());
/// # Ok::<(), toolwright::id::InvalidToolName>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ToolName(Label);

impl ToolName {
    /// The most characters a name may have.
    pub const MAX_LENGTH: usize = 128;

    /// Makes a name.
    ///
    /// # Errors
    ///
    /// Fails if the text is no tool name; the error says which rule it breaks.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Result<Self, InvalidToolName> {
        let name = name.into();
        match Self::fault(&name) {
            None => Ok(Self(name.into())),
            Some(fault) => Err(InvalidToolName {
                name: name.into_owned(),
                fault,
            }),
        }
    }

    fn fault(name: &str) -> Option<NameFault> {
        if name.len() > Self::MAX_LENGTH {
            return Some(NameFault::TooLong(name.chars().count()));
        }
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let mut before = b'.';
        for byte in name.bytes() {
            match byte {
                b'.' if before == b'.' => return Some(NameFault::EmptySegment),
                b'.' => {}
                _ if allowed(byte) => {}
                _ => {
                    let character = name
                        .chars()
                        .find(|c| !c.is_ascii() || *c == char::from(byte));
                    return character.map(NameFault::Character);
                }
            }
            before = byte;
        }
        (before == b'.').then_some(NameFault::EmptySegment)
    }

    /// The name of the tool that a test's context belongs to.
    pub(crate) fn test() -> Self {
        Self(Label::Static("test"))
    }

    /// The name of a tool of this crate.
    pub(crate) fn of_ours(name: &'static str) -> Self {
        Self(Label::Static(name))
    }

    /// The name of a tool whose own name is none.
    pub(crate) fn unnamed() -> Self {
        Self(Label::Static("unnamed"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(crate) fn label(&self) -> Label {
        self.0.clone()
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for ToolName {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

// As the text hashes and sorts, because of `Borrow<str>`.
impl Hash for ToolName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for ToolName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ToolName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialEq<str> for ToolName {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for ToolName {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl TryFrom<&str> for ToolName {
    type Error = InvalidToolName;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        Self::new(name.to_owned())
    }
}

impl std::str::FromStr for ToolName {
    type Err = InvalidToolName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name.to_owned())
    }
}

impl<'de> Deserialize<'de> for ToolName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A text that cannot be a [`ToolName`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot be a tool's name: {fault}")]
pub struct InvalidToolName {
    name: String,
    fault: NameFault,
}

crate::util::error_text::debug_as_text!(InvalidToolName);

impl InvalidToolName {
    /// The text that was refused.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NameFault {
    #[error("it has {0} characters, and {max} are allowed", max = ToolName::MAX_LENGTH)]
    TooLong(usize),
    #[error("{0:?} is not allowed; use letters, digits, `_`, `-`, and `.` between segments")]
    Character(char),
    #[error("there must be text before and after each `.`")]
    EmptySegment,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for good in ["a", "fs.read", "A-b_9.c", &"x".repeat(128)] {
            assert!(ToolName::new(good.to_owned()).is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "a b",
            "a/b",
            "ä",
            &"x".repeat(129),
        ] {
            assert!(ToolName::new(bad.to_owned()).is_err(), "{bad}");
        }
        assert_eq!(
            ToolName::new("bad name").unwrap_err().to_string(),
            "`bad name` cannot be a tool's name: ' ' is not allowed; use letters, digits, `_`, `-`, \
             and `.` between segments"
        );
    }
}
