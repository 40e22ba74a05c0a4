//! The bounds of what a model sees of a result.

pub(crate) mod large;
pub(crate) mod limit;
