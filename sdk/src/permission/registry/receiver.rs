//! The answer to a registered request.

use std::fmt;
use std::sync::Arc;

use crate::pending::{
    Answer, Pause, Settled, Settling, Ticket, TicketBroker, TicketError, TicketErrorKind,
};

/// What the answer to a registered request comes to. Dropping it cancels the request.
#[must_use = "a request whose receiver is dropped is cancelled"]
pub struct PermissionReceiver {
    tickets: TicketBroker,
    ticket: Arc<Ticket>,
    pause: Option<Arc<dyn Pause>>,
    settled: bool,
}

impl PermissionReceiver {
    pub(super) fn new(
        tickets: TicketBroker,
        ticket: Arc<Ticket>,
        pause: Option<Arc<dyn Pause>>,
    ) -> Self {
        Self {
            tickets,
            ticket,
            pause,
            settled: false,
        }
    }

    /// The ticket of the request.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// Waits for the answer: a yes of some sort, unless it [is a refusal](Answer::is_refusal).
    ///
    /// # Errors
    ///
    /// When there is none: the request was cancelled, its time is over, or the tickets cannot be read.
    pub async fn recv(mut self) -> Result<Answer, TicketError> {
        let settling: Settling<'_> = Box::pin(self.tickets.settled(self.ticket.id()));
        let settled = match &self.pause {
            Some(pause) => pause.paused(settling).await,
            None => settling.await,
        };
        self.settled = true;
        match settled? {
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

impl Drop for PermissionReceiver {
    fn drop(&mut self) {
        if !self.settled {
            self.tickets.abandon(self.ticket.id());
        }
    }
}

impl fmt::Debug for PermissionReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermissionReceiver")
            .field("ticket", &self.ticket.id())
            .finish_non_exhaustive()
    }
}
