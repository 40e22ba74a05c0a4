//! The store in memory.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use tokio::sync::Notify;

use super::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};
use crate::id::{GrantId, SessionId, TicketId};
use crate::util::lock::Lock;

/// Keeps tickets, answers and grants in memory, for one process: the store of an executor that is
/// given no other.
///
/// A closed ticket is kept until its time is over or its session is forgotten, so that a second use
/// of it differs from an unknown ticket. Expired tickets are removed as new ones come.
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone, Default)]
pub struct MemoryTickets {
    rows: Arc<Lock<Rows>>,
    replica: Option<Arc<str>>,
}

#[derive(Default)]
struct Rows {
    tickets: HashMap<TicketId, MemoryTicket>,
    /// Open ones, in the order they are listed in.
    open: BTreeMap<Age, TicketId>,
    expiries: BTreeSet<(SystemTime, TicketId)>,
    sessions: HashMap<SessionId, OfSession>,
}

/// The place of a ticket in lists: the time at which it began to wait, then its id.
type Age = (SystemTime, TicketId);

struct MemoryTicket {
    kept: TicketRecord,
    age: Age,
    /// The replica that has claimed it and not finished.
    claimed_by: Option<Arc<str>>,
    /// There is one while somebody waits for a change.
    changed: Option<Arc<Notify>>,
}

#[derive(Default)]
struct OfSession {
    tickets: BTreeMap<Age, TicketId>,
    open: BTreeMap<Age, TicketId>,
    grants: Vec<SealedGrant>,
}

impl MemoryTicket {
    fn tell(&mut self) {
        if let Some(changed) = self.changed.take() {
            changed.notify_waiters();
        }
    }
}

impl Rows {
    fn put(&mut self, stored: &StoredTicket) {
        let ticket = stored.ticket();
        if self.tickets.contains_key(&ticket.id()) {
            return;
        }
        // The creation time of a new ticket serves as the current time.
        self.purge(ticket.created_at());
        let age = (ticket.created_at(), ticket.id());
        self.open.insert(age, ticket.id());
        self.expiries.insert((ticket.expires_at(), ticket.id()));
        let session = self.sessions.entry(ticket.session().clone()).or_default();
        session.tickets.insert(age, ticket.id());
        session.open.insert(age, ticket.id());
        let kept = TicketRecord {
            stored: stored.clone(),
            answers: Vec::new(),
            closed: None,
        };
        let row = MemoryTicket {
            kept,
            age,
            claimed_by: None,
            changed: None,
        };
        self.tickets.insert(ticket.id(), row);
    }

    fn purge(&mut self, now: SystemTime) {
        while let Some(&(expiry, id)) = self.expiries.first() {
            if expiry > now {
                break;
            }
            self.expiries.pop_first();
            self.remove(id);
        }
    }

    fn remove(&mut self, id: TicketId) {
        let Some(mut row) = self.tickets.remove(&id) else {
            return;
        };
        let ticket = row.kept.stored.ticket();
        self.open.remove(&row.age);
        self.expiries.remove(&(ticket.expires_at(), id));
        if let Some(session) = self.sessions.get_mut(ticket.session()) {
            session.tickets.remove(&row.age);
            session.open.remove(&row.age);
            if session.tickets.is_empty() && session.grants.is_empty() {
                self.sessions.remove(ticket.session());
            }
        }
        row.tell();
    }

    fn answer(&mut self, id: TicketId, request: usize, answer: &SealedAnswer) -> WriteOutcome {
        let Some(row) = self.tickets.get_mut(&id) else {
            return WriteOutcome::Unknown;
        };
        if let Some(how) = row.kept.closed {
            return WriteOutcome::Closed(how);
        }
        if request >= row.kept.stored.ticket().requests().len() {
            return WriteOutcome::Unknown;
        }
        let answers = &mut row.kept.answers;
        if answers.len() <= request {
            answers.resize(request + 1, None);
        }
        match &mut answers[request] {
            Some(_) => WriteOutcome::Before,
            empty => {
                *empty = Some(answer.clone());
                row.tell();
                WriteOutcome::Now
            }
        }
    }

    fn close(
        &mut self,
        id: TicketId,
        how: CloseReason,
        replica: Option<&Arc<str>>,
    ) -> WriteOutcome {
        let Some(row) = self.tickets.get_mut(&id) else {
            return WriteOutcome::Unknown;
        };
        if let Some(before) = row.kept.closed {
            return WriteOutcome::Closed(before);
        }
        row.kept.closed = Some(how);
        row.claimed_by = replica.cloned();
        row.tell();
        self.open.remove(&row.age);
        if let Some(session) = self.sessions.get_mut(row.kept.stored.ticket().session()) {
            session.open.remove(&row.age);
        }
        WriteOutcome::Now
    }

