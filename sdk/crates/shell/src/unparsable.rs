//! Lines that are not understood.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reason why a line is not understood. Nothing is known about the commands that it would run.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}{}", at.map_or_else(String::new, |at| format!(", at character {at}")))]
#[non_exhaustive]
pub struct Unparsable {
    /// The part that was not understood, for the person who is asked. May have any characters.
    pub what: String,
    /// The number of the character in the line, counted from 1, if it is known.
    pub at: Option<usize>,
}

/// Writes the text, so that `?` in `main` and `unwrap` print what a person can read.
impl fmt::Debug for Unparsable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Unparsable {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            at: None,
        }
    }

    pub(super) fn near(text: &str) -> Self {
        Self::new(format!("the shell line is not understood near `{text}`"))
    }

    pub(super) fn document() -> Self {
        Self::new("a here-document inside of a substitution is not understood here")
    }

    pub(super) fn internal() -> Self {
        Self::new("the shell line is not understood: the parser failed")
    }
}

/// The result of reading a text, or a part of one.
pub(super) type Parsed<T = ()> = Result<T, Unparsable>;

/// Returns an error: the line is not understood.
pub(super) fn refused<T>(what: impl Into<String>) -> Parsed<T> {
    Err(Unparsable::new(what))
}

/// Runs what reads a text. A reader that panics has not understood the text, and nothing of it is kept.
pub(super) fn guarded<T>(read: impl FnOnce() -> Parsed<T>) -> Parsed<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|payload| {
        // Dropping what the panic left may panic once more.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Err(Unparsable::internal())
    })
}
