//! A schema of a database, and the stores in it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::builder::PostgresBuilder;
use crate::contents::PostgresContents;
use crate::database::Database;
use crate::error::PostgresError;
use crate::hints::Hints;
use crate::log::PostgresLog;
use crate::replica::PostgresReplica;
use crate::results::PostgresResults;
use crate::states::PostgresStates;
use crate::tickets::PostgresTickets;

/// The time between two removals of what is old.
const SWEEP: Duration = Duration::from_hours(1);

/// The stores in a schema of a PostgreSQL database, for any number of processes.
///
/// Cloning is cheap; all clones share one pool of connections. See the [crate's page](crate) for an example.
#[derive(Clone)]
pub struct PostgresStore {
    inner: Arc<Inner>,
}

struct Inner {
    database: Arc<Database>,
    settings: PostgresBuilder,
    hints: Arc<Hints>,
    is_swept: AtomicBool,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresStore")
            .field(&self.database().target)
            .finish()
    }
}

impl PostgresStore {
    pub(crate) fn new(database: Arc<Database>, settings: PostgresBuilder) -> Self {
        Self {
            inner: Arc::new(Inner {
                database,
                settings,
                hints: Arc::default(),
                is_swept: AtomicBool::new(false),
            }),
        }
    }

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
        PostgresTickets::new(self.clone(), None)
    }

    /// Takes the name of a replica, which one process at a time has. Waits for the process before to let go of it:
    /// [`PostgresBuilder::name_wait`].
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another process has the name; otherwise if the server cannot be reached.
    pub async fn replica(&self, name: &str) -> Result<PostgresReplica, PostgresError> {
        PostgresReplica::open(self.clone(), name).await
    }

    /// Large results.
    pub fn results(&self) -> PostgresResults {
        PostgresResults(self.clone())
    }

    /// The states of sessions.
    pub fn states(&self) -> PostgresStates {
        PostgresStates(self.clone())
    }

    /// Large outputs of journals.
    pub fn contents(&self) -> PostgresContents {
        PostgresContents(self.clone())
    }

    /// Opens the log of a name for writing, which one journal at a time does; the log is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`PostgresError::NameTaken`] if another journal writes to it; otherwise if the server cannot be reached.
    pub async fn log(&self, name: &str) -> Result<PostgresLog, PostgresError> {
        PostgresLog::open(self, name, true).await
    }

    /// Opens the log of a name for reading, whoever writes to it.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot be reached.
    pub async fn read_log(&self, name: &str) -> Result<PostgresLog, PostgresError> {
        PostgresLog::open(self, name, false).await
    }

    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    pub(crate) fn database_arc(&self) -> &Arc<Database> {
        &self.inner.database
    }

    pub(crate) fn hints(&self) -> &Arc<Hints> {
        &self.inner.hints
    }

    pub(crate) fn name_wait(&self) -> Duration {
        self.inner.settings.name_wait
    }

    pub(crate) fn patience(&self) -> Duration {
        self.inner.settings.patience
    }

    /// Removes old tickets and results, at the first call and then once an hour.
    pub(crate) async fn sweep(&self) {
        if self.inner.is_swept.swap(true, Ordering::Relaxed) {
            return;
        }
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            sleep(SWEEP).await;
            if let Some(inner) = inner.upgrade() {
                inner.is_swept.store(false, Ordering::Relaxed);
            }
        });
        let until = Instant::now() + self.database().limit;
        for sql in [
            "delete from tickets where id in (select id from tickets where expires < \
             extract(epoch from now() - interval '7 days') * 1000 and (replica is null or finished) \
             limit 1000 for update skip locked)",
            "delete from results where (session, call) in (select session, call from results \
             where stored_at < now() - interval '7 days' limit 1000 for update skip locked)",
        ] {
            // What cannot be removed now does no harm.
            if Instant::now() < until {
                let _ = self
                    .database()
                    .fetch("remove old rows", || sqlx::query(sql))
                    .await;
            }
        }
    }
}
