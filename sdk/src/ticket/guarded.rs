//! A store of tickets that may hang, fail or panic, behind a limit of time.
//!
//! A write that did not end is unknown: the store is read, and tells whether it was made. Where that
//! cannot be read either, the error says that it is unknown, and nobody goes by it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};
use crate::id::{GrantId, SessionId, TicketId};
use crate::util::port::{PortFailure, call_port};

/// After that time without a hint a ticket is read once more.
const LOST_HINT: Duration = Duration::from_secs(60);

type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A store behind a limit of time.
pub(crate) struct GuardedTickets {
    store: Arc<dyn TicketStore>,
    limit: Option<Duration>,
}

/// The end of an operation: known, or not.
type OperationEnd<T> = Result<Result<T, StoreError>, PortFailure>;

impl GuardedTickets {
    pub(crate) fn new(store: Arc<dyn TicketStore>, limit: Option<Duration>) -> Self {
        Self { store, limit }
    }

    async fn run<'s, T: 's>(
        &'s self,
        operation: impl FnOnce(&'s dyn TicketStore) -> StoreFuture<'s, T> + Send,
    ) -> OperationEnd<T> {
        call_port(self.limit, || operation(&*self.store)).await
    }

    async fn read<'s, T: 's>(
        &'s self,
        operation: impl FnOnce(&'s dyn TicketStore) -> StoreFuture<'s, T> + Send,
    ) -> Result<T, StoreError> {
        self.run(operation).await?
    }

    /// Reads a ticket back from the store, after a write of it that did not end.
    async fn read_back(
        &self,
        id: TicketId,
        why: PortFailure,
    ) -> Result<Option<TicketRecord>, StoreError> {
        match self.run(|store| store.get(id)).await {
            Ok(Ok(kept)) => Ok(kept),
            // The failed write is the cause, so its error is reported and not that of the read.
            Ok(Err(_)) | Err(_) => Err(why.into()),
        }
    }

    /// Tells whether a ticket was put by a write that did not end.
    async fn must_be_put(&self, ticket: &StoredTicket, why: PortFailure) -> Result<(), StoreError> {
        match self.read_back(ticket.ticket().id(), why.clone()).await? {
            Some(kept) if kept.stored == *ticket => Ok(()),
            _ => Err(why.into()),
        }
    }

    /// Tells how a ticket was closed by a write that did not end.
    async fn read_closed(
        &self,
        id: TicketId,
        how: CloseReason,
        why: PortFailure,
    ) -> Result<WriteOutcome, StoreError> {
        let Some(kept) = self.read_back(id, why.clone()).await? else {
            return Ok(WriteOutcome::Unknown);
        };
        match kept.closed {
            // Another process may have used it: a call whose ticket may be used twice does not run.
            Some(CloseReason::Used) if how == CloseReason::Used => Err(why.into()),
            Some(there) if there == how => Ok(WriteOutcome::Now),
            Some(there) => Ok(WriteOutcome::Closed(there)),
            None => Err(why.into()),
        }
    }
}

#[async_trait]
impl TicketStore for GuardedTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        let why = match self.run(|store| store.put(ticket)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        self.must_be_put(ticket, why).await
    }

    async fn put_after(&self, ticket: &StoredTicket, claimed: TicketId) -> Result<(), StoreError> {
        let why = match self.run(|store| store.put_after(ticket, claimed)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        self.must_be_put(ticket, why).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        self.read(|store| store.get(id)).await
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let why = match self.run(|store| store.answer(id, request, answer)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        let Some(kept) = self.read_back(id, why.clone()).await? else {
            return Ok(WriteOutcome::Unknown);
        };
        match kept.answers.get(request) {
            // An equal answer by somebody else has the same effect.
            Some(Some(there)) if there == answer => Ok(WriteOutcome::Now),
            Some(Some(_)) => Ok(WriteOutcome::Before),
            _ => kept
                .closed
                .map_or_else(|| Err(why.into()), |how| Ok(WriteOutcome::Closed(how))),
        }
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        let why = match self.run(|store| store.close(id, how)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        self.read_closed(id, how, why).await
    }

    async fn claim(&self, id: TicketId) -> Result<WriteOutcome, StoreError> {
        let why = match self.run(|store| store.claim(id)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        self.read_closed(id, CloseReason::Used, why).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        self.read(|store| store.list(filter)).await
    }

    /// A wait for people ends with the ticket's deadline. A hint that does not come costs a while:
    /// whoever waits reads.
    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        let limit = self.limit.map(|_| LOST_HINT);
        match call_port(limit, || self.store.changed(id, answers)).await {
            Ok(ended) => ended,
            Err(PortFailure::TimedOut(_)) => Ok(()),
            Err(why) => Err(why.into()),
        }
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let why = match self.run(|store| store.put_grant(grant)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        let session = grant.grant().session();
        match self.run(|store| store.grants(session)).await {
            Ok(Ok(grants)) if grants.contains(grant) => Ok(()),
            _ => Err(why.into()),
        }
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        self.read(|store| store.grants(session)).await
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let why = match self.run(|store| store.remove_grant(session, id)).await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        match self.run(|store| store.grants(session)).await {
            Ok(Ok(grants)) if !grants.iter().any(|grant| grant.grant().id() == id) => Ok(true),
            _ => Err(why.into()),
        }
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.read(|store| store.forget_session(session)).await
    }

    async fn claimed(&self) -> Result<Vec<TicketRecord>, StoreError> {
        self.read(|store| store.claimed()).await
    }

    async fn finish(&self, tickets: &[TicketId]) -> Result<(), StoreError> {
        self.read(|store| store.finish(tickets)).await
    }
}
