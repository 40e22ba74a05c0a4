//! The identifiers: each a type of its own, so that none can stand where another is meant.
//!
//! ```compile_fail,E0308
//! use toolwright::id::{SessionId, TurnId};
//!
//! fn resume(_turn: TurnId) {}
//! resume(SessionId::new("s-1"));
//! ```

mod label;
mod run_identity;
mod tool_name;

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

pub(crate) use label::Label;
pub use run_identity::RunIdentity;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub use tool_name::{InvalidToolName, ToolName};

use crate::util::hex::{hex, push_hex};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
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
    };
}

text_id! {
    /// The model's own id of a call. It may be missing or repeat, and is only echoed; what is
    /// keyed by a call uses its [`InvocationId`].
    CallId
}

text_id! {
    /// A run of an agent; see [`RunIdentity`].
    RunId
}

text_id! {
    /// A conversation that runs belong to; see [`RunIdentity`].
    ThreadId
}

text_id! {
    /// The identity of a run; see [`RunIdentity`].
    AgentId
}

text_id! {
    /// A conversation or run of a host: the scope of grants and of cancellation.
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

/// The bytes of an id, in the order of its digits.
fn bytes_of(high: u64, low: u64) -> [u8; 16] {
    let number = u128::from(high) << 64 | u128::from(low);
    number.to_be_bytes()
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

            /// Appends the 32 digits to a text, in a fraction of the time that a formatter takes.
            pub fn push_to(self, text: &mut String) {
                push_hex::<16, 32>(&bytes_of(self.high, self.low), text);
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let digits: [u8; 32] = hex(&bytes_of(self.high, self.low));
                f.write_str(std::str::from_utf8(&digits).unwrap_or_default())
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

crate::util::error_text::debug_as_text!(InvalidId);

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
    /// The id of a [`Ticket`](crate::ticket::Ticket): random, so that nobody guesses one.
    TicketId
}

hex_id! {
    /// The id of a [`Grant`](crate::ticket::Grant): random.
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

/// The ids of a call, and the name of its tool: what tells it from any other.
#[derive(Debug, Clone)]
pub(crate) struct CallIdentity {
    pub(crate) turn: TurnId,
    pub(crate) invocation: InvocationId,
    /// The call whose tool made this one, if a tool did.
    pub(crate) parent: Option<InvocationId>,
    /// The model's own id of the call.
    pub(crate) call_id: Option<CallId>,
    /// The canonical name; the name as it was called if there is no such tool.
    pub(crate) tool: Label,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invocation_ids_round_trip() {
        let id = InvocationId::from_parts(7, 9);
        assert_eq!(id.to_string(), "00000000000000070000000000000009");
        let mut pushed = String::from("-");
        id.push_to(&mut pushed);
        assert_eq!(pushed, format!("-{id}"));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("+7".parse::<InvocationId>(), Err(InvalidId));
        let text = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<InvocationId>(&text).unwrap(), id);
    }
}
