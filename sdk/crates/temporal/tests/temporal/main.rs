//! The dispatcher against a server: `scripts/services --only temporal cargo test -p toolwright-temporal`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails at the first fault"
)]

mod calls;
mod contract;
mod losses;
mod payloads;
mod support;
