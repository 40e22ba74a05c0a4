//! Tools of servers, imported: over in-memory transports, and from real child processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod fake;

mod begin;
mod calls;
mod changes;
mod child;
mod ends;
mod input;
mod trust;
