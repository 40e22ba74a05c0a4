//! The events of tickets, for a host.

use std::fmt;
use std::sync::Arc;

use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::id::{GrantId, TicketId};
use crate::ticket::{Answer, CloseReason, Ticket, TicketError};
use crate::util::lock::Lock;

/// Something that happened to tickets.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TicketEvent {
    /// Calls began to wait for somebody. Those of one batch come together, to be shown as one prompt.
    /// A ticket that a grant answered at once is not among them.
    Opened(Vec<Arc<Ticket>>),
    /// A request was answered.
    #[non_exhaustive]
    Answered {
        /// The ticket.
        ticket: Arc<Ticket>,
        /// The number of the request, counted from 0.
        request: usize,
        /// The answer.
        answer: Answer,
        /// The grant that answered, if no person did.
        grant: Option<GrantId>,
    },
    /// Everything is answered, nothing with no, and the call goes on.
    Resuming(Arc<Ticket>),
    /// The call runs.
    Running(Arc<Ticket>),
    /// The ticket is no longer open. Told once, by whoever closed it; one whose time is over is closed
    /// when somebody next looks at it.
    #[non_exhaustive]
    Closed {
        /// The ticket.
        ticket: Arc<Ticket>,
        /// The reason of the end.
        how: CloseReason,
    },
    /// The store holds something that does not verify. It counts for nothing.
    #[non_exhaustive]
    Ignored {
        /// The ticket that it was kept for; none for a grant.
        ticket: Option<TicketId>,
        /// The fault.
        error: TicketError,
    },
}

/// The events of tickets: see [`TicketBroker::subscribe`](super::TicketBroker::subscribe).
///
/// Events that are not received yet are kept without a limit.
pub struct TicketEvents {
    receiver: UnboundedReceiver<TicketEvent>,
}

impl TicketEvents {
    /// Waits for the next event; `None` once the broker is gone.
    pub async fn recv(&mut self) -> Option<TicketEvent> {
        self.receiver.recv().await
    }

    /// The next event, if one is there.
    pub fn try_recv(&mut self) -> Option<TicketEvent> {
        self.receiver.try_recv().ok()
    }
}

impl fmt::Debug for TicketEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TicketEvents")
            .field("waiting", &self.receiver.len())
            .finish_non_exhaustive()
    }
}

#[derive(Default)]
pub(super) struct Subscribers(Lock<Vec<UnboundedSender<TicketEvent>>>);

impl Subscribers {
    pub(super) fn add(&self) -> TicketEvents {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut senders = self.0.lock();
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        TicketEvents { receiver }
    }

    /// Returns true if somebody hears.
    pub(super) fn is_there(&self) -> bool {
        self.0.lock().iter().any(|sender| !sender.is_closed())
    }

    /// Under the lock, so that all hear the same order.
    pub(super) fn tell(&self, event: &TicketEvent) {
        self.0
            .lock()
            .retain(|sender| sender.send(event.clone()).is_ok());
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.lock().len()
    }
}
