use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::id::{GrantId, SessionId, TicketId};
use crate::panic::caught;
use crate::pending::{
    Closing, Kept, MemoryTickets, Recorded, SealedAnswer, SealedGrant, StoredTicket, TicketFilter,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_store_in_memory_keeps_to_it() {
    ticket_store_contract(async || MemoryTickets::new()).await;
    let place = MemoryTickets::new();
    durable_ticket_store_contract(async || place.clone()).await;
}

/// What a store does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
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

struct Broken {
    fault: Fault,
    inner: MemoryTickets,
    puts: Mutex<Vec<StoredTicket>>,
    answers: Mutex<HashMap<(TicketId, usize), SealedAnswer>>,
    grants: Mutex<Vec<SealedGrant>>,
    reopened: Mutex<HashSet<TicketId>>,
}

impl Broken {
    fn new(fault: Fault) -> Self {
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

    async fn get(&self, id: TicketId) -> Result<Option<Kept>, StoreError> {
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
    ) -> Result<Recorded, StoreError> {
        let request = if self.is(Fault::MixesRequests) {
            2 - request
        } else {
            request
        };
        if self.is(Fault::ReadsThenWrites) {
            let there = self.answers.lock().unwrap().contains_key(&(id, request));
            tokio::task::yield_now().await;
            let recorded = self.inner.answer(id, request, answer).await?;
            if !there && recorded == Recorded::Before {
                self.answers
                    .lock()
                    .unwrap()
                    .insert((id, request), answer.clone());
                return Ok(Recorded::Now);
            }
            if recorded == Recorded::Now {
                self.answers
                    .lock()
                    .unwrap()
                    .insert((id, request), answer.clone());
            }
            return Ok(recorded);
        }
        let recorded = self.inner.answer(id, request, answer).await?;
        Ok(match (self.fault, recorded) {
            (Fault::SaysNowTwice, Recorded::Before)
            | (Fault::AnswersClosed, Recorded::Closed(_))
            | (Fault::KnowsAll, Recorded::Unknown) => Recorded::Now,
            _ => recorded,
        })
    }

    async fn close(&self, id: TicketId, how: Closing) -> Result<Recorded, StoreError> {
        let recorded = self.inner.close(id, how).await?;
        Ok(match recorded {
            Recorded::Closed(_) if self.is(Fault::ClosesTwice) => Recorded::Now,
            _ => recorded,
        })
    }

    async fn list(&self, filter: &TicketFilter) -> Result<Vec<Kept>, StoreError> {
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

fn finds(fault: Fault) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let found = caught(AssertUnwindSafe(|| {
        runtime.block_on(ticket_store_contract(async || Broken::new(fault)));
    }));
    match found {
        Ok(()) => panic!("{fault:?} was not found"),
        Err(text) => text,
    }
}

#[test]
fn each_violation_is_found_and_named() {
    for (fault, expected) in [
        (Fault::Fails, "`put` failed: the disk is full"),
        (Fault::ForgetsClosed, "it finds nothing"),
        (
            Fault::Reformats,
            "what `put` was given is not what `get` finds",
        ),
        (
            Fault::PutOverwrites,
            "a second `put` of an id changed the ticket",
        ),
        (Fault::PutReopens, "a second `put` of an id opened it again"),
        (Fault::MixesRequests, "answers are not at the numbers"),
        (
            Fault::SaysNowTwice,
            "a second answer to a request was taken",
        ),
        (
            Fault::ReadsThenWrites,
            "of answers at once, not just one was taken",
        ),
        (Fault::ClosesTwice, "a closed ticket was closed again"),
        (Fault::AnswersClosed, "a closed ticket was answered"),
        (Fault::KnowsAll, "an answer to no ticket was taken"),
        (
            Fault::ListsClosed,
            "`list` does not give the open tickets of",
        ),
        (
            Fault::ListsNewestFirst,
            "`list` does not give the oldest first",
        ),
        (
            Fault::IgnoresTurns,
            "`list` does not give the open tickets of",
        ),
        (Fault::NeverWakes, "for a ticket that is not there"),
        (Fault::LooksOnce, "for a ticket that has the answer already"),
        (
            Fault::WatchesLate,
            "for a ticket that is answered meanwhile",
        ),
        (Fault::GrantTwice, "a second `put_grant` of an id"),
        (Fault::GrantsNewestFirst, "the oldest first"),
        (
            Fault::RemovesForeign,
            "a session removed a grant of another",
        ),
        (Fault::FoldsCase, "does not have just its own grant"),
        (Fault::ForgetsAll, "does not have just its own"),
        (Fault::ForgetsTicketsOnly, "and its grant is still there"),
    ] {
        let found = finds(fault);
        assert!(found.contains(expected), "{fault:?}: {found}");
    }
}
