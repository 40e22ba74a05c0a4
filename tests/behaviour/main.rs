//! Behaviour tests, a file for each part. A test that shows a row of the list of features carries
//! the row's id in its name.

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

mod all_problems;
mod any_batch;
mod approval_model;
mod approval_rows;
mod approval_traps;
mod approvals_at_once;
mod approved_trees;
mod arguments;
mod astray;
mod async_checkers;
mod author_mistakes;
mod availability_rows;
mod awaken_rows;
mod bad_arguments;
mod by_hand;
mod bypass_commands;
mod bypass_files;
mod bypass_grants;
mod bypass_paths;
mod cancel_rows;
mod canonical;
mod changing_tools;
mod check_work;
mod checks;
#[cfg(unix)]
mod command_hooks;
mod constraints;
mod context_rows;
mod contract_rows;
mod corpora;
mod declarations;
#[cfg(unix)]
mod defaults;
mod determinism_check;
mod error_texts;
mod event_rows;
mod events;
mod failures;
mod forms;
mod grants_by_checker;
mod handed_on;
mod held_threads;
mod hooks;
mod hostile_arguments;
mod hostile_sizes;
mod journal;
mod keys;
mod kind_grants;
mod kiro_rows;
mod limits;
mod lint;
mod module_arrows;
mod nested_calls;
mod not_finite;
mod numbers;
mod offered_commands;
mod one_read;
mod outcomes;
mod own_reads;
mod pages;
mod panics;
mod permission_rows;
mod pipeline_rows;
mod policy_attacks;
mod policy_rows;
mod preview;
mod purpose;
mod questions;
mod read_by_hand;
mod record_ports;
mod refusals;
mod register_tools;
mod registry_of_permissions;
mod registry_rows;
mod repairs;
mod replay;
mod resources;
mod returns;
mod runtime_grants;
mod same_grants;
mod same_in_all_forms;
mod same_verdict;
mod schemas;
mod sensible_lines;
mod session_checkers;
mod session_end;
mod session_rows;
mod session_state;
mod slots;
mod spec_rows;
mod steps_and_sets;
mod strict;
mod suggestions;
mod support;
mod suspension_rows;
mod tasks;
mod ticket_attacks;
mod time;
mod tool_caller;
mod tool_types;
mod toolset;
mod traces;
mod traps;
mod typed;
mod typed_results;
mod unreliable_stores;
mod verdicts;
mod versions;
mod waiting_batch;
mod waiting_edits;
mod waiting_in_place;
mod waiting_sessions;
mod waiting_support;
mod waiting_suspended;
mod world_rows;
