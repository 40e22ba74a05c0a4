//! The way to people: what they are asked, their tickets, and what is done with their answers.

pub(crate) mod answers;
pub(crate) mod asked;
pub(crate) mod mode;
pub(crate) mod nesting;
#[cfg(feature = "journal")]
pub(crate) mod replay_waits;
pub(crate) mod service;
pub(crate) mod unheard;
pub(crate) mod waits;
