//! Tickets: calls that wait, are approved, suspended and resumed.

mod approval_model;
mod approval_traps;
mod approvals;
mod approvals_at_once;
mod attacks;
mod nobody_listens;
mod recovery;
mod resumed_body;
mod suspended_calls;
mod unreliable_stores;
mod waiting_batch;
mod waiting_edits;
mod waiting_in_place;
mod waiting_sessions;
mod waiting_suspended;
