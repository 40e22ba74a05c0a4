//! Errors of stores: of tickets, and of large results.

use std::error::Error;

/// The error of a store that could not read or write, for the log.
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct StoreError(Box<dyn Error + Send + Sync>);

crate::util::error_text::debug_as_text!(StoreError);

impl StoreError {
    /// Because of that.
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}
