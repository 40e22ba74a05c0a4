//! A schema of a database, and the stores in it.

use std::fmt;
use std::sync::Arc;

use crate::builder::PostgresBuilder;
use crate::contents::PostgresContents;
use crate::error::PostgresError;
use crate::log::PostgresLog;
use crate::migrate;
use crate::replica::PostgresReplica;
use crate::results::PostgresResults;
use crate::shared::Shared;
use crate::states::PostgresStates;
use crate::tickets::PostgresTickets;

/// The stores in a schema of a PostgreSQL database, for any number of processes.
///
/// Cloning is cheap; all clones share one pool of connections. See the [crate's page](crate) for an example.
#[derive(Clone)]
pub struct PostgresStore {
    shared: Shared,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresStore").field(&self.shared).finish()
    }
}

impl PostgresBuilder {
    /// Connects, and makes or updates the tables. Any number of processes may do so at once.
    ///
    /// # Errors
    ///
    /// Fails if the URL or the schema's name is unfit, the server cannot be reached, or the tables are of a later version.
    pub async fn connect(self) -> Result<PostgresStore, PostgresError> {
        let database = self.database()?;
        migrate::run(&database).await?;
        Ok(PostgresStore {
            shared: Shared::new(Arc::new(database), self.name_wait, self.patience),
        })
    }
}

impl PostgresStore {
    /// Opens the stores at `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the defaults of
    /// [`builder`](Self::builder).
    ///
    /// # Errors
    ///
    /// As [`PostgresBuilder::connect`].
    pub async fn connect(url: &str) -> Result<Self, PostgresError> {
        Self::builder(url).connect().await
    }

    /// Returns the settings of a store, to change before it is opened.
    pub fn builder(url: &str) -> PostgresBuilder {
        PostgresBuilder::new(url)
    }

    /// Tickets, answers and grants, without the name of a replica.
    pub fn tickets(&self) -> PostgresTickets {
        PostgresTickets::new(self.shared.clone(), None)
    }

    /// Takes the name of a replica, which one process at a time has. Waits for the process before to let go of it:
    /// [`PostgresBuilder::name_wait`].
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another process has the name; otherwise if the server cannot be reached.
    pub async fn replica(&self, name: &str) -> Result<PostgresReplica, PostgresError> {
        PostgresReplica::open(self.shared.clone(), name).await
    }

    /// Large results.
    pub fn results(&self) -> PostgresResults {
        PostgresResults(self.shared.clone())
    }

    /// The states of sessions.
    pub fn states(&self) -> PostgresStates {
        PostgresStates(self.shared.clone())
    }

    /// Large outputs of journals.
    pub fn contents(&self) -> PostgresContents {
        PostgresContents(self.shared.clone())
    }

    /// Opens the log of a name for writing, which one journal at a time does; the log is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another journal writes to it; otherwise if the server cannot be reached.
    pub async fn log(&self, name: &str) -> Result<PostgresLog, PostgresError> {
        PostgresLog::open(&self.shared, name, true).await
    }

    /// Opens the log of a name for reading, whoever writes to it.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot be reached.
    pub async fn read_log(&self, name: &str) -> Result<PostgresLog, PostgresError> {
        PostgresLog::open(&self.shared, name, false).await
    }
}
