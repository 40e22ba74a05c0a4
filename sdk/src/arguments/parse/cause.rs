//! Why a value could not be read from a tree: an error that knows a constraint from a wrong type,
//! because serde's own have words and nothing else.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::arguments::constraint::{NOT_ALLOWED, NOT_CHECKED};
use crate::arguments::strict::{KeyType, TreeError};

/// Why a value could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// A constraint refused a value that was of the right type.
    NotAllowed,
    /// To hold the value to a constraint would take too much work.
    TooMuch,
    /// The value is of another type.
    Unfit,
    /// An object lacks a name.
    Missing(&'static str),
    /// An object has a name twice, once perhaps as another name of it.
    Repeated(&'static str),
    /// An object has a name that its type refuses.
    Unknown,
    /// The name of a member was to be read into a type of keys that no text is read into.
    Key(KeyType),
    /// Whoever read it says so in words of its own: serde itself, where no branch of a union fits.
    Unclear,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be read")
    }
}

impl std::error::Error for ReadError {}

impl TreeError for ReadError {
    fn of_key(asked: KeyType) -> Self {
        Self::Key(asked)
    }
}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self::Unclear
    }

    fn invalid_type(_found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        Self::Unfit
    }

    fn invalid_value(found: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        match found {
            NOT_ALLOWED => Self::NotAllowed,
            NOT_CHECKED => Self::TooMuch,
            _ => Self::Unfit,
        }
    }

    fn unknown_variant(_name: &str, _expected: &'static [&'static str]) -> Self {
        Self::Unfit
    }
    fn unknown_field(_name: &str, _expected: &'static [&'static str]) -> Self {
        Self::Unknown
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}
