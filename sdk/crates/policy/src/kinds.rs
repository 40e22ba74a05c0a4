//! The kinds of requests that rules know more of than their text.

use toolwright::FileAccess;
use toolwright::permission::{CommandAccess, HostAccess};

pub(crate) const FILE_READ: &str = FileAccess::READ;
pub(crate) const FILE_WRITE: &str = FileAccess::WRITE;
pub(crate) const COMMAND_RUN: &str = CommandAccess::RUN;
pub(crate) const NETWORK_CONNECT: &str = HostAccess::CONNECT;
