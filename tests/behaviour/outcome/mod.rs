//! The outcome of a call.

mod endings;
mod kinds;