    fn list(&self, filter: &TicketFilter) -> Vec<TicketRecord> {
        let open = match filter.of_session() {
            None => Some(&self.open),
            Some(session) => self.sessions.get(session).map(|session| &session.open),
        };
        open.into_iter()
            .flat_map(BTreeMap::values)
            .filter_map(|id| self.tickets.get(id))
            .filter(|row| filter.lets_through_record(&row.kept))
            .take(filter.max_tickets().unwrap_or(usize::MAX))
            .map(|row| row.kept.clone())
            .collect()
    }

    fn claimed(&self, replica: Option<&Arc<str>>) -> Vec<TicketRecord> {
        let mut rows: Vec<_> = self.tickets.values().collect();
        rows.retain(|row| replica.is_some() && row.claimed_by.as_ref() == replica);
        rows.sort_unstable_by_key(|row| row.age);
        rows.into_iter().map(|row| row.kept.clone()).collect()
    }

    fn finish(&mut self, tickets: &[TicketId], replica: Option<&Arc<str>>) {
        for id in tickets {
            if let Some(row) = self.tickets.get_mut(id)
                && row.claimed_by.as_ref() == replica
            {
                row.claimed_by = None;
            }
        }
    }

    fn forget(&mut self, session: &SessionId) {
        let Some(of_session) = self.sessions.get_mut(session) else {
            return;
        };
        of_session.grants.clear();
        for id in std::mem::take(&mut of_session.tickets).into_values() {
            self.remove(id);
        }
        self.sessions.remove(session);
    }
}

impl MemoryTickets {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same store, for a replica of this name: for tests of what a replica leaves. Default: none.
    pub fn replica(&self, name: &str) -> Self {
        Self {
            replica: Some(name.into()),
            ..self.clone()
        }
    }
}

#[async_trait]
impl TicketStore for MemoryTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        self.rows.lock().put(ticket);
        Ok(())
    }

    async fn put_after(&self, ticket: &StoredTicket, claimed: TicketId) -> Result<(), StoreError> {
        let mut rows = self.rows.lock();
        rows.put(ticket);
        rows.finish(&[claimed], self.replica.as_ref());
        Ok(())
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        Ok(self
            .rows
            .lock()
            .tickets
            .get(&id)
            .map(|row| row.kept.clone()))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        Ok(self.rows.lock().answer(id, request, answer))
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        Ok(self.rows.lock().close(id, how, None))
    }

    async fn claim(&self, id: TicketId) -> Result<WriteOutcome, StoreError> {
        let mut rows = self.rows.lock();
        Ok(rows.close(id, CloseReason::Used, self.replica.as_ref()))
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        Ok(self.rows.lock().list(filter))
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        let notified = {
            let mut rows = self.rows.lock();
            let Some(row) = rows.tickets.get_mut(&id) else {
                return Ok(());
            };
            if row.kept.closed.is_some() || row.kept.answered() > answers {
                return Ok(());
            }
            let changed = row.changed.get_or_insert_default();
            // Made while the row is locked: no change after this is missed.
            Arc::clone(changed).notified_owned()
        };
        notified.await;
        Ok(())
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let mut rows = self.rows.lock();
        let of_session = rows
            .sessions
            .entry(grant.grant().session().clone())
            .or_default();
        let id = grant.grant().id();
        if !of_session.grants.iter().any(|kept| kept.grant().id() == id) {
            of_session.grants.push(grant.clone());
        }
        Ok(())
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let rows = self.rows.lock();
        let of_session = rows.sessions.get(session);
        Ok(of_session.map_or_else(Vec::new, |of_session| of_session.grants.clone()))
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let mut rows = self.rows.lock();
        let Some(of_session) = rows.sessions.get_mut(session) else {
            return Ok(false);
        };
        let before = of_session.grants.len();
        of_session.grants.retain(|kept| kept.grant().id() != id);
        let removed = of_session.grants.len() < before;
        if of_session.tickets.is_empty() && of_session.grants.is_empty() {
            rows.sessions.remove(session);
        }
        Ok(removed)
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.rows.lock().forget(session);
        Ok(())
    }

    async fn claimed(&self) -> Result<Vec<TicketRecord>, StoreError> {
        Ok(self.rows.lock().claimed(self.replica.as_ref()))
    }

    async fn finish(&self, tickets: &[TicketId]) -> Result<(), StoreError> {
        self.rows.lock().finish(tickets, self.replica.as_ref());
        Ok(())
    }
}

impl fmt::Debug for MemoryTickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows.lock();
        f.debug_struct("MemoryTickets")
            .field("tickets", &rows.tickets.len())
            .field("open", &rows.open.len())
            .finish_non_exhaustive()
    }
}
