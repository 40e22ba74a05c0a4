//! The identifiers: each a type of its own, so that none can stand where another is meant.
//!
//! ```compile_fail,E0308
//! use toolwright::{SessionId, TurnId};
//!
//! fn resume(_turn: TurnId) {}
//! resume(SessionId::new("s-1"));
//! ```

mod run_identity;

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use run_identity::RunIdentity;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Text that is cloned without an allocation: a literal or shared.
#[derive(Clone)]
pub(crate) enum Label {
    Static(&'static str),
    Shared(Arc<str>),
}

impl Label {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl From<Cow<'static, str>> for Label {
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Static(text),
            Cow::Owned(text) => Self::Shared(text.into()),
        }
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Label {}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::Shared(text.into()))
    }
}

/// The canonical name of a tool: dotted segments of `[A-Za-z0-9_-]`, at most
/// [`ToolName::MAX_LENGTH`] characters in all.
///
/// Providers that allow no dots see the tool's *wire name* instead; see
/// [`ToolSnapshot::wire_name`](crate::ToolSnapshot::wire_name).
///
/// ```
/// use toolwright::ToolName;
///
/// let name = ToolName::new("fs.read")?;
/// assert_eq!(name.as_str(), "fs.read");
/// assert!(ToolName::new("fs..read").is_err());
/// # Ok::<(), toolwright::InvalidToolName>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ToolName(Label);

impl ToolName {
    /// The most characters a name may have.
    pub const MAX_LENGTH: usize = 128;

    /// Makes a name.
    ///
    /// # Errors
    ///
    /// When the text is no tool name; the error says which rule it breaks.
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

impl fmt::Debug for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolName({:?})", self.as_str())
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

impl Serialize for ToolName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
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

crate::error_text::debug_as_text!(InvalidToolName);

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

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes any text as the identifier.
            pub fn new(id: impl Into<Arc<str>>) -> Self {
                Self(id.into())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), &*self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self::new(id)
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self::new(id)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

text_id! {
    /// The model's own id of a call. It may be missing or repeat, and is only echoed; what is
    /// keyed by a call uses its [`InvocationId`].
    CallId
}

text_id! {
    /// A run of an agent; see [`RunIdentity`](crate::RunIdentity).
    RunId
}

text_id! {
    /// A conversation that runs belong to; see [`RunIdentity`](crate::RunIdentity).
    ThreadId
}

text_id! {
    /// Who runs; see [`RunIdentity`](crate::RunIdentity).
    AgentId
}

text_id! {
    /// One conversation or run of a host: the scope of grants and of cancellation.
    SessionId
}

/// The number of a turn: it rises within a session, and may skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TurnId(u64);

impl TurnId {
    pub(crate) fn new(number: u64) -> Self {
        Self(number)
    }

    /// The turn's number; the first of a session is 1.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An id of 128 bits, written as 32 hexadecimal digits.
macro_rules! hex_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Written as 32 hexadecimal digits.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            // In halves: a number of 128 bits would have all that holds an id begin at multiples of 16.
            high: u64,
            low: u64,
        }

        impl $name {
            #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
            pub(crate) fn from_random(bits: u128) -> Self {
                Self::from_parts((bits >> 64) as u64, bits as u64)
            }

            #[inline]
            pub(crate) fn from_parts(high: u64, low: u64) -> Self {
                Self { high, low }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}{:016x}", self.high, self.low)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let digits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
                let (high, low) = text.split_at_checked(16).filter(|_| digits).ok_or(InvalidId)?;
                let half = |digits| u64::from_str_radix(digits, 16).map_err(|_| InvalidId);
                Ok(Self::from_parts(half(high)?, half(low)?))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// The text is not 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id has 32 hexadecimal digits")]
pub struct InvalidId;

crate::error_text::debug_as_text!(InvalidId);

/// The number of one run of a hook: it rises within an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HookRunId(u64);

impl HookRunId {
    pub(crate) fn new(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for HookRunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

hex_id! {
    /// Our own id of one invocation of a tool, unique across sessions, executors and processes.
    InvocationId
}

hex_id! {
    /// The id of a [`Ticket`](crate::Ticket): random, so that nobody guesses one.
    TicketId
}

hex_id! {
    /// The id of a [`Grant`](crate::Grant): random.
    GrantId
}

impl InvocationId {
    /// The number of the call among those of its session: the lower half. The upper is the session's.
    pub(crate) fn count(self) -> u64 {
        self.low
    }

    /// The number of the session handle that made the call: the upper half.
    pub(crate) fn prefix(self) -> u64 {
        self.high
    }
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

    #[test]
    fn invocation_ids_round_trip() {
        let id = InvocationId::from_parts(7, 9);
        assert_eq!(id.to_string(), "00000000000000070000000000000009");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("+7".parse::<InvocationId>(), Err(InvalidId));
        let text = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<InvocationId>(&text).unwrap(), id);
    }
}
