//! Which session is below which.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::id::SessionId;

/// The most sessions above one: a bound for what goes round.
const MOST: usize = 64;

/// Sessions by those below them.
#[derive(Debug, Default)]
pub(super) struct Kin(Mutex<HashMap<SessionId, (SessionId, bool)>>);

impl Kin {
    pub(super) fn adopt(&self, session: SessionId, parent: SessionId, hands_down: bool) {
        self.lock().insert(session, (parent, hands_down));
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.lock().remove(session);
    }

    /// The sessions above one, the nearest first, and whether what is allowed there holds in it.
    pub(super) fn above(&self, session: &SessionId) -> Vec<(SessionId, bool)> {
        let parents = self.lock();
        let mut above = Vec::new();
        let mut next = session;
        let mut hands_down = true;
        while let Some((parent, handed)) = parents.get(next).filter(|_| above.len() < MOST) {
            hands_down &= handed;
            above.push((parent.clone(), hands_down));
            next = parent;
        }
        above
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, (SessionId, bool)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
