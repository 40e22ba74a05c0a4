//! Reading the store: nothing of a row is used before it is verified.

use std::sync::Arc;

use super::{AnswerProgress, BrokerSettings, OpenTicket, TicketBroker, TicketEvent};
use crate::id::TicketId;
use crate::ticket::{
    Answer, CloseReason, StoredTicket, Ticket, TicketError, TicketErrorKind, TicketFilter,
    TicketRecord, WriteOutcome,
};

/// A row that was verified.
pub(super) struct VerifiedTicket {
    pub(super) stored: StoredTicket,
    pub(super) ticket: Arc<Ticket>,
    /// The answers by the numbers of their requests; an answer that does not verify counts as missing.
    pub(super) answers: Vec<Option<Answer>>,
    /// The number of answers in the store, valid or not.
    pub(super) kept_answers: usize,
    pub(super) closed: Option<CloseReason>,
}

impl VerifiedTicket {
    /// The row of a ticket that was just put.
    pub(super) fn new(stored: StoredTicket) -> Self {
        let ticket = Arc::new(stored.ticket().clone());
        Self {
            answers: vec![None; ticket.requests().len()],
            ticket,
            stored,
            kept_answers: 0,
            closed: None,
        }
    }

    pub(super) fn standing(&self) -> AnswerProgress {
        AnswerProgress::of(&self.answers)
    }

    pub(super) fn pending(self) -> OpenTicket {
        OpenTicket {
            ticket: self.ticket,
            answers: self.answers,
        }
    }
}

/// The error of a closed ticket.
pub(super) fn closed(how: CloseReason) -> TicketError {
    TicketError::new(match how {
        CloseReason::Used => TicketErrorKind::Used,
        CloseReason::Cancelled | CloseReason::SessionEnded => TicketErrorKind::Cancelled,
        CloseReason::Expired => TicketErrorKind::Expired,
    })
}

/// Refuses a change that was not made.
pub(super) fn must_be_now(recorded: WriteOutcome) -> Result<(), TicketError> {
    match recorded {
        WriteOutcome::Now => Ok(()),
        WriteOutcome::Before => Err(TicketError::new(TicketErrorKind::AlreadyAnswered)),
        WriteOutcome::Closed(how) => Err(closed(how)),
        WriteOutcome::Unknown => Err(unknown()),
    }
}

pub(super) fn unknown() -> TicketError {
    TicketError::new(TicketErrorKind::Unknown)
}

impl TicketBroker {
    /// The tickets that are open, the oldest first. A row that does not verify is not among them.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    pub async fn list(&self, filter: &TicketFilter) -> Result<Vec<OpenTicket>, TicketError> {
        Ok(self
            .open_rows(filter)
            .await?
            .into_iter()
            .map(VerifiedTicket::pending)
            .collect())
    }

    /// A ticket that is open.
    ///
    /// # Errors
    ///
    /// Fails if no ticket has this id, if it is closed or its time is over, or if its stored data does not verify; the
    /// kind says which.
    pub async fn get(&self, id: TicketId) -> Result<OpenTicket, TicketError> {
        self.open_row(id).await.map(VerifiedTicket::pending)
    }

    pub(super) async fn open_rows(
        &self,
        filter: &TicketFilter,
    ) -> Result<Vec<VerifiedTicket>, TicketError> {
        self.tidy().await;
        let settings = self.settings()?;
        let mut rows = Vec::new();
        for kept in settings.store.list(filter).await? {
            let id = kept.stored.ticket().id();
            match self.verified(settings, id, kept) {
                // A store without a clock lists expired tickets too.
                Ok(row) if self.expire(settings, &row).await? || row.closed.is_some() => {}
                Ok(row) if filter.lets_through(&row.ticket) => rows.push(row),
                Ok(_) => {}
                Err(error) => self.ignore(Some(id), error),
            }
        }
        Ok(rows)
    }

    pub(super) async fn open_row(&self, id: TicketId) -> Result<VerifiedTicket, TicketError> {
        self.tidy().await;
        let row = self.row(id).await?.ok_or_else(unknown)?;
        self.must_be_open(&row).await?;
        Ok(row)
    }

    /// The stored data of a ticket, open or not.
    pub(super) async fn row(&self, id: TicketId) -> Result<Option<VerifiedTicket>, TicketError> {
        let settings = self.settings()?;
        let kept = settings.store.get(id).await?;
        kept.map(|kept| self.verified(settings, id, kept))
            .transpose()
    }

    pub(super) async fn must_be_open(&self, row: &VerifiedTicket) -> Result<(), TicketError> {
        if let Some(how) = row.closed {
            return Err(closed(how));
        }
        if self.expire(self.settings()?, row).await? {
            return Err(closed(CloseReason::Expired));
        }
        Ok(())
    }

    /// Closes a ticket whose time is over; tells whether it is.
    async fn expire(
        &self,
        settings: &BrokerSettings,
        row: &VerifiedTicket,
    ) -> Result<bool, TicketError> {
        let over = row.ticket.expires_at() <= settings.now();
        if over && row.closed.is_none() {
            self.close(&row.ticket, CloseReason::Expired).await?;
        }
        Ok(over)
    }

    /// Closes a ticket, and tells of it where it was this that closed it.
    pub(super) async fn close(
        &self,
        ticket: &Arc<Ticket>,
        how: CloseReason,
    ) -> Result<WriteOutcome, TicketError> {
        let recorded = self.settings()?.store.close(ticket.id(), how).await?;
        self.tell_closed(ticket, how, recorded);
        Ok(recorded)
    }

    pub(super) fn tell_closed(
        &self,
        ticket: &Arc<Ticket>,
        how: CloseReason,
        recorded: WriteOutcome,
    ) {
        if recorded == WriteOutcome::Now {
            let ticket = Arc::clone(ticket);
            self.tell(&TicketEvent::Closed { ticket, how });
        }
    }

    pub(super) fn ignore(&self, ticket: Option<TicketId>, error: TicketError) {
        self.tell(&TicketEvent::Ignored { ticket, error });
    }

    pub(super) fn verified(
        &self,
        settings: &BrokerSettings,
        id: TicketId,
        kept: TicketRecord,
    ) -> Result<VerifiedTicket, TicketError> {
        let kept_answers = kept.answered();
        let TicketRecord {
            stored,
            answers: sealed,
            closed,
        } = kept;
        settings.key.verify_stored(&stored)?;
        if stored.ticket().id() != id {
            return Err(TicketError::new(TicketErrorKind::SwappedCall));
        }
        let mut row = VerifiedTicket {
            kept_answers,
            closed,
            ..VerifiedTicket::new(stored)
        };
        for (number, sealed) in sealed.into_iter().enumerate() {
            let Some(sealed) = sealed else { continue };
            match row.answers.get_mut(number) {
                Some(place) if settings.key.sealed_answer(&row.ticket, number, &sealed) => {
                    *place = Some(sealed.answer);
                }
                _ => self.ignore(Some(id), forged_answer(number)),
            }
        }
        Ok(row)
    }
}

pub(super) fn forged_answer(request: usize) -> TicketError {
    TicketError::new(TicketErrorKind::Forged).with_detail(format!(
        "what the store has as the answer to request {request} was not given here, and counts for \
         nothing"
    ))
}
