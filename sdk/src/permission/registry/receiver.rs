//! The answer to a registered request.

use std::sync::Arc;

use crate::ticket::{Answer, Settled, Ticket, TicketError, TicketErrorKind, WaitingTicket};

/// The answer to a registered request, once it is there. Dropping it cancels the request.
#[derive(Debug)]
#[must_use = "a request whose receiver is dropped is cancelled"]
pub struct PermissionReceiver {
    waiting: WaitingTicket,
}

impl PermissionReceiver {
    pub(super) fn new(waiting: WaitingTicket) -> Self {
        Self { waiting }
    }

    /// The ticket of the request.
    pub fn ticket(&self) -> &Arc<Ticket> {
        self.waiting.ticket()
    }

    /// Waits for the answer: a yes of some sort, unless it [is a refusal](Answer::is_refusal).
    ///
    /// # Errors
    ///
    /// Fails if there is none: the request was cancelled, its time is over, or the tickets cannot be read.
    pub async fn recv(mut self) -> Result<Answer, TicketError> {
        match self.waiting.settled().await? {
            Settled::Answered(answers) => answers.into_iter().flatten().next().ok_or_else(|| {
                TicketError::new(TicketErrorKind::Unknown)
                    .with_detail("it was settled without an answer")
            }),
            Settled::Cancelled | Settled::SessionEnded => {
                Err(TicketError::new(TicketErrorKind::Cancelled))
            }
            Settled::Expired => Err(TicketError::new(TicketErrorKind::Expired)),
        }
    }
}
