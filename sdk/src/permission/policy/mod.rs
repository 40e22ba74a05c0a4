//! Policies.

mod host;
mod matching;
mod path;
mod rule;
