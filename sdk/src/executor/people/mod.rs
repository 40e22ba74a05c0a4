//! The way to people: what they are asked, their tickets, and what is done with their answers.

pub(crate) mod asked;
pub(crate) mod mode;
pub(crate) mod service;
pub(crate) mod sourced_waits;
pub(crate) mod unheard;
pub(crate) mod waits;
