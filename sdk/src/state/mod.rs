//! The state of a session: typed values, and the commands that change them.

mod command;
mod session;
mod snapshot;

pub use command::{ScheduledAction, StateCommand};
pub(crate) use session::{ApplyError, MAX_SCHEDULED, SessionState, Sign, States};
pub use snapshot::StateSnapshot;

#[cfg(test)]
mod tests;
