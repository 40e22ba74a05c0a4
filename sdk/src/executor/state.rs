//! The state of a session, for the app.

use super::commands::apply;
use super::session::Session;
use crate::message::ToolError;
use crate::state::{Command, MAX_SCHEDULED, ScheduledAction, StateSnapshot};

impl Session {
    /// How many scheduled actions wait in a session at most: 1,024. See
    /// [`Session::take_scheduled`].
    pub const MAX_SCHEDULED: usize = MAX_SCHEDULED;

    /// The state of the session as it is now. It belongs to the session's id: all handles of this
    /// executor that have the id share it, from when it is first set until the session
    /// [ends](Self::end). It is not kept with tickets, so that a call which is resumed in another process
    /// finds the state of that process.
    ///
    /// A [session below](Self::sub_session) another has a state of its own, which begins empty, and sees
    /// nothing of that above it: what a sub-agent is to know is given to it by
    /// [`SessionOptions::state`](super::SessionOptions::state).
    pub fn state(&self) -> StateSnapshot {
        self.core.scope.state.snapshot()
    }

    /// Sets the value of a type in the session's state. Calls that run already do not see it.
    pub fn set_state<T: Send + Sync + 'static>(&self, value: T) {
        // A value that is set cannot fail to be.
        let _ = self.apply([Command::set(value)]);
    }

    /// Applies commands to the session, as if a call had given them: all or none.
    ///
    /// ```
    /// use toolwright::{Command, Executor, ToolRegistry};
    ///
    /// #[derive(Clone, Default)]
    /// struct Rounds(u32);
    ///
    /// let session = Executor::new(ToolRegistry::new())?.session("s-1");
    /// session.apply([Command::update(|rounds: &mut Rounds| rounds.0 += 1)])?;
    /// assert_eq!(session.state().get::<Rounds>().map(|rounds| rounds.0), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a change panics, or too many actions are scheduled. Nothing was applied.
    pub fn apply(&self, commands: impl IntoIterator<Item = Command>) -> Result<(), ToolError> {
        let scope = &self.core.scope;
        apply(&scope.state, commands.into_iter().collect(), |kind| {
            scope.events.emit(Some(&scope.id), None, || kind);
        })
    }

    /// Takes what was [scheduled](Command::schedule) in the session and not taken yet, the first first.
    /// When an action is due counts from when its call succeeded: an app that must be in time listens to
    /// [`EventKind::Scheduled`](crate::EventKind::Scheduled) for when to take them.
    pub fn take_scheduled(&self) -> Vec<ScheduledAction> {
        self.core.scope.state.take_scheduled()
    }
}
