//! Calls of sessions that replay a journal.

pub(crate) mod again;
pub(crate) mod answer;
pub(crate) mod state;
pub(crate) mod unanswered;
