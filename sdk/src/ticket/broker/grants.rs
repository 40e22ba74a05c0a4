//! The decisions for more than one call.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::read::VerifiedTicket;
use super::{TicketBroker, TicketEvent};
use crate::id::{GrantId, SessionId};
use crate::ticket::key::random_bytes;
use crate::ticket::{
    Answer, Grant, GrantLevel, GrantScope, TicketError, TicketErrorKind, TicketFilter, WaitKind,
    WriteOutcome,
};

impl TicketBroker {
    /// A grant that is nowhere yet.
    pub(crate) fn new_grant(
        &self,
        session: SessionId,
        covers: GrantScope,
        level: GrantLevel,
    ) -> Result<Grant, TicketError> {
        self.settings()?;
        let id = GrantId::from_random(u128::from_le_bytes(random_bytes()?));
        Ok(Grant::new(id, session, covers, level))
    }

    /// Keeps a grant, and answers the open tickets of its session that it covers.
    pub(crate) async fn add_grant(&self, grant: Grant) -> Result<(), TicketError> {
        self.tidy().await;
        let settings = self.settings()?;
        let sealed = settings.key.seal_grant(grant)?;
        if sealed.grant.level() == GrantLevel::Deny {
            self.shared.has_refused.store(true, Ordering::Release);
        }
        let put = settings.store.put_grant(&sealed).await;
        // Even if it failed: what it did is not known.
        self.grants_changed();
        put?;
        let session = sealed.grant.session();
        // All grants are read: together they may cover more, and a refusal among them counts.
        let grants = self.grants(session).await?;
        let of_session = TicketFilter::session(session.clone());
        for mut row in self.open_rows(&of_session).await? {
            // The answer that made the grant is stored before it, so the rest of its ticket is covered like any other.
            for event in self.cover(&mut row, &grants).await? {
                self.tell(&event);
            }
        }
        Ok(())
    }

    /// The grants of a session that hold still, the oldest first. What does not verify, or names
    /// another session, is not among them.
    pub(crate) async fn grants(&self, session: &SessionId) -> Result<Vec<Grant>, TicketError> {
        let settings = self.settings()?;
        let now = settings.now();
        let mut grants = Vec::new();
        for sealed in settings.store.grants(session).await? {
            let sound = sealed.grant.session() == session && settings.key.sealed_grant(&sealed);
            if !sound {
                self.ignore(None, forged_grant(&sealed.grant, session));
            } else if sealed.grant.expires_at().is_none_or(|end| now < end) {
                grants.push(sealed.grant);
            }
        }
        Ok(grants)
    }

    /// Takes a grant back; tells whether it was there.
    pub(crate) async fn revoke(
        &self,
        session: &SessionId,
        id: GrantId,
    ) -> Result<bool, TicketError> {
        let removed = self.settings()?.store.remove_grant(session, id).await;
        // Even if it failed: what it did is not known.
        self.grants_changed();
        Ok(removed?)
    }

    /// Takes all grants of a session back; tells how many there were.
    pub(crate) async fn clear_grants(&self, session: &SessionId) -> Result<usize, TicketError> {
        let store = &self.settings()?.store;
        let mut removed = 0;
        for sealed in store.grants(session).await? {
            removed += usize::from(self.revoke(session, sealed.grant.id()).await?);
        }
        Ok(removed)
    }

    /// Answers what grants of its session cover of an open ticket. What was answered meanwhile stays
    /// as it is.
    pub(super) async fn cover(
        &self,
        row: &mut VerifiedTicket,
        grants: &[Grant],
    ) -> Result<Vec<TicketEvent>, TicketError> {
        let mut events = Vec::new();
        // Nobody's question is answered by a grant.
        if row.ticket.kind() != WaitKind::Approval || grants.is_empty() {
            return Ok(events);
        }
        let settings = self.settings()?;
        let rules = settings.rules()?;
        let ticket = Arc::clone(&row.ticket);
        for (number, request) in ticket.requests().iter().enumerate() {
            if row.standing().is_settled() {
                break;
            }
            if row.answers[number].is_some() {
                continue;
            }
            let now = settings.now();
            let hold = grants
                .iter()
                .filter(|grant| grant.holds(now, ticket.turn()));
            let hold: Vec<&Grant> = hold.collect();
            let Some(grant) = rules.deciding(&hold, &row.stored, request) else {
                continue;
            };
            let answer = answer_of(grant);
            let sealed = settings.key.seal_answer(&ticket, number, answer.clone())?;
            let recorded = settings.store.answer(ticket.id(), number, &sealed).await?;
            if recorded == WriteOutcome::Now {
                row.answers[number] = Some(answer.clone());
                events.push(TicketEvent::Answered {
                    ticket: Arc::clone(&ticket),
                    request: number,
                    answer,
                    grant: Some(grant.id()),
                });
            }
        }
        Ok(events)
    }
}

fn answer_of(grant: &Grant) -> Answer {
    let answer = match grant.level() {
        GrantLevel::Allow => Answer::yes(),
        GrantLevel::Deny => Answer::no(),
    };
    answer.with_reason(grant.reason())
}

fn forged_grant(grant: &Grant, session: &SessionId) -> TicketError {
    TicketError::new(TicketErrorKind::Forged).with_detail(format!(
        "the grant {} that the store has for the session `{session}` was not given there, and counts \
         for nothing",
        grant.id()
    ))
}
