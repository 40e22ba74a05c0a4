//! The executor: the stages of a call, batches and tasks, sessions and their end.

mod any_batch;
mod batch_arguments;
mod batches;
mod changing_tools;
mod concurrency;
mod direct;
mod error_texts;
mod held_threads;
mod lost_permits;
mod panics;
mod session_checkers;
mod session_end;
mod stages;
mod tasks;
mod time;
mod tool_caller;
