//! The tree of sessions.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::id::{GrantId, SessionId};
use crate::util::lock::Lock;

/// The known sessions below others.
#[derive(Debug, Default)]
pub(super) struct Kin(Lock<HashMap<SessionId, Below>>);

#[derive(Debug, Default)]
struct Below {
    /// The sessions above it when it was opened, the nearest first: it stays below them, also when one
    /// between is forgotten.
    above: Vec<SessionId>,
    /// The grants that it has because those above it have as much. What people answered in it is
    /// its own.
    lent: HashSet<GrantId>,
    open: Weak<SubSessionEntry>,
}

/// A session below another, as long as it is open: dropped, it is forgotten, unless something can
/// still come to it by its id.
#[derive(Debug)]
pub(crate) struct SubSessionEntry {
    kin: Arc<Kin>,
    session: SessionId,
    stays: AtomicBool,
}

impl SubSessionEntry {
    /// Notes that a call was suspended in it: whoever answers may grant to it when it is dropped, so it
    /// is known until a session of its id ends.
    pub(crate) fn stay(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }
}

impl Drop for SubSessionEntry {
    fn drop(&mut self) {
        if *self.stays.get_mut() {
            return;
        }
        let mut kin = self.kin.0.lock();
        // Another one of its id may have been opened meanwhile.
        let is_own = kin
            .get(&self.session)
            .is_some_and(|below| below.lent.is_empty() && std::ptr::eq(below.open.as_ptr(), self));
        if is_own {
            kin.remove(&self.session);
        }
    }
}

impl Kin {
    /// Notes that a session is below others, the nearest first. Two that are open under one id are one.
    pub(super) fn adopt(
        self: &Arc<Self>,
        session: SessionId,
        above: Vec<SessionId>,
    ) -> Arc<SubSessionEntry> {
        let mut kin = self.0.lock();
        let below = kin.entry(session.clone()).or_default();
        below.above = above;
        below.open.upgrade().unwrap_or_else(|| {
            let open = Arc::new(SubSessionEntry {
                kin: Arc::clone(self),
                session,
                stays: AtomicBool::new(false),
            });
            below.open = Arc::downgrade(&open);
            open
        })
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.0.lock().remove(session);
    }

    /// Notes that a session has a grant for as long as those above it have as much.
    pub(super) fn lend(&self, session: &SessionId, grant: GrantId) {
        if let Some(below) = self.0.lock().get_mut(session) {
            below.lent.insert(grant);
        }
    }

    /// Returns the grants that were lent to the sessions below one, the nearest first.
    pub(super) fn lent_below(&self, session: &SessionId) -> Vec<(SessionId, HashSet<GrantId>)> {
        let kin = self.0.lock();
        let mut lent = Vec::new();
        for (id, below) in kin.iter().filter(|(_, below)| !below.lent.is_empty()) {
            let depth = below.above.iter().position(|above| above == session);
            lent.extend(depth.map(|depth| (depth, id.clone(), below.lent.clone())));
        }
        // A grant that was lent on is checked after the grant that it was lent from.
        lent.sort_by_key(|(depth, ..)| *depth);
        let lent = lent.into_iter();
        lent.map(|(_, below, grants)| (below, grants)).collect()
    }

    /// The sessions above one, the nearest first.
    pub(super) fn above(&self, session: &SessionId) -> Vec<SessionId> {
        let kin = self.0.lock();
        kin.get(session)
            .map_or_else(Vec::new, |below| below.above.clone())
    }
}
