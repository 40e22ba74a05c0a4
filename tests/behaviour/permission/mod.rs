//! Requests, verdicts and grants.

mod approved_trees;
mod async_checkers;
mod checks;
mod decisions;
#[cfg(unix)]
mod defaults;
mod expressions;
mod kind_grants;
mod preview;
mod registry;
mod same_grants;
mod verdicts;
