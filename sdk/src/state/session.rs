//! The state of a session: one writer at a time, and readers who never wait for it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use serde_json::Value;

use super::command::{CommandKind, ScheduledAction, StateCommand};
use super::snapshot::{StateSnapshot, StateValues};
use crate::id::SessionId;
use crate::util::lock::Lock;
use crate::util::panic::catch_panic;

/// The most scheduled actions that can wait in a session.
pub(crate) const MAX_SCHEDULED: usize = 1024;
crate::util::documented::documented_default!("scheduled actions of a session", MAX_SCHEDULED);

/// The state of a session.
#[derive(Default)]
pub(crate) struct SessionState {
    /// The number of changes. At 0 nothing was ever set, and there is nothing to copy.
    version: AtomicU64,
    /// Locked for no longer than it takes to copy a pointer.
    current: Lock<StateSnapshot>,
    /// Whoever changes the state holds it meanwhile.
    book: Lock<Book>,
    /// The map in which handles of the same session find this state.
    home: Option<(SessionId, Weak<States>)>,
}

#[derive(Default)]
struct Book {
    scheduled: Vec<ScheduledAction>,
    /// The session has ended: what is still to be changed is dropped.
    is_closed: bool,
}

/// The signs of applied commands that become events.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CommandEvent {
    Scheduled(ScheduledAction),
    Emitted { name: String, payload: Value },
}

/// The reason why commands were not applied. None of them was then.
#[derive(Debug)]
pub(crate) enum ApplyError {
    /// A change panicked; what it said is for the log.
    Panicked(String),
    TooManyScheduled,
}

impl SessionState {
    fn at(home: (SessionId, Weak<States>)) -> Self {
        let mut state = Self::default();
        state.home = Some(home);
        state
    }

    /// As it is now.
    #[inline]
    pub(crate) fn snapshot(&self) -> StateSnapshot {
        if self.version() == 0 {
            return StateSnapshot::default();
        }
        self.copied()
    }

    #[cold]
    fn copied(&self) -> StateSnapshot {
        self.current.lock().clone()
    }

    /// The number of changes.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Applies commands in their order, all or none.
    pub(crate) fn apply(&self, commands: &[StateCommand]) -> Result<Vec<CommandEvent>, ApplyError> {
        catch_panic(|| self.apply_all(commands)).map_err(ApplyError::Panicked)?
    }

    /// Until the new state is in place, a panic leaves that of before.
    fn apply_all(&self, commands: &[StateCommand]) -> Result<Vec<CommandEvent>, ApplyError> {
        let mut book = self.book.lock();
        // The lock keeps other writers out from here on.
        let before = self.copied();
        let (changed, signs) = tried(&before, commands);
        let scheduled = || {
            signs.iter().filter_map(|sign| match sign {
                CommandEvent::Scheduled(action) => Some(action),
                CommandEvent::Emitted { .. } => None,
            })
        };
        if book.is_closed {
            return Ok(signs);
        }
        if book.scheduled.len() + scheduled().count() > MAX_SCHEDULED {
            return Err(ApplyError::TooManyScheduled);
        }
        book.scheduled.extend(scheduled().cloned());
        let Some(mut values) = changed else {
            return Ok(signs);
        };
        values.version += 1;
        let version = values.version;
        let after = StateSnapshot(Some(Arc::new(values)));
        // The replaced value is dropped after the lock is released.
        let _replaced = mem::replace(&mut *self.current.lock(), after);
        self.version.store(version, Ordering::Release);
        if version == 1 {
            self.keep();
        }
        drop(book);
        Ok(signs)
    }

    /// The actions that were scheduled and not taken yet, the first first.
    pub(crate) fn take_scheduled(&self) -> Vec<ScheduledAction> {
        mem::take(&mut self.book.lock().scheduled)
    }

    /// Lets go of everything, for good.
    pub(crate) fn close(&self) {
        {
            let mut book = self.book.lock();
            book.is_closed = true;
            book.scheduled = Vec::new();
        }
        let _values = mem::take(&mut *self.current.lock());
        if let Some((id, states)) = &self.home
            && let Some(states) = states.upgrade()
        {
            states.forget(id, self);
        }
    }

