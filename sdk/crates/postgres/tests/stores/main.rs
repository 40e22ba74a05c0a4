//! The stores on a real server, each test in a schema of its own.

mod contracts;
mod losses;
mod names;
mod opening;
mod pool;
mod proxy;
mod waiting;

#[path = "../support/mod.rs"]
mod support;
