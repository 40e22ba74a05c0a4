//! Claiming a ticket that is handed back: the one way to run its call.

use std::sync::Arc;

use super::read::{VerifiedTicket, closed, unknown};
use super::{AnswerProgress, OpenTicket, TicketBroker};
use crate::id::{SessionId, TicketId};
use crate::ticket::{
    Answer, Answers, CloseReason, SuspendedCall, Ticket, TicketError, TicketErrorKind,
};

/// The use of a ticket.
pub(crate) enum Claim {
    /// The call may go on, or was refused: this is its only use.
    Ready {
        call: SuspendedCall,
        answers: Vec<Option<Answer>>,
    },
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
        match self.use_up(row).await? {
            Ok(row) => Ok(Claim::Ready {
                call: row.stored.call,
                answers: row.answers,
            }),
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

    /// Notes that nothing is left to do for claimed tickets.
    pub(crate) async fn finish(&self, tickets: &[TicketId]) -> Result<(), TicketError> {
        Ok(self.settings()?.store.finish(tickets).await?)
    }
}
