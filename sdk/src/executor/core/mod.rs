//! The data that calls run on: of an executor, of its sessions and turns, and of the place of a call.

pub(crate) mod counts;
pub(crate) mod handles;
pub(crate) mod hold;
pub(crate) mod open;
pub(crate) mod origin;
pub(crate) mod session;
pub(crate) mod shared;
pub(crate) mod site;
pub(crate) mod tasks;
