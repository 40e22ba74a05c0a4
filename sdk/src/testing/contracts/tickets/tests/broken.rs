//! Stores that do one thing wrong.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use async_trait::async_trait;

use crate::id::{GrantId, SessionId, TicketId};
use crate::ticket::{
    CloseReason, MemoryTickets, SealedAnswer, SealedGrant, StoreError, StoredTicket, TicketFilter,
    TicketRecord, TicketStore, WriteOutcome,
};

/// The fault of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Fails,
    ForgetsClosed,
    Reformats,
    PutOverwrites,
    PutReopens,
    MixesRequests,
    SaysNowTwice,
    ReadsThenWrites,
    ClosesTwice,
    AnswersClosed,
    KnowsAll,
    ListsClosed,
    ListsNewestFirst,
    IgnoresTurns,
    NeverWakes,
    LooksOnce,
    WatchesLate,
    GrantTwice,
    GrantsNewestFirst,
    RemovesForeign,
    FoldsCase,
    ForgetsAll,
    ForgetsTicketsOnly,
}

pub(super) struct Broken {
    fault: Fault,
    inner: MemoryTickets,
    puts: Mutex<Vec<StoredTicket>>,
    answers: Mutex<HashMap<(TicketId, usize), SealedAnswer>>,
    grants: Mutex<Vec<SealedGrant>>,
    reopened: Mutex<HashSet<TicketId>>,
}

