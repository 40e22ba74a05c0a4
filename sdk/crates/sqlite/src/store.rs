//! The one face of a database: its file, and the stores in it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::contents::SqliteContents;
use crate::database::Database;
use crate::error::SqliteError;
use crate::log::SqliteLog;
use crate::names::HeldName;
use crate::results::SqliteResults;
use crate::states::SqliteStates;
use crate::tickets::{SqliteTickets, Waits};

/// All the stores of an app in one SQLite file.
///
/// Any number of processes of one user on one machine may have the file open at the same time: what one stores another
/// finds, and of several that change one thing one wins. The file must not lie on a network file system.
///
/// **Durability.** What the port of a store calls durable is on the disk when the call returns
/// (`journal_mode = WAL`, `synchronous = FULL`). A commit is whole or not there, whenever the process is killed. The
/// exceptions need no confirmed commit: [results](Self::results), and the lines of a [log](Self::log) until they are synced.
///
/// **Faults.** A full disk, a read-only file or a lock that is held for more than 10 s fails each call with a
/// [`SqliteError`](crate::SqliteError), and nothing of the call is stored. No error is final, except those of a log: the
/// same handle goes on once the cause is gone.
///
/// **Privacy.** On Unix the file and the two that SQLite puts beside it (`-wal`, `-shm`) belong to their owner alone,
/// because tickets hold the arguments of calls, secrets too. A file that others may read or write is refused.
///
/// **Versions.** Tables of an older version are brought to the present one when the file is opened. A file of a later
/// version is refused.
///
/// Files are read and written on Tokio's blocking pool; outside of a runtime, in place. A log blocks its caller, as
/// each log does. Cloning is cheap; all clones are one handle.
#[derive(Clone)]
pub struct SqliteStore {
    database: Arc<Database>,
    waits: Arc<Waits>,
    replica: Option<Arc<HeldName>>,
}

impl SqliteStore {
    /// Opens a file, which is made if it is not there. Its directory has to exist.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be made, read or written, is open to other users (on Unix), is no database or that of
    /// another program, or was written by a later version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SqliteError> {
        Ok(Self {
            database: Arc::new(Database::open(path.as_ref())?),
            waits: Arc::default(),
            replica: None,
        })
    }

    /// Opens a file that is there.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file; otherwise as [`open`](Self::open).
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, SqliteError> {
        let path = path.as_ref();
        path.metadata().map_err(SqliteError::file(path))?;
        Self::open(path)
    }

    /// Returns the same stores for the replica of a name, which [claims](toolwright::ticket::TicketStore::claimed) the
    /// tickets that it uses.
    ///
    /// The name is held until the last clone of the handle and of its stores is dropped, or the process ends, however it
    /// ends. Another process may then take the name over, and go on with what is claimed under it. The lock is that of
    /// a file beside the database, `<file>.replica-<name>.lock`; the one that a killed process leaves does no harm.
    ///
    /// # Errors
    ///
    /// [`SqliteError::InUse`] while a live process, or another handle of this one, has the name;
    /// [`SqliteError::BadName`] for a name that is not 1 to 64 letters, digits, `-`, `_` and `.`.
    pub fn replica(&self, name: &str) -> Result<Self, SqliteError> {
        let held = HeldName::take(self.database.path(), "replica", name)?;
        Ok(Self {
            replica: Some(Arc::new(held)),
            ..self.clone()
        })
    }

    /// Returns the tickets, answers and grants.
    pub fn tickets(&self) -> SqliteTickets {
        SqliteTickets::new(
            Arc::clone(&self.database),
            Arc::clone(&self.waits),
            self.replica.clone(),
        )
    }

    /// Returns the large results.
    pub fn results(&self) -> SqliteResults {
        SqliteResults::new(Arc::clone(&self.database))
    }

    /// Returns the states of sessions.
    pub fn states(&self) -> SqliteStates {
        SqliteStates::new(Arc::clone(&self.database))
    }

    /// Opens the log of a journal for writing; makes it where it is not there. A database has any number of logs.
    ///
    /// Only one journal at a time writes to a log, so the name is held as that of a [replica](Self::replica) is.
    ///
    /// # Errors
    ///
    /// [`SqliteError::InUse`] while it is open for writing elsewhere; [`SqliteError::BadName`] for a name that is not 1
    /// to 64 letters, digits, `-`, `_` and `.`; otherwise fails if the database cannot be written.
    pub fn log(&self, name: &str) -> Result<SqliteLog, SqliteError> {
        SqliteLog::open(Arc::clone(&self.database), name)
    }

    /// Opens a log to be read, even while a journal writes to it. One that is not there is empty.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn log_read_only(&self, name: &str) -> Result<SqliteLog, SqliteError> {
        SqliteLog::read_only(Arc::clone(&self.database), name)
    }

    /// Returns the large outputs of journals.
    pub fn contents(&self) -> SqliteContents {
        SqliteContents::new(Arc::clone(&self.database))
    }

    /// Returns the path of the file, without links.
    pub fn path(&self) -> &Path {
        self.database.path()
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path())
            .field("replica", &self.replica.as_deref().map(HeldName::name))
            .finish_non_exhaustive()
    }
}
