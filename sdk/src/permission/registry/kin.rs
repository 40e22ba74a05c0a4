//! The tree of sessions.

use std::collections::{HashMap, HashSet};

use crate::id::{GrantId, SessionId};
use crate::util::lock::Lock;

/// The most sessions above one: a bound for what goes round.
const MOST: usize = 64;

/// The known sessions below others.
#[derive(Debug, Default)]
pub(super) struct Kin(Lock<HashMap<SessionId, Below>>);

#[derive(Debug)]
struct Below {
    parent: SessionId,
    /// The grants that it has because those above it have as much. What people answered in it is
    /// its own.
    lent: HashSet<GrantId>,
}

impl Kin {
    pub(super) fn adopt(&self, session: SessionId, parent: SessionId) {
        let below = Below {
            parent,
            lent: HashSet::new(),
        };
        self.0.lock().insert(session, below);
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
        for (below, of) in kin.iter().filter(|(_, below)| !below.lent.is_empty()) {
            let depth = above(&kin, below).position(|above| above == session);
            lent.extend(depth.map(|depth| (depth, below.clone(), of.lent.clone())));
        }
        // A grant that was lent on is checked after the grant that it was lent from.
        lent.sort_by_key(|(depth, ..)| *depth);
        let lent = lent.into_iter();
        lent.map(|(_, below, grants)| (below, grants)).collect()
    }

    /// The sessions above one, the nearest first.
    pub(super) fn above(&self, session: &SessionId) -> Vec<SessionId> {
        above(&self.0.lock(), session).cloned().collect()
    }
}

fn above<'k>(
    kin: &'k HashMap<SessionId, Below>,
    session: &SessionId,
) -> impl Iterator<Item = &'k SessionId> {
    let parent_of = |session: &SessionId| kin.get(session).map(|below| &below.parent);
    std::iter::successors(parent_of(session), move |above| parent_of(above)).take(MOST)
}
