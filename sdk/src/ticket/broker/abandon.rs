//! Tickets whose call was dropped: closed in the background, or by whoever comes next.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::{TicketBroker, read};
use crate::id::TicketId;
use crate::ticket::{CloseReason, TicketError, TicketErrorKind};
use crate::util::lock::Lock;

/// The time for which a ticket is looked for whose `put` failed: the store may have it late.
const LATE: Duration = Duration::from_secs(10 * 60);

/// The most tickets that are looked for so.
const MAX_LATE: usize = 1_024;

#[derive(Default)]
pub(super) struct Abandoned(Lock<Vec<AbandonedTicket>>);

#[derive(Clone, Copy)]
struct AbandonedTicket {
    id: TicketId,
    /// The time until which a ticket is looked for that is not there. `None` if it was put for certain.
    late_until: Option<Instant>,
}

impl Abandoned {
    /// Takes all of them, to close them.
    fn take(&self) -> ToClose<'_> {
        let mut left = std::mem::take(&mut *self.0.lock());
        // Tickets are popped from the end, so the first that was abandoned is closed first.
        left.reverse();
        ToClose {
            abandoned: self,
            left,
            late: Vec::new(),
        }
    }
}

/// Tickets that are being closed. What is left is there for the next to close.
struct ToClose<'a> {
    abandoned: &'a Abandoned,
    left: Vec<AbandonedTicket>,
    /// The tickets that were not there.
    late: Vec<AbandonedTicket>,
}

impl Drop for ToClose<'_> {
    fn drop(&mut self) {
        if self.left.is_empty() && self.late.is_empty() {
            return;
        }
        let mut tickets = self.abandoned.0.lock();
        tickets.extend(self.left.drain(..).rev());
        let room = MAX_LATE.saturating_sub(tickets.len());
        let oldest = self.late.len().saturating_sub(room);
        tickets.extend(self.late.drain(oldest..));
    }
}

impl TicketBroker {
    /// Closes a ticket as cancelled, from a `Drop`: in a task where there is a runtime, else when
    /// the broker is used next.
    pub(crate) fn abandon(&self, id: TicketId) {
        self.abandon_all([(id, false)]);
    }

    /// The same for several. One that is unknown may have been put or not, and be there late.
    pub(super) fn abandon_all(&self, tickets: impl IntoIterator<Item = (TicketId, bool)>) {
        let tickets = tickets.into_iter().map(|(id, unknown)| AbandonedTicket {
            id,
            late_until: unknown.then(|| Instant::now() + LATE),
        });
        self.shared.abandoned.0.lock().extend(tickets);
        if let Ok(runtime) = Handle::try_current() {
            let broker = self.clone();
            runtime.spawn(async move { broker.tidy().await });
        }
    }

    /// Closes what was abandoned. What the store does not close now is closed the next time.
    pub(super) async fn tidy(&self) {
        self.finish_some().await;
        if self.shared.abandoned.0.lock().is_empty() {
            return;
        }
        let mut closing = self.shared.abandoned.take();
        while let Some(ticket) = closing.left.last().copied() {
            match self.cancelled(ticket.id).await {
                Err(error) if error.kind() == TicketErrorKind::Store => return,
                Err(error) if error.kind() == TicketErrorKind::Unknown => {
                    let is_late = ticket
                        .late_until
                        .is_some_and(|until| Instant::now() < until);
                    closing.late.extend(is_late.then_some(ticket));
                }
                _ => {}
            }
            closing.left.pop();
        }
    }

    /// Closes a ticket as cancelled. One that does not verify is closed all the same: that takes
    /// nothing from anybody.
    pub(super) async fn cancelled(&self, id: TicketId) -> Result<(), TicketError> {
        let recorded = match self.row(id).await {
            Ok(None) => return Err(read::unknown()),
            Ok(Some(row)) => {
                self.must_be_open(&row).await?;
                self.close(&row.ticket, CloseReason::Cancelled).await?
            }
            Err(error) if error.kind() == TicketErrorKind::Store => return Err(error),
            Err(error) => {
                self.ignore(Some(id), error);
                let store = &self.settings()?.store;
                store.close(id, CloseReason::Cancelled).await?
            }
        };
        read::must_be_now(recorded)
    }
}
