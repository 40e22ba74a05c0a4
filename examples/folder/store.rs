//! The folder as a store of tickets.

use std::sync::PoisonError;
use std::time::Duration;

use async_trait::async_trait;
use toolwright::id::{GrantId, SessionId, TicketId};
use toolwright::ticket::{
    CloseReason, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter, TicketRecord,
    TicketStore, WriteOutcome,
};

use super::log::{self, Change};
use super::{FolderTickets, open};

/// How often the folder is looked at for what other processes change.
const LOOK: Duration = Duration::from_millis(250);

#[async_trait]
impl TicketStore for FolderTickets {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        let ticket = ticket.clone();
        self.with(move |folder| folder.put(&ticket)).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        let read = self.with(move |folder| log::read(&folder.ticket(id)));
        Ok(read.await?.map(|(kept, _)| kept))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let answered = Change::Answered {
            request,
            answer: answer.clone(),
        };
        let lets = move |kept: &TicketRecord| match kept.answers.get(request) {
            _ if kept.closed.is_some() => open(kept),
            _ if request >= kept.stored.ticket().requests().len() => Err(WriteOutcome::Unknown),
            Some(Some(_)) => Err(WriteOutcome::Before),
            _ => Ok(()),
        };
        self.change(id, answered, lets).await
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        self.change(id, Change::Closed(how), open).await
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let session = filter.of_session().cloned();
        let listed = self.with(move |folder| folder.all(session.as_ref()));
        let (mut all, broken) = listed.await?;
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = broken;
        all.retain(|kept| kept.closed.is_none() && filter.lets_through(kept.stored.ticket()));
        all.sort_by_key(|kept| (kept.stored.ticket().created_at(), kept.stored.ticket().id()));
        Ok(all)
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        // Made before the look: what changes after it wakes.
        let changed = self.changed.notified();
        if let Some(kept) = self.get(id).await? {
            let answered = kept.answers.iter().flatten().count();
            if kept.closed.is_none() && answered <= answers {
                tokio::select! {
                    () = changed => {}
                    () = tokio::time::sleep(LOOK) => {}
                }
            }
        }
        Ok(())
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        let grant = grant.clone();
        self.with(move |folder| folder.put_grant(&grant)).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let session = session.clone();
        let grants = self.with(move |folder| folder.grants(&session)).await?;
        Ok(grants.into_iter().map(|(_, grant)| grant).collect())
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let session = session.clone();
        self.with(move |folder| folder.remove_grant(&session, id))
            .await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let session = session.clone();
        self.with(move |folder| folder.forget(&session)).await?;
        self.changed.notify_waiters();
        Ok(())
    }
}
