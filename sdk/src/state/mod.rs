//! The state of a session: typed values, and the commands that change them.

mod command;
mod session;
mod snapshot;

pub use command::{ScheduledAction, StateCommand};
pub(crate) use session::{ApplyError, CommandEvent, MAX_SCHEDULED, SessionState, States};
pub use snapshot::StateSnapshot;

#[cfg(test)]
mod tests;
