//! Hooks of [toolwright](https://docs.rs/toolwright) that are programs, on Unix: [`CommandHook`].
//!
//! On other systems the crate is empty.

#![cfg(unix)]

// The files:
//
// - `command`: the hook
// - `say`: the line of JSON that a program reads
// - `run`: a program from its start to its end, with all that it starts
// - `group`: the processes of a program, as a group that is killed and reaped
// - `verdict`: the meaning of its end
// - `fault`: the reasons why a program gave no verdict
// - `cache`: verdicts that were given before

mod cache;
mod command;
mod fault;
mod group;
mod run;
mod say;
mod verdict;

pub use command::CommandHook;
