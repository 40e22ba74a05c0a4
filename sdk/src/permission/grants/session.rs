//! All that was decided in a session and those above it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use super::{GrantQuery, Ruling, ruling};
use crate::id::{SessionId, TurnId};
use crate::permission::PermissionEvaluator;
use crate::ticket::{Grant, GrantLevel, TicketBroker, TicketError};

/// An earlier decision about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GrantRuling {
    /// An ask is answered with yes. A denial of the checker stands.
    Allowed,
    /// It is refused, whatever the checker says; with the reason, if one was given.
    Denied(Option<String>),
    /// A refusal may cover it, so a person decides even if the checker allows it; with the reason.
    Asks(String),
}

/// The grants of a session as they were read last. Whether they are still so is a look at two
/// numbers.
#[derive(Debug)]
pub(crate) struct SessionGrants {
    /// The session, and then those above it.
    lineage: Vec<SessionId>,
    /// The broker's generation when they were read, counted from 1; 0 before that.
    read_at: AtomicU64,
    is_empty: AtomicBool,
    has_denials: AtomicBool,
    pub(super) held: RwLock<Arc<SessionGrantList>>,
}

/// The grants as they were read.
#[derive(Debug, Default)]
pub(super) struct SessionGrantList {
    read_at: u64,
    /// Each with whether it was given in this session, whose turns it may be bound to.
    grants: Vec<(bool, Grant)>,
}

impl SessionGrants {
    /// The grants of a session that the store may have grants of.
    pub(crate) fn new(session: SessionId) -> Self {
        Self {
            lineage: vec![session],
            read_at: AtomicU64::new(0),
            is_empty: AtomicBool::new(true),
            has_denials: AtomicBool::new(false),
            held: RwLock::default(),
        }
    }

    /// The grants of a session that is new at that generation of the broker: it has none.
    pub(crate) fn new_at(session: SessionId, generation: u64) -> Self {
        let grants = Self::new(session);
        grants.keep(SessionGrantList {
            read_at: generation.saturating_add(1),
            ..SessionGrantList::default()
        });
        grants
    }

    /// The grants of a session below this one: the decisions here and above hold there.
    pub(crate) fn child(&self, session: SessionId) -> Self {
        Self::new(session).with_above(self.lineage.iter().cloned())
    }

    /// The session, and then those above it, the nearest first.
    pub(crate) fn lineage(&self) -> &[SessionId] {
        &self.lineage
    }

    /// With what was decided in the sessions above, the nearest first.
    pub(crate) fn with_above(mut self, above: impl IntoIterator<Item = SessionId>) -> Self {
        self.lineage.extend(above);
        self
    }

    /// Returns true if nothing has changed since they were read.
    #[inline]
    pub(crate) fn are_current(&self, broker: &TicketBroker) -> bool {
        self.read_at.load(Ordering::Acquire) == broker.generation().saturating_add(1)
    }

    /// Returns true if there was nothing when they were read.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty.load(Ordering::Acquire)
    }

    /// Returns true if something was refused for more than one call when they were read, so that also what
    /// is allowed has to be looked at.
    #[inline]
    pub(crate) fn has_denials(&self) -> bool {
        self.has_denials.load(Ordering::Acquire)
    }

    /// Reads them, here and above.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read. The refusals are not known then, and nothing may run.
    pub(crate) async fn refresh(&self, broker: &TicketBroker) -> Result<(), TicketError> {
        // Before they are read: what changes meanwhile is read the next time.
        let read_at = broker.generation().saturating_add(1);
        let mut held = SessionGrantList {
            read_at,
            ..SessionGrantList::default()
        };
        for (distance, session) in self.lineage.iter().enumerate() {
            let grants = broker.grants(session).await?.into_iter();
            held.grants
                .extend(grants.map(|grant| (distance == 0, grant)));
        }
        self.keep(held);
        Ok(())
    }

    pub(super) fn keep(&self, new: SessionGrantList) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        // If two read at the same time, the later read knows more.
        if new.read_at < held.read_at {
            return;
        }
        let is_denial = |(_, grant): &(bool, Grant)| grant.level() == GrantLevel::Deny;
        let has_denials = new.grants.iter().any(is_denial);
        self.is_empty
            .store(new.grants.is_empty(), Ordering::Release);
        self.has_denials.store(has_denials, Ordering::Release);
        self.read_at.store(new.read_at, Ordering::Release);
        *held = Arc::new(new);
    }

    /// Returns the decision about a request, by the grants as they were read last.
    pub(crate) fn decide(
        &self,
        judge: &PermissionEvaluator,
        query: &GrantQuery<'_>,
        turn: TurnId,
        now: SystemTime,
    ) -> Option<GrantRuling> {
        if self.is_empty() {
            return None;
        }
        let held = Arc::clone(&self.held.read().unwrap_or_else(PoisonError::into_inner));
        let grants = held
            .grants
            .iter()
            .filter(|(is_own, grant)| match grant.level() {
                _ if *is_own => grant.holds(now, turn),
                // Nobody knows which turn here is part of a turn above: an allowance for that does not hold here, and a
                // refusal does.
                GrantLevel::Allow => !grant.is_of_a_turn() && grant.is_in_time(now),
                GrantLevel::Deny => grant.is_in_time(now),
            });
        let grants = grants.map(|(_, grant)| grant);
        match ruling(judge, grants, query) {
            Ruling::Denied(grant) => Some(GrantRuling::Denied(grant.reason().map(str::to_owned))),
            Ruling::Unsure => {
                let why = "it may be what a person has refused for the session";
                Some(GrantRuling::Asks(why.to_owned()))
            }
            Ruling::Allowed(_) => Some(GrantRuling::Allowed),
            Ruling::Open => None,
        }
    }
}