    /// There is something to keep for other handles, even if this one goes.
    fn keep(&self) {
        if let Some((id, states)) = &self.home
            && let Some(states) = states.upgrade()
        {
            states.keep(id, self);
        }
    }
}

/// Computes the state after some commands, `None` if they do not change it.
fn tried(
    before: &StateSnapshot,
    commands: &[StateCommand],
) -> (Option<StateValues>, Vec<CommandEvent>) {
    let copied = || {
        before
            .0
            .as_deref()
            .map_or_else(StateValues::default, StateValues::clone)
    };
    let mut changed: Option<StateValues> = None;
    let mut signs = Vec::new();
    for StateCommand(kind) in commands {
        match kind {
            CommandKind::Set(key, value) => {
                let values = changed.get_or_insert_with(copied);
                values.put(*key, Arc::clone(value));
            }
            CommandKind::BeginWith(key, value) => {
                let values = changed.as_ref().or(before.0.as_deref());
                if values.is_none_or(|values| values.get(*key).is_none()) {
                    let values = changed.get_or_insert_with(copied);
                    values.put(*key, Arc::clone(value));
                }
            }
            CommandKind::Change(key, change) => {
                let values = changed.get_or_insert_with(copied);
                let value = change(values.get(*key).map(|value| &**value));
                values.put(*key, value);
            }
            CommandKind::Remove(key) => {
                let values = changed.as_ref().or(before.0.as_deref());
                if values.is_some_and(|values| values.get(*key).is_some()) {
                    changed.get_or_insert_with(copied).remove(*key);
                }
            }
            CommandKind::Schedule(action) => signs.push(CommandEvent::Scheduled(action.clone())),
            CommandKind::Emit { name, payload } => signs.push(CommandEvent::Emitted {
                name: name.clone(),
                payload: payload.clone(),
            }),
        }
    }
    (changed, signs)
}

/// The states of an executor's sessions: handles of one id have one. A state in which something was set
/// is kept until its session ends, any other for as long as there is a handle.
#[derive(Default)]
pub(crate) struct States {
    by_session: Lock<HashMap<SessionId, Home>>,
}

struct Home {
    state: Weak<SessionState>,
    kept: Option<Arc<SessionState>>,
}

impl States {
    /// The state of a session that is opened.
    pub(crate) fn open(self: &Arc<Self>, id: &SessionId) -> Arc<SessionState> {
        let mut homes = self.by_session.lock();
        let place = match homes.entry(id.clone()) {
            Entry::Occupied(home) => match home.get().state.upgrade() {
                Some(state) => return state,
                None => Entry::Occupied(home),
            },
            vacant @ Entry::Vacant(_) => vacant,
        };
        let state = Arc::new(SessionState::at((id.clone(), Arc::downgrade(self))));
        place.insert_entry(Home {
            state: Arc::downgrade(&state),
            kept: None,
        });
        state
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.by_session.lock().len()
    }

    fn keep(&self, id: &SessionId, state: &SessionState) {
        let mut homes = self.by_session.lock();
        if let Some(home) = homes.get_mut(id)
            && std::ptr::eq(home.state.as_ptr(), state)
        {
            home.kept = home.state.upgrade();
        }
    }

    /// Nobody else finds a state any more.
    fn forget(&self, id: &SessionId, state: &SessionState) {
        let mut homes = self.by_session.lock();
        let removed = match homes.entry(id.clone()) {
            Entry::Occupied(home) if std::ptr::eq(home.get().state.as_ptr(), state) => {
                Some(home.remove())
            }
            _ => None,
        };
        drop(homes);
        drop(removed);
    }
}

impl Drop for SessionState {
    fn drop(&mut self) {
        if let Some((id, states)) = &self.home
            && let Some(states) = states.upgrade()
        {
            states.forget(id, self);
        }
    }
}
