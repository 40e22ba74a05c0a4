//! All that was decided in a session and those above it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use super::{Coverage, GrantQuery};
use crate::id::{SessionId, TurnId};
use crate::permission::PermissionEvaluator;
use crate::ticket::{Grant, GrantLevel, GrantScope, TicketBroker, TicketError};

/// What was decided before about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GrantRuling {
    /// An ask is answered with yes. A denial of the checker stands.
    Allowed,
    /// It is refused, whatever the checker says; with the reason, if one was given.
    Denied(Option<String>),
    /// What was refused may be meant, so that a person decides even where the checker allows: why.
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
    pub(super) held: RwLock<Arc<Held>>,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Held {
    read_at: u64,
    allowances: Vec<Grant>,
    denials: Vec<Denial>,
}

#[derive(Debug)]
struct Denial {
    grant: Grant,
    /// True if it was said in this session, whose turns it may be bound to.
    is_own: bool,
}

impl SessionGrants {
    /// Of a session of which the store may know something.
    pub(crate) fn new(session: SessionId) -> Self {
        Self {
            lineage: vec![session],
            read_at: AtomicU64::new(0),
            is_empty: AtomicBool::new(true),
            has_denials: AtomicBool::new(false),
            held: RwLock::default(),
        }
    }

    /// Of a session that is new at that generation of the broker: nothing was decided in it.
    pub(crate) fn new_at(session: SessionId, generation: u64) -> Self {
        let grants = Self::new(session);
        grants.keep(Held {
            read_at: generation.saturating_add(1),
            ..Held::default()
        });
        grants
    }

    /// Of a session below this one: what was decided here and above holds there.
    pub(crate) fn below(&self, session: SessionId) -> Self {
        Self::new(session).with_above(self.lineage.iter().cloned())
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
    /// When the store cannot be read. What was refused is not known then, and nothing may run.
    pub(crate) async fn refresh(&self, broker: &TicketBroker) -> Result<(), TicketError> {
        // Before they are read: what changes meanwhile is read the next time.
        let read_at = broker.generation().saturating_add(1);
        let mut held = Held {
            read_at,
            ..Held::default()
        };
        for (distance, session) in self.lineage.iter().enumerate() {
            let is_own = distance == 0;
            for grant in broker.grants(session).await? {
                match grant.level() {
                    GrantLevel::Allow => held.allowances.push(grant),
                    GrantLevel::Deny => held.denials.push(Denial { grant, is_own }),
                }
            }
        }
        self.keep(held);
        Ok(())
    }

    pub(super) fn keep(&self, new: Held) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        // Of two who read at the same time the later one knows more.
        if new.read_at < held.read_at {
            return;
        }
        self.is_empty.store(
            new.allowances.is_empty() && new.denials.is_empty(),
            Ordering::Release,
        );
        self.has_denials
            .store(!new.denials.is_empty(), Ordering::Release);
        self.read_at.store(new.read_at, Ordering::Release);
        *held = Arc::new(new);
    }

    /// Returns what was decided about a request, by what was read last.
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
        let mut unsure = false;
        for denial in held.denials.iter().filter(|denial| denial.holds(now, turn)) {
            match judge.refusal_covers(denial.grant.covers(), query) {
                Coverage::Yes => {
                    let reason = denial.grant.reason().map(str::to_owned);
                    return Some(GrantRuling::Denied(reason));
                }
                Coverage::Maybe => unsure = true,
                Coverage::No => {}
            }
        }
        if unsure {
            let why = "it may be what a person has refused for the session";
            return Some(GrantRuling::Asks(why.to_owned()));
        }
        // A turn of another session is none of this one: its number says so only by chance.
        let own = self.lineage.first();
        let allowances = held.allowances.iter().filter(|grant| {
            let is_here = Some(grant.session()) == own || !grant.is_of_a_turn();
            is_here && grant.holds(now, turn)
        });
        let allowances: Vec<&GrantScope> = allowances.map(Grant::covers).collect();
        let covered = judge.grant_covers(&allowances, query) == Coverage::Yes;
        covered.then_some(GrantRuling::Allowed)
    }
}

impl Denial {
    /// One of a turn above binds here for as long as it is there: which turn here is part of that
    /// one nobody knows.
    fn holds(&self, now: SystemTime, turn: TurnId) -> bool {
        if self.is_own {
            self.grant.holds(now, turn)
        } else {
            self.grant.is_in_time(now)
        }
    }
}
