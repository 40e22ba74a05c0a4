//! Calls that wait for an answer in files, and go on in another process.

mod folder;
mod key;

pub(crate) use folder::{FolderError, FolderTickets};
pub(crate) use key::KeyError;
