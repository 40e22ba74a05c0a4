//! A process with a name.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::database::{Fetched, Query};
use crate::error::PostgresError;
use crate::name::Named;
use crate::store::PostgresStore;
use crate::tickets::PostgresTickets;

/// A process that has a name in a store: [`PostgresStore::replica`].
///
/// The name is a session lock of the server on a connection of its own, so that one process at a time has it. It is free
/// when the process ends, however it ends; a host that is cut off keeps it for about 11 s. What only the holder may write
/// goes through that connection: when it breaks, such a write fails, or takes the name anew before it is done.
///
/// Cloning is cheap; all clones are one replica. The name is free when the last one is dropped.
#[derive(Clone)]
pub struct PostgresReplica {
    store: PostgresStore,
    name: Arc<str>,
    named: Arc<Mutex<Named>>,
}

impl fmt::Debug for PostgresReplica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresReplica")
            .field("store", &self.store)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl PostgresReplica {
    pub(crate) async fn open(store: PostgresStore, name: &str) -> Result<Self, PostgresError> {
        let mut named = Named::new("replica", name)?;
        let now = Instant::now();
        let wait = store.name_wait();
        let database = store.database();
        named
            .take(database, now + wait, now + wait + database.limit)
            .await?;
        Ok(Self {
            name: named.name().into(),
            named: Arc::new(Mutex::new(named)),
            store,
        })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tickets whose [claims](toolwright::ticket::TicketStore::claimed) bear the name.
    pub fn tickets(&self) -> PostgresTickets {
        PostgresTickets::new(self.store.clone(), Some(self.clone()))
    }

    /// Makes sure that this process has the name, which it takes again if the connection broke.
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another process has it by now; otherwise if the server cannot be reached.
    pub async fn check(&self) -> Result<(), PostgresError> {
        self.fetch("check a name", || sqlx::query("select"))
            .await
            .map(drop)
    }

    pub(crate) async fn fetch(
        &self,
        doing: &'static str,
        make: impl Fn() -> Query + Send,
    ) -> Result<Fetched, PostgresError> {
        let database = self.store.database();
        let Ok(mut named) = timeout_at(Instant::now() + database.limit, self.named.lock()).await
        else {
            return Err(database.timed_out(doing));
        };
        named.fetch(database, doing, make).await
    }
}
