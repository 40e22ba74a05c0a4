//! The state of a session as it was at one moment.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::util::panic::catch_panic;

/// A value of a session's state, shared with every snapshot that has it.
pub(crate) type SharedValue = Arc<dyn Any + Send + Sync>;

/// The type of a value, which is its key.
#[derive(Clone, Copy)]
pub(super) struct StateKey {
    pub(super) id: TypeId,
    pub(super) name: &'static str,
}

impl StateKey {
    pub(super) fn of<T: 'static>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>(),
        }
    }
}

/// The values of a session, each under its type.
#[derive(Clone, Default)]
pub(super) struct StateValues {
    pub(super) version: u64,
    by_type: HashMap<TypeId, (&'static str, SharedValue)>,
}

impl StateValues {
    pub(super) fn get(&self, key: StateKey) -> Option<&SharedValue> {
        self.by_type.get(&key.id).map(|(_, value)| value)
    }

    pub(super) fn put(&mut self, key: StateKey, value: SharedValue) {
        self.by_type.insert(key.id, (key.name, value));
    }

    /// Removes a value, and returns true if it was there.
    pub(super) fn remove(&mut self, key: StateKey) -> bool {
        self.by_type.remove(&key.id).is_some()
    }
}

/// The state of a session at one moment: values of the app's own types, at most one of each type. Later changes do
/// not show.
///
/// A tool reads it by [`ToolContext::state`](crate::ToolContext::state), the app by
/// [`Session::state`](crate::Session::state). Cloning is cheap.
///
/// ```
/// use toolwright::{Executor, ToolRegistry};
///
/// #[derive(Debug, PartialEq)]
/// struct WorkingDirectory(String);
///
/// let session = Executor::new(ToolRegistry::new())?.session("s-1");
/// let before = session.state();
/// session.set_state(WorkingDirectory("/data".into()));
/// assert_eq!(before.get::<WorkingDirectory>(), None);
/// let now = session.state();
/// assert_eq!(now.get(), Some(&WorkingDirectory("/data".into())));
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Clone, Default)]
pub struct StateSnapshot(pub(super) Option<Arc<StateValues>>);

impl StateSnapshot {
    /// The value of a type, if there is one.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.get(StateKey::of::<T>())?.downcast_ref()
    }

    /// Returns true if there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|values| values.by_type.is_empty())
    }

    /// The number of changes before; 0 for a session whose state was never set.
    pub fn version(&self) -> u64 {
        self.0.as_ref().map_or(0, |values| values.version)
    }
}

impl Drop for StateSnapshot {
    fn drop(&mut self) {
        // Dropping the last holder runs code of the app, which may panic.
        if let Some(values) = self.0.take() {
            let _ = catch_panic(|| drop(values));
        }
    }
}

/// The types alone: what the values hold may be secret.
impl fmt::Debug for StateSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut types: Vec<&str> = self.0.as_ref().map_or_else(Vec::new, |values| {
            values.by_type.values().map(|(name, _)| *name).collect()
        });
        types.sort_unstable();
        f.debug_struct("StateSnapshot")
            .field("version", &self.version())
            .field("types", &types)
            .finish()
    }
}
