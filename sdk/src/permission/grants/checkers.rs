//! The checkers that say what grants cover, by session.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use crate::id::SessionId;
use crate::permission::{AnyChecker, DefaultPolicy, PermissionEvaluator};
use crate::util::lock::Lock;

/// The checker of the executor and those of sessions that have their own: tickets are answered, and
/// grants looked at, also where no call runs.
#[derive(Debug, Default)]
pub(crate) struct GrantCheckers {
    own: OnceLock<Arc<PermissionEvaluator>>,
    /// True if a session ever had its own.
    has_sessions: AtomicBool,
    /// A session that is gone keeps no checker alive.
    sessions: Lock<HashMap<SessionId, Weak<PermissionEvaluator>>>,
}

impl GrantCheckers {
    /// Sets the executor's, once.
    pub(crate) fn install(&self, judge: Arc<PermissionEvaluator>) {
        // Each executor has its own `GrantCheckers`, so there is no second call.
        drop(self.own.set(judge));
    }

    /// Notes the checker of a session that is opened: of two under one id, that of the later one.
    pub(crate) fn note(&self, session: &SessionId, judge: &Arc<PermissionEvaluator>) {
        if self.own.get().is_some_and(|own| Arc::ptr_eq(own, judge)) {
            // Most executors have no session with a checker of its own.
            if self.has_sessions.load(Ordering::Acquire) {
                self.forget(session);
            }
            return;
        }
        let mut sessions = self.sessions.lock();
        if sessions.len() == sessions.capacity() {
            sessions.retain(|_, judge| judge.strong_count() > 0);
        }
        sessions.insert(session.clone(), Arc::downgrade(judge));
        self.has_sessions.store(true, Ordering::Release);
    }

    /// Forgets a session that has ended.
    pub(crate) fn forget(&self, session: &SessionId) {
        let mut sessions = self.sessions.lock();
        sessions.remove(session);
    }

    /// Returns the checker of a session: its own if it was opened with one, else the executor's.
    pub(crate) fn of(&self, session: &SessionId) -> Arc<PermissionEvaluator> {
        let sessions = self.sessions.lock();
        let own = sessions.get(session).and_then(Weak::upgrade);
        own.or_else(|| self.own.get().cloned()).unwrap_or_else(|| {
            // The executor is not built yet.
            Arc::new(PermissionEvaluator::new(AnyChecker::new(DefaultPolicy), ""))
        })
    }
}
