//! The effects that a tool's output has on the session, applied once its call has succeeded.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::snapshot::{SharedValue, StateKey};

/// Computes the new value from the old one, if there is one.
pub(super) type Change = dyn Fn(Option<&(dyn Any + Send + Sync)>) -> SharedValue + Send + Sync;

/// Something that is to happen in the session of a call once the call has succeeded: see
/// [`ToolOutput::with_command`](crate::ToolOutput::with_command).
///
/// The commands of one call are applied together, in their order: if one cannot be applied, none is,
/// and the call fails. They are applied once; those of a call that fails, is cancelled or times out are
/// dropped.
///
/// ```
/// use toolwright::{Executor, tool, ToolContext, ToolOutput, ToolRegistry};
/// use toolwright::state::StateCommand;
///
/// #[derive(Clone, Default)]
/// struct Searches(u32);
///
/// /// Search, three times at most.
/// #[tool(read_only)]
/// fn search(term: String, ctx: &ToolContext) -> ToolOutput {
///     if ctx.state::<Searches>().is_some_and(|searches| searches.0 >= 3) {
///         return ToolOutput::error("that was enough for one session");
///     }
///     ToolOutput::text(format!("nothing about {term}"))
///         .with_command(StateCommand::update(|searches: &mut Searches| searches.0 += 1))
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let session = Executor::new(ToolRegistry::new().with(Search))?.session("s-1");
/// for _ in 0..4 {
///     session.call(toolwright::ToolCall::new("search", r#"{"term": "x"}"#)).await;
/// }
/// assert_eq!(session.state().get::<Searches>().map(|searches| searches.0), Some(3));
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct StateCommand(pub(super) CommandKind);

#[derive(Clone)]
pub(super) enum CommandKind {
    Set(StateKey, SharedValue),
    BeginWith(StateKey, SharedValue),
    Change(StateKey, Arc<Change>),
    Remove(StateKey),
    Schedule(ScheduledAction),
    Emit { name: String, payload: Value },
}

/// Something that the app is asked to do later: see [`StateCommand::schedule`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScheduledAction {
    /// The action, by a name that the app knows.
    pub name: String,
    /// The data of the action.
    pub payload: Value,
    /// The time to wait, from when the call succeeded.
    pub after: Duration,
}

impl ScheduledAction {
    /// Something that is to be done after a time.
    pub fn new(name: impl Into<String>, payload: impl Into<Value>, after: Duration) -> Self {
        Self {
            name: name.into(),
            payload: payload.into(),
            after,
        }
    }
}

impl StateCommand {
    /// Sets the value of a type; one that was there before is replaced.
    pub fn set<T: Send + Sync + 'static>(value: T) -> Self {
        Self(CommandKind::Set(StateKey::of::<T>(), Arc::new(value)))
    }

    /// Sets the value of a type if there is none.
    pub(crate) fn begin_with<T: Send + Sync + 'static>(value: T) -> Self {
        Self(CommandKind::BeginWith(StateKey::of::<T>(), Arc::new(value)))
    }

    /// Changes the value of a type; where there is none, its default is changed.
    ///
    /// It is the value of the moment in which the command is applied, not that which the call has
    /// seen, so that no change of another call gets lost. A panic in the closure is the failure of the
    /// call, and leaves the state as it was. The closure must not change the session's state by a
    /// [`Session`](crate::Session) of its own: it would wait for itself.
    pub fn update<T: Clone + Default + Send + Sync + 'static>(
        change: impl Fn(&mut T) + Send + Sync + 'static,
    ) -> Self {
        Self::update_with(move |value: Option<&T>| {
            let mut value = value.cloned().unwrap_or_default();
            change(&mut value);
            value
        })
    }

    /// Makes the value of a type anew from what it is, if there is one: [`StateCommand::update`] for a type
    /// that has no default, or is not cloned.
    ///
    /// ```
    /// use toolwright::state::StateCommand;
    ///
    /// struct Longest(String);
    ///
    /// let said = "a longer word".to_owned();
    /// let command = StateCommand::update_with(move |longest: Option<&Longest>| match longest {
    ///     Some(Longest(word)) if word.len() > said.len() => Longest(word.clone()),
    ///     _ => Longest(said.clone()),
    /// });
    /// # let _ = command;
    /// ```
    pub fn update_with<T: Send + Sync + 'static>(
        change: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
    ) -> Self {
        let change = move |value: Option<&(dyn Any + Send + Sync)>| -> SharedValue {
            Arc::new(change(
                value.and_then(<dyn Any + Send + Sync>::downcast_ref),
            ))
        };
        Self(CommandKind::Change(StateKey::of::<T>(), Arc::new(change)))
    }

    /// Removes the value of a type, if there is one.
    pub fn remove<T: Send + Sync + 'static>() -> Self {
        Self(CommandKind::Remove(StateKey::of::<T>()))
    }

    /// Asks the app to do something later: the action is reported as an event
    /// [`Scheduled`](crate::event::EventKind::Scheduled), and waits in the session until the app
    /// [takes it](crate::Session::take_scheduled). Only the app runs it.
    ///
    /// At most [`Session::MAX_SCHEDULED`](crate::Session::MAX_SCHEDULED) actions wait in a session; the
    /// call whose commands would make them more fails with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded).
    pub fn schedule(action: ScheduledAction) -> Self {
        Self(CommandKind::Schedule(action))
    }

    /// Tells the app something, as an event [`Emitted`](crate::event::EventKind::Emitted). Without a
    /// [sink](crate::ExecutorBuilder::events) nobody hears it.
    pub fn emit(name: impl Into<String>, payload: impl Into<Value>) -> Self {
        Self(CommandKind::Emit {
            name: name.into(),
            payload: payload.into(),
        })
    }
}

/// Without the values, which may be secret.
impl fmt::Debug for StateCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            CommandKind::Set(key, _) | CommandKind::BeginWith(key, _) => {
                write!(f, "Set({})", key.name)
            }
            CommandKind::Change(key, _) => write!(f, "Update({})", key.name),
            CommandKind::Remove(key) => write!(f, "Remove({})", key.name),
            CommandKind::Schedule(action) => write!(f, "Schedule({:?})", action.name),
            CommandKind::Emit { name, .. } => write!(f, "Emit({name:?})"),
        }
    }
}

/// Compares by identity: a value or closure is equal only to itself and its clones.
impl PartialEq for StateCommand {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (CommandKind::Set(_, one), CommandKind::Set(_, other))
            | (CommandKind::BeginWith(_, one), CommandKind::BeginWith(_, other)) => {
                Arc::ptr_eq(one, other)
            }
            (CommandKind::Change(_, one), CommandKind::Change(_, other)) => Arc::ptr_eq(one, other),
            (CommandKind::Remove(one), CommandKind::Remove(other)) => one.id == other.id,
            (CommandKind::Schedule(one), CommandKind::Schedule(other)) => one == other,
            (
                CommandKind::Emit { name, payload },
                CommandKind::Emit {
                    name: other,
                    payload: its,
                },
            ) => name == other && payload == its,
            _ => false,
        }
    }
}
