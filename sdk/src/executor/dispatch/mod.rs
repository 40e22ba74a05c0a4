//! Bodies that run elsewhere: the tool that hands them over, the host that runs them, and the dispatcher of one process.

pub(crate) mod host;
pub(crate) mod local;
pub(crate) mod placed;