impl Broken {
    pub(super) fn new(fault: Fault) -> Self {
        Self {
            fault,
            inner: MemoryTickets::new(),
            puts: Mutex::default(),
            answers: Mutex::default(),
            grants: Mutex::default(),
            reopened: Mutex::default(),
        }
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

#[async_trait]
impl TicketStore for Broken {
    async fn put(&self, ticket: &StoredTicket) -> Result<(), StoreError> {
        if self.is(Fault::Fails) {
            return Err(StoreError::new("the disk is full"));
        }
        let id = ticket.ticket().id();
        if self
            .inner
            .get(id)
            .await?
            .is_some_and(|kept| kept.closed.is_some())
        {
            self.reopened.lock().unwrap().insert(id);
        }
        self.puts.lock().unwrap().push(ticket.clone());
        self.inner.put(ticket).await
    }

    async fn get(&self, id: TicketId) -> Result<Option<TicketRecord>, StoreError> {
        let Some(mut kept) = self.inner.get(id).await? else {
            return Ok(None);
        };
        match self.fault {
            Fault::ForgetsClosed if kept.closed.is_some() => return Ok(None),
            Fault::Reformats => {
                let mut json = serde_json::to_value(&kept.stored).unwrap();
                let arguments = json["call"]["arguments"].as_str().unwrap();
                let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
                json["call"]["arguments"] = arguments.to_string().into();
                kept.stored = serde_json::from_value(json).unwrap();
            }
            Fault::PutOverwrites => {
                let puts = self.puts.lock().unwrap();
                let mut puts = puts.iter().rev();
                let last = puts.find(|ticket| ticket.ticket().id() == id);
                kept.stored = last.unwrap().clone();
            }
            Fault::PutReopens if self.reopened.lock().unwrap().contains(&id) => {
                kept.closed = None;
            }
            Fault::ReadsThenWrites => {
                for (number, place) in kept.answers.iter_mut().enumerate() {
                    *place = self.answers.lock().unwrap().get(&(id, number)).cloned();
                }
            }
            _ => {}
        }
        Ok(Some(kept))
    }

    async fn answer(
        &self,
        id: TicketId,
        request: usize,
        answer: &SealedAnswer,
    ) -> Result<WriteOutcome, StoreError> {
        let request = if self.is(Fault::MixesRequests) {
            2 - request
        } else {
            request
        };
        if self.is(Fault::ReadsThenWrites) {
            let there = self.answers.lock().unwrap().contains_key(&(id, request));
            tokio::task::yield_now().await;
            let recorded = self.inner.answer(id, request, answer).await?;
            if !there && recorded == WriteOutcome::Before {
                self.answers
                    .lock()
                    .unwrap()
                    .insert((id, request), answer.clone());
                return Ok(WriteOutcome::Now);
            }
            if recorded == WriteOutcome::Now {
                self.answers
                    .lock()
                    .unwrap()
                    .insert((id, request), answer.clone());
            }
            return Ok(recorded);
        }
        let recorded = self.inner.answer(id, request, answer).await?;
        Ok(match (self.fault, recorded) {
            (Fault::SaysNowTwice, WriteOutcome::Before)
            | (Fault::AnswersClosed, WriteOutcome::Closed(_))
            | (Fault::KnowsAll, WriteOutcome::Unknown) => WriteOutcome::Now,
            _ => recorded,
        })
    }

    async fn close(&self, id: TicketId, how: CloseReason) -> Result<WriteOutcome, StoreError> {
        let recorded = self.inner.close(id, how).await?;
        Ok(match recorded {
            WriteOutcome::Closed(_) if self.is(Fault::ClosesTwice) => WriteOutcome::Now,
            _ => recorded,
        })
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<TicketRecord>, StoreError> {
        let mut session = TicketFilter::all();
        if let Some(id) = filter.of_session() {
            session = TicketFilter::session(id.clone());
        }
        let mut kept = match self.fault {
            Fault::IgnoresTurns => self.inner.list(&session).await?,
            Fault::ListsClosed => {
                let puts = self.puts.lock().unwrap().clone();
                let mut kept = Vec::new();
                for ticket in puts {
                    let found = self.inner.get(ticket.ticket().id()).await?;
                    kept.extend(found.filter(|_| filter.lets_through(ticket.ticket())));
                }
                kept
            }
            _ => self.inner.list(filter).await?,
        };
        if self.is(Fault::ListsNewestFirst) {
            kept.reverse();
        }
        Ok(kept)
    }

    async fn changed(&self, id: TicketId, answers: usize) -> Result<(), StoreError> {
        match self.fault {
            Fault::NeverWakes => std::future::pending().await,
            Fault::WatchesLate => {
                let before = self.inner.get(id).await?.map(|kept| kept.answered());
                if before.is_none_or(|before| before > answers) {
                    return Ok(());
                }
                // Whatever comes here is missed.
                tokio::task::yield_now().await;
                let now = self.inner.get(id).await?.map(|kept| kept.answered());
                self.inner.changed(id, now.unwrap_or_default()).await
            }
            Fault::LooksOnce => self.inner.changed(id, usize::MAX).await,
            _ => self.inner.changed(id, answers).await,
        }
    }

    async fn put_grant(&self, grant: &SealedGrant) -> Result<(), StoreError> {
        {
            let mut grants = self.grants.lock().unwrap();
            if self.is(Fault::GrantTwice) || !grants.contains(grant) {
                grants.push(grant.clone());
            }
        }
        self.inner.put_grant(grant).await
    }

    async fn grants(&self, session: &SessionId) -> Result<Vec<SealedGrant>, StoreError> {
        let folded = |id: &SessionId| id.as_str().to_lowercase();
        let put = |of: &dyn Fn(&SessionId) -> bool| {
            let grants = self.grants.lock().unwrap();
            let grants = grants.iter().filter(|grant| of(grant.grant().session()));
            grants.cloned().collect()
        };
        Ok(match self.fault {
            Fault::GrantTwice | Fault::ForgetsTicketsOnly => put(&|id| id == session),
            Fault::FoldsCase => put(&|id| folded(id) == folded(session)),
            Fault::GrantsNewestFirst => {
                let mut grants = self.inner.grants(session).await?;
                grants.reverse();
                grants
            }
            _ => self.inner.grants(session).await?,
        })
    }

    async fn remove_grant(&self, session: &SessionId, id: GrantId) -> Result<bool, StoreError> {
        let grants = self.grants.lock().unwrap().clone();
        let whose = grants.iter().find(|grant| grant.grant().id() == id);
        let whose = whose.map(|grant| grant.grant().session());
        let session = match whose {
            Some(whose) if self.is(Fault::RemovesForeign) => whose,
            _ => session,
        };
        let removed = self.inner.remove_grant(session, id).await?;
        self.grants
            .lock()
            .unwrap()
            .retain(|grant| grant.grant().id() != id || grant.grant().session() != session);
        Ok(removed)
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        if self.is(Fault::ForgetsAll) {
            for kept in self.inner.list(&TicketFilter::all()).await? {
                let session = kept.stored.ticket().session();
                self.inner.forget_session(session).await?;
            }
        }
        self.inner.forget_session(session).await
    }
}
