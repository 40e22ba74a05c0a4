//! From the arguments of a call to an invocation, before any of it runs.

pub(crate) mod edit;
pub(crate) mod purpose;
pub(crate) mod read;
