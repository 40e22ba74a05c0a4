//! Opening tickets.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::read::VerifiedTicket;
use super::{TicketBroker, TicketEvent, unavailable};
use crate::id::{InvocationId, SessionId, TicketId, TurnId};
use crate::ticket::key::random_bytes;
use crate::ticket::signed::{Claims, millis};
use crate::ticket::{
    KeyedDigest, PendingCall, StoredTicket, SuspendedCall, Ticket, TicketError, TicketKey, Wait,
};

/// A ticket to be.
pub(crate) struct Draft {
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    pub(crate) invocation: InvocationId,
    pub(crate) call: PendingCall,
    pub(crate) wait: Wait,
    /// The digest of the tool, from [`AnswerRules::definition`](super::AnswerRules::definition).
    pub(crate) definition: KeyedDigest,
    pub(crate) suspended: SuspendedCall,
    /// The claimed ticket that the call goes on from. `None` for its first one, and where it waits in its process.
    pub(crate) after: Option<TicketId>,
}

impl Draft {
    /// The ticket and its call, signed. The number is its place among the tickets that were opened here.
    pub(crate) fn sign(
        self,
        number: u64,
        key: &TicketKey,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<StoredTicket, TicketError> {
        if self.wait.requests.is_empty() {
            // A ticket without requests would count as answered at once.
            return Err(unavailable("a call that waits for nothing has no ticket"));
        }
        let id = ordered_id(number, now)?;
        let expires = now.checked_add(lifetime);
        let claims = Claims {
            version: Claims::VERSION,
            id,
            session: self.session,
            turn: self.turn,
            invocation: self.invocation,
            call: self.call,
            kind: self.wait.kind,
            requests: self.wait.requests,
            resume: self.wait.resume,
            definition: self.definition,
            arguments: key.arguments_digest(&self.suspended),
            suspended: key.call_digest(id, &self.suspended)?,
            created: millis(now),
            expires: expires.map_or(u64::MAX, millis),
        };
        Ok(StoredTicket {
            ticket: claims.sign(key)?,
            call: self.suspended,
        })
    }
}

/// Returns an id that rises with the time, and with the number of the ticket among those of one moment: lists are in
/// this order, and an index of a database grows at its end. The lower half is random, so that nobody guesses an id.
fn ordered_id(number: u64, now: SystemTime) -> Result<TicketId, TicketError> {
    let time = u128::from(millis(now) & 0xffff_ffff_ffff);
    let number = u128::from(number & 0xffff);
    let random = u128::from(u64::from_le_bytes(random_bytes()?));
    Ok(TicketId::from_random(time << 80 | number << 64 | random))
}

/// Tickets that were put; abandoned unless all of them are.
struct Opening<'a> {
    broker: &'a TicketBroker,
    /// Each with whether it is unknown that it was put.
    put: Vec<(TicketId, bool)>,
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        if !self.put.is_empty() {
            self.broker.abandon_all(self.put.drain(..));
        }
    }
}

impl TicketBroker {
    /// Opens the tickets of a batch: all, or none. Those that grants cover are answered already.
    pub(crate) async fn open(&self, drafts: Vec<Draft>) -> Result<Vec<Arc<Ticket>>, TicketError> {
        self.tidy().await;
        let settings = self.settings()?;
        let mut opening = Opening {
            broker: self,
            put: Vec::with_capacity(drafts.len()),
        };
        let mut rows = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let number = self.shared.opened.fetch_add(1, Ordering::Relaxed);
            let after = draft.after;
            let stored = draft.sign(number, &settings.key, settings.now(), settings.lifetime)?;
            // Noted before the `put`, because a `put` that is dropped on its way may have stored the ticket.
            opening.put.push((stored.ticket().id(), true));
            match after {
                Some(claimed) => settings.store.put_after(&stored, claimed).await?,
                None => settings.store.put(&stored).await?,
            }
            if let Some((_, unknown)) = opening.put.last_mut() {
                *unknown = false;
            }
            rows.push(VerifiedTicket::new(stored));
        }
        // Grants are checked after the tickets are stored, so that a later grant finds them.
        let answered = self.answer_by_grants(&mut rows).await?;
        opening.put.clear();
        let tickets = rows.iter().map(|row| Arc::clone(&row.ticket)).collect();
        let asks = rows.into_iter().filter(|row| !row.standing().is_settled());
        let asks: Vec<Arc<Ticket>> = asks.map(|row| row.ticket).collect();
        if !asks.is_empty() {
            self.tell(&TicketEvent::Opened(asks));
        }
        for event in answered {
            self.tell(&event);
        }
        Ok(tickets)
    }

    async fn answer_by_grants(
        &self,
        rows: &mut [VerifiedTicket],
    ) -> Result<Vec<TicketEvent>, TicketError> {
        let mut grants = HashMap::new();
        let mut events = Vec::new();
        for row in rows {
            let session = row.ticket.session().clone();
            if !grants.contains_key(&session) {
                let of_session = self.grants(&session).await?;
                grants.insert(session.clone(), of_session);
            }
            if let Some(of_session) = grants.get(&session) {
                events.extend(self.cover(row, of_session).await?);
            }
        }
        Ok(events)
    }
}
