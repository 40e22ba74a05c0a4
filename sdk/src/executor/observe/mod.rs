//! The observers of one call: event sinks, a span, a journal.

#[cfg(feature = "journal")]
pub(crate) mod caller;
pub(crate) mod observer;
#[cfg(feature = "journal")]
pub(crate) mod recorder;
