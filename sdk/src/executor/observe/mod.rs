//! The observers of one call: event sinks, a span, a recorder.

pub(crate) mod observer;
pub(crate) mod recorder;
