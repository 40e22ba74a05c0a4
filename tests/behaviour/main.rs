//! Behaviour tests: a folder for each public module and each companion crate, a file for each topic. A test that
//! shows a row of `tests/features.md` carries the row's id in its name.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions, and here the rest helps those"
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unused_self,
    reason = "the tools are here for their signatures"
)]

mod arguments;
#[cfg(unix)]
mod command_hooks;
mod content;
mod context;
mod dispatch;
mod event;
mod executor;
mod hook;
mod journal;
mod macros;
mod mcp;
mod outcome;
mod permission;
mod policy;
mod providers;
mod question;
mod record;
mod registry;
mod repository;
mod results;
mod spec;
mod state;
mod support;
mod testing;
mod ticket;
mod tools;
mod waiting_support;
