//! Which session is below which.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::id::SessionId;

/// The most sessions above one: a bound for what goes round.
const MOST: usize = 64;

/// The session above each that has one.
#[derive(Debug, Default)]
pub(super) struct Kin(Mutex<HashMap<SessionId, SessionId>>);

impl Kin {
    pub(super) fn adopt(&self, session: SessionId, parent: SessionId) {
        self.parents().insert(session, parent);
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.parents().remove(session);
    }

    /// The sessions above one, the nearest first.
    pub(super) fn above(&self, session: &SessionId) -> Vec<SessionId> {
        let parents = self.parents();
        let above = std::iter::successors(parents.get(session), |parent| parents.get(*parent));
        above.take(MOST).cloned().collect()
    }

    fn parents(&self) -> MutexGuard<'_, HashMap<SessionId, SessionId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
