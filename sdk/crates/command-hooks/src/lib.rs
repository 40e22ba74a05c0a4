//! Hooks of [toolwright](https://docs.rs/toolwright) that are programs, on Unix: each call is written to a program as
//! JSON, and its exit code says if the call goes on.
//!
//! ```
//! use toolwright::{Executor, ToolRegistry, tool};
//! use toolwright_command_hooks::CommandHook;
//!
//! /// Add two whole numbers.
//! #[tool(pure)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let hook = CommandHook::new("sh").args(["-c", "echo 'not today' >&2; exit 2"]);
//! let executor = Executor::builder(ToolRegistry::new().with(Add)).before(hook).build()?;
//! let outcome = executor.call("add", r#"{"a": 1, "b": 2}"#).await;
//! assert!(outcome.text().contains("not today"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to do | |
//! |---|---|
//! | check a call before it runs | [`ExecutorBuilder::before`](toolwright::ExecutorBuilder::before) with a [`CommandHook`] |
//! | check its result, or add a remark to it | [`ExecutorBuilder::after`](toolwright::ExecutorBuilder::after) with a [`CommandHook`] |
//! | write the program | [`CommandHook`] lists what it reads, and the meaning of its exit codes |
//! | set hooks in a file | the crate `toolwright-config` |
//!
//! On other systems the crate is empty.

#![cfg(unix)]

// The files:
//
// - `command`: the hook
// - `input`: the line of JSON that a program reads
// - `run`: a program from its start to its end, with all that it starts
// - `group`: the processes of a program, as a group that is killed and reaped
// - `verdict`: the meaning of its end
// - `failure`: the reasons why a program gave no verdict
// - `cache`: verdicts that were given before

mod cache;
mod command;
mod failure;
mod group;
mod input;
mod run;
mod verdict;

pub use command::CommandHook;
