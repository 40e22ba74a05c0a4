//! Errors of stores: of tickets, and of large results.

use std::error::Error;
use std::fmt;

/// The error of a store that could not read or write, for the log.
pub struct StoreError(Box<dyn Error + Send + Sync>);

crate::util::error_text::debug_as_text!(StoreError);

impl StoreError {
    /// Because of that.
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
