//! Claiming a ticket that is handed back: the one way to run its call.

use std::sync::Arc;

use super::read::{VerifiedTicket, closed, unknown};
use super::{AnswerProgress, OpenTicket, TicketBroker};
use crate::id::{SessionId, TicketId};
use crate::ticket::{
    Answer, Answers, CloseReason, SuspendedCall, Ticket, TicketError, TicketErrorKind,
};

/// The claims that are finished in one commit.
const TOGETHER: usize = 32;

/// The use of a ticket.
pub(crate) enum Claim {
    /// The call may go on, or was refused: this is its only use.
    Ready(ClaimedCall),
    /// Something has no answer yet.
    Waits {
        pending: OpenTicket,
        /// True if the body waits.
        begun: bool,
    },
}

/// A call that was claimed by this replica, in this process or in one before.
pub(crate) struct ClaimedCall {
    pub(crate) ticket: Arc<Ticket>,
    pub(crate) call: SuspendedCall,
    pub(crate) answers: Vec<Option<Answer>>,
}

impl TicketBroker {
    /// Takes a ticket that somebody hands in, in a session. Of several who do at once, one gets the
    /// call.
    ///
    /// # Errors
    ///
    /// Fails if anything about the ticket, its stored data, or the tool has changed; the kind says which.
    pub(crate) async fn claim(
        &self,
        ticket: &Ticket,
        session: &SessionId,
    ) -> Result<Claim, TicketError> {
        let row = self.handed_in(ticket, session).await?;
        if let AnswerProgress::Waiting { .. } = row.standing() {
            return Ok(Claim::Waits {
                begun: row.stored.call.begun,
                pending: row.pending(),
            });
        }
        self.shared.underway.none(row.ticket.id()).await;
        let recorded = self.settings()?.store.claim(row.ticket.id()).await?;
        self.tell_closed(&row.ticket, CloseReason::Used, recorded);
        match self.used_up(row, recorded).await? {
            Ok(row) => Ok(Claim::Ready(ClaimedCall {
                ticket: row.ticket,
                call: row.stored.call,
                answers: row.answers,
            })),
            Err(how) => Err(closed(how)),
        }
    }

    /// Answers a ticket that somebody hands in, in a session. It is looked at as by
    /// [`claim`](Self::claim) before an answer is kept.
    pub(crate) async fn answer_handed_in(
        &self,
        ticket: &Ticket,
        session: &SessionId,
        answers: Answers,
    ) -> Result<(), TicketError> {
        self.handed_in(ticket, session).await?;
        self.answer(ticket.id(), answers).await.map(drop)
    }

    /// The stored data of a ticket, if everything about it is right.
    async fn handed_in(
        &self,
        ticket: &Ticket,
        session: &SessionId,
    ) -> Result<VerifiedTicket, TicketError> {
        self.tidy().await;
        let settings = self.settings()?;
        ticket.verify(&settings.key)?;
        if ticket.session() != session {
            return Err(TicketError::new(TicketErrorKind::OtherSession));
        }
        let Some(row) = self.row(ticket.id()).await? else {
            // A store removes expired tickets.
            let over = ticket.expires_at() <= settings.now();
            return Err(if over {
                closed(CloseReason::Expired)
            } else {
                unknown()
            });
        };
        if *row.ticket != *ticket {
            return Err(TicketError::new(TicketErrorKind::SwappedCall));
        }
        self.must_be_open(&row).await?;
        self.must_be_same_tool(ticket)?;
        Ok(row)
    }

    /// Refuses a ticket whose tool has another definition here.
    pub(crate) fn must_be_same_tool(&self, ticket: &Ticket) -> Result<(), TicketError> {
        let definition = self.settings()?.rules()?.definition(ticket.call());
        if definition.as_ref() == Some(&ticket.claims().definition) {
            return Ok(());
        }
        let tool = ticket.call().tool();
        let detail = match definition {
            Some(_) => format!("`{tool}` has another definition here"),
            None => format!("there is no `{tool}` here"),
        };
        Err(TicketError::new(TicketErrorKind::ChangedTool).with_detail(detail))
    }

    /// The calls that this replica has claimed, and whose tickets are not finished.
    pub(crate) async fn claimed(&self) -> Result<Vec<ClaimedCall>, TicketError> {
        let settings = self.settings()?;
        let mut claimed = Vec::new();
        for kept in settings.store.claimed().await? {
            let id = kept.stored.ticket().id();
            match self.verified(settings, id, kept) {
                Ok(row) => claimed.push(ClaimedCall {
                    ticket: row.ticket,
                    call: row.stored.call,
                    answers: row.answers,
                }),
                Err(error) => self.ignore(Some(id), error),
            }
        }
        Ok(claimed)
    }

    /// Holds the claim of a ticket for the call that goes on with it.
    pub(crate) fn hold_claim(&self, ticket: TicketId) -> ClaimGuard {
        ClaimGuard {
            broker: self.clone(),
            ticket: Some(ticket),
        }
    }

    /// Finishes the claims of ended calls, once there are some.
    pub(super) async fn finish_some(&self) {
        if self.shared.ended.lock().len() >= TOGETHER {
            // The tickets are claimed as before, and finished the next time.
            let _ = self.finish_ended().await;
        }
    }

    /// Finishes the claims of all calls that have ended.
    pub(crate) async fn finish_ended(&self) -> Result<(), TicketError> {
        let ended = std::mem::take(&mut *self.shared.ended.lock());
        if ended.is_empty() {
            return Ok(());
        }
        let finished = self.settings()?.store.finish(&ended).await;
        if finished.is_err() {
            self.shared.ended.lock().extend(ended);
        }
        Ok(finished?)
    }
}

/// The claim of a ticket, held by the call that goes on with it. When the call has ended, or its future is dropped, the
/// claim is finished with some others.
pub(crate) struct ClaimGuard {
    broker: TicketBroker,
    ticket: Option<TicketId>,
}

impl ClaimGuard {
    /// The ticket, unless its claim is kept.
    pub(crate) fn ticket(&self) -> Option<TicketId> {
        self.ticket
    }

    /// Leaves the claim in the store: the end of the call could not be recorded, so that the next process of this
    /// replica has to look at it.
    pub(crate) fn keep(mut self) {
        self.ticket = None;
    }
}

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        self.broker.shared.ended.lock().extend(self.ticket);
    }
}
