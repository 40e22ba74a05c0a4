//! The port: where tickets, answers and grants are kept.

use std::time::SystemTime;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{Answer, Grant, KeyedDigest, StoreError, SuspendedCall, Ticket};
use crate::id::{GrantId, SessionId, TicketId, TurnId};

/// Keeps tickets, what was answered, and grants: in memory, in files, in a database.
///
/// A store keeps and tells; it judges nothing. What it keeps is signed, so that a store need not be
/// trusted with more than this: that it does not forget, and that of several who change one thing at
/// once exactly one wins. `testing::ticket_store_contract`, of the feature `contracts`,
/// checks an implementation.
///
/// The stored data of a ticket holds the arguments of its call, secrets too.
#[async_trait]
pub trait TicketStore: Send + Sync + 'static {
    /// Keeps a ticket, open and without answers. A second ticket of the same id changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored; the store then has nothing of it, or all.
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError>;

    /// Keeps the next ticket of a call that goes on after another one: puts it, and [finishes](Self::finish) the claim of
    /// the other, both or neither. Otherwise a process that takes over this replica could go on from both. Default: one
    /// after the other, for a store without replicas.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored; the store then has nothing of it, or all.
    async fn put_after(&self, ticket: &StoredTicket, claimed: TicketId) -> Result<(), StoreError> {
        self.put(ticket).await?;
        self.finish(&[claimed]).await
    }

    /// Reads a ticket: also one that is closed, until its time is over or its session is forgotten.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError>;

    /// Keeps the answer to a request, by its number, unless there is one or the ticket is closed.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored; the store then does not have it.
    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError>;

    /// Closes an open ticket. If several try, one gets [`WriteOutcome::Now`].
    ///
    /// # Errors
    ///
    /// Fails if it could not be closed; it is then open.
    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError>;

    /// Closes an open ticket as [`CloseReason::Used`] for a call that goes on from the store. If several try, one gets
    /// [`WriteOutcome::Now`]. Default: [`close`](Self::close), for a store without replicas.
    ///
    /// A store that knows its replica notes it in the same commit: see [`claimed`](Self::claimed). A call that has waited
    /// in its process is not claimed: it ends with its process, and nobody goes on with it.
    ///
    /// # Errors
    ///
    /// Fails if it could not be closed; it is then open.
    async fn claim(&self, id: TicketId) -> Result<WriteOutcome, StoreError> {
        self.close(id, CloseReason::Used).await
    }

    /// The open tickets that a filter lets through, the oldest first: by [`Ticket::created_at`], then by id, in
    /// whatever order they were put. At most as many as [`TicketFilter::limit`] says.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError>;

    /// Waits until a ticket probably has more than so many answers, or is closed or gone. May return
    /// early: whoever waits reads.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be watched.
    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError>;

    /// Keeps a grant. A second grant of the same id changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored.
    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError>;

    /// The grants of a session, the oldest first.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError>;

    /// Removes a grant; tells whether it was there.
    ///
    /// # Errors
    ///
    /// Fails if it could not be removed.
    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError>;

    /// Removes all that is there of a session: its grants, and its tickets, which are closed before.
    ///
    /// # Errors
    ///
    /// Fails if something could not be removed.
    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError>;

    /// Returns the tickets that this store's replica has [claimed](Self::claim) and not [finished](Self::finish), the
    /// oldest first: their calls run in no other process.
    ///
    /// A replica is a process with a name that no other has at the same time. A process that takes over the name reads
    /// here which calls it may have to go on with. Default: none, for a store without replicas.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn claimed(&self) -> Result<Vec<TicketRecord>, StoreError> {
        Ok(Vec::new())
    }

    /// Notes that nothing is left to do for tickets that were [claimed](Self::claim): their calls have ended, or a
    /// person settles them. Tickets that are not there, or not claimed by this replica, do not count. Default: nothing.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored. The tickets are then claimed as before.
    async fn finish(&self, tickets: &[TicketId]) -> Result<(), StoreError> {
        let _ = tickets;
        Ok(())
    }
}

/// A ticket and its call, as a store keeps them: JSON to and fro.
///
/// It holds the arguments of the call, secrets too; `Debug` does not show them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredTicket {
    pub(super) ticket: Ticket,
    pub(super) call: SuspendedCall,
}

impl StoredTicket {
    /// The ticket.
    pub fn ticket(&self) -> &Ticket {
        &self.ticket
    }

