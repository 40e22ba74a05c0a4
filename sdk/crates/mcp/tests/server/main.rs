//! A server against the client of the official SDK, in both eras of the protocol.
#![allow(
    deprecated,
    reason = "logs, sampling and roots are there until the protocol removes them"
)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first fault"
)]
#![cfg(all(feature = "client", feature = "server"))]

mod calls;
mod ends;
mod lists;
mod people;
mod reports;
mod stdio;
mod support;
