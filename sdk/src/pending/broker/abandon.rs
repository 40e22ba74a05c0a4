//! Tickets whose call was dropped: closed in the background, or by whoever comes next.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;

use super::{TicketBroker, read};
use crate::id::TicketId;
use crate::pending::{Closing, TicketError, TicketErrorKind};

#[derive(Default)]
pub(super) struct Abandoned(Mutex<Vec<TicketId>>);

impl Abandoned {
    fn ids(&self) -> MutexGuard<'_, Vec<TicketId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, id: TicketId) {
        self.ids().push(id);
    }

    fn next(&self) -> Option<Closed<'_>> {
        let id = self.ids().pop()?;
        Some(Closed {
            abandoned: self,
            id: Some(id),
        })
    }
}

/// A ticket that is being closed. It is there for the next to close unless that is done.
struct Closed<'a> {
    abandoned: &'a Abandoned,
    id: Option<TicketId>,
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.abandoned.add(id);
        }
    }
}

impl TicketBroker {
    /// Closes a ticket as cancelled, from a `Drop`: in a task where there is a runtime, else when
    /// the broker is used next.
    pub(crate) fn abandon(&self, id: TicketId) {
        self.shared.abandoned.add(id);
        if let Ok(runtime) = Handle::try_current() {
            let broker = self.clone();
            runtime.spawn(async move { broker.tidy().await });
        }
    }

    /// Closes what was abandoned. What the store does not close now is closed the next time.
    pub(super) async fn tidy(&self) {
        while let Some(mut next) = self.shared.abandoned.next() {
            let Some(id) = next.id else { continue };
            match self.cancelled(id).await {
                Err(error) if error.kind() == TicketErrorKind::Store => return,
                _ => next.id = None,
            }
        }
    }

    /// Closes a ticket as cancelled. One that does not verify is closed all the same: that takes
    /// nothing from anybody.
    pub(super) async fn cancelled(&self, id: TicketId) -> Result<(), TicketError> {
        let recorded = match self.row(id).await {
            Ok(None) => return Err(read::unknown()),
            Ok(Some(row)) => {
                self.must_be_open(&row).await?;
                self.close(&row.ticket, Closing::Cancelled).await?
            }
            Err(error) if error.kind() == TicketErrorKind::Store => return Err(error),
            Err(error) => {
                self.ignore(Some(id), error);
                let store = &self.settings()?.store;
                store.close(id, Closing::Cancelled).await?
            }
        };
        read::must_be_now(recorded)
    }
}