    pub(crate) fn call(&self) -> &SuspendedCall {
        &self.call
    }
}

impl std::fmt::Debug for StoredTicket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredTicket")
            .field("ticket", &self.ticket)
            .finish_non_exhaustive()
    }
}

/// All that a store has of a ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TicketRecord {
    /// The ticket.
    pub stored: StoredTicket,
    /// The answers, each at its request's number; shorter than the requests where the last have none.
    pub answers: Vec<Option<SealedAnswer>>,
    /// The way in which it was closed, if it was.
    pub closed: Option<CloseReason>,
}

/// An answer with its signature, bound to its ticket and request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedAnswer {
    pub(super) answer: Answer,
    pub(super) signature: KeyedDigest,
}

/// A grant with its signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SealedGrant {
    pub(super) grant: Grant,
    pub(super) signature: KeyedDigest,
}

impl SealedGrant {
    /// The grant, whose signature nobody has looked at yet.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }
}

/// The way in which a ticket was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CloseReason {
    /// All was answered, or one thing with no, and the call went on.
    Used,
    /// The call was cancelled.
    Cancelled,
    /// Its session has ended.
    SessionEnded,
    /// Its time was over.
    Expired,
}

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// By this.
    Now,
    /// By somebody before, who has won.
    Before,
    /// The ticket is closed.
    Closed(CloseReason),
    /// There is no such ticket.
    Unknown,
}

/// A choice of tickets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TicketFilter {
    session: Option<SessionId>,
    turn: Option<TurnId>,
    after: Option<(SystemTime, TicketId)>,
    limit: Option<usize>,
    answered: bool,
}

impl TicketFilter {
    /// All.
    pub fn all() -> Self {
        Self::default()
    }

    /// Those of a session.
    pub fn session(session: impl Into<SessionId>) -> Self {
        Self {
            session: Some(session.into()),
            ..Self::default()
        }
    }

    /// Keeps only the tickets of a turn. Default: those of every turn.
    pub fn turn(mut self, turn: TurnId) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Keeps only the tickets that come after one in the order of [`TicketStore::list`]: the next page after the last
    /// ticket of a page. That ticket need not be open any more. Default: from the oldest on.
    pub fn after(mut self, ticket: &Ticket) -> Self {
        self.after = Some((ticket.created_at(), ticket.id()));
        self
    }

    /// Sets the most tickets of a list. Default: all.
    ///
    /// [`TicketBroker::list`](super::TicketBroker::list) leaves out tickets that are not sound or whose time is over, so
    /// that its list may be shorter though more tickets follow.
    pub fn limit(mut self, tickets: usize) -> Self {
        self.limit = Some(tickets);
        self
    }

    /// Keeps only the tickets that have an answer, to one of their requests at least. Default: also those without.
    pub fn answered(mut self) -> Self {
        self.answered = true;
        self
    }

    /// Returns true if only tickets that have an answer are meant.
    pub fn wants_answered(&self) -> bool {
        self.answered
    }

    /// The turn, if one is meant.
    pub fn of_turn(&self) -> Option<TurnId> {
        self.turn
    }

    /// The time of creation and the id of the ticket that the list begins after, if it does not begin with the oldest.
    pub fn begins_after(&self) -> Option<(SystemTime, TicketId)> {
        self.after
    }

    /// The most tickets of a list, if there is a limit.
    pub fn max_tickets(&self) -> Option<usize> {
        self.limit
    }

    /// The session, if one is meant.
    pub fn of_session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Returns true if the ticket of a record is in the choice, whatever the [limit](Self::limit).
    pub fn lets_through_record(&self, record: &TicketRecord) -> bool {
        (!self.answered || record.answered() > 0) && self.lets_through(record.stored.ticket())
    }

    /// Returns true if the ticket is in the choice, whatever its answers and the [limit](Self::limit).
    pub fn lets_through(&self, ticket: &Ticket) -> bool {
        let session = self.session.as_ref();
        let place = (ticket.created_at(), ticket.id());
        session.is_none_or(|session| session == ticket.session())
            && self.turn.is_none_or(|turn| turn == ticket.turn())
            && self.after.is_none_or(|after| after < place)
    }
}

impl TicketRecord {
    /// Returns true if its time is over.
    pub fn is_expired(&self, now: SystemTime) -> bool {
        self.stored.ticket.expires_at() <= now
    }

    /// The number of answers, valid or not: [`TicketStore::changed`] counts them.
    pub fn answered(&self) -> usize {
        self.answers.iter().flatten().count()
    }
}
