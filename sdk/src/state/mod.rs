//! The state of a session: typed values, the commands that change them, and the stores that keep them for other
//! processes.

mod command;
mod session;
mod snapshot;
mod stored;

pub use command::{ScheduledAction, StateCommand};
pub(crate) use session::{ApplyError, CommandEvent, MAX_SCHEDULED, SessionState, States};
pub use snapshot::StateSnapshot;
pub use stored::{FolderStates, MemoryStates, SaveOutcome, StateStore, StoredState};

#[cfg(test)]
mod tests;
