//! The stores on a real server, each test in a schema of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first fault"
)]

mod contracts;
mod losses;
mod names;
mod opening;
mod pool;
mod proxy;
mod waiting;

#[path = "../support/mod.rs"]
mod support;
