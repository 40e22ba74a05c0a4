//! A process with a name.

use std::fmt;

use crate::error::PostgresError;
use crate::holder::Holder;
use crate::shared::Shared;
use crate::tickets::PostgresTickets;

/// A process that has a name in a store: [`PostgresStore::replica`](crate::PostgresStore::replica).
///
/// The name is a session lock of the server on a connection of its own, so that one process at a time has it. It is free
/// when the process ends, however it ends; a host that is cut off keeps it for about 11 s. What only the holder may write
/// goes through that connection: when it breaks, such a write fails, or takes the name anew before it is done.
///
/// Cloning is cheap; all clones are one replica. The name is free when the last one is dropped.
#[derive(Clone)]
pub struct PostgresReplica {
    store: Shared,
    holder: Holder,
}

impl fmt::Debug for PostgresReplica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresReplica")
            .field("store", &self.store)
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl PostgresReplica {
    pub(crate) async fn open(store: Shared, name: &str) -> Result<Self, PostgresError> {
        let holder = Holder::open(store.clone(), name).await?;
        Ok(Self { store, holder })
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.holder.name()
    }

    /// Tickets whose [claims](toolwright::ticket::TicketStore::claimed) bear the name.
    pub fn tickets(&self) -> PostgresTickets {
        PostgresTickets::new(self.store.clone(), Some(self.holder.clone()))
    }

    /// Makes sure that this process has the name, which it takes again if the connection broke.
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another process has it by now; otherwise if the server cannot be reached.
    pub async fn check(&self) -> Result<(), PostgresError> {
        let checked = self.holder.fetch("check a name", || sqlx::query("select"));
        checked.await.map(drop)
    }
}
