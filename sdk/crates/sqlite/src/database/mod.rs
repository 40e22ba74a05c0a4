//! The connections of one handle to a database.

mod open;

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::runtime::Handle;
use toolwright::ticket::StoreError;

use crate::error::SqliteError;

/// Connections to one file. Writers of this process take turns here; those of other processes wait for each other by the
/// locks of SQLite.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    writing: Mutex<Writing>,
    reading: Mutex<Connection>,
}

#[derive(Debug)]
struct Writing {
    /// A commit is on the disk when it returns.
    durable: Connection,
    /// A commit outlives the process, and a loss of power once something durable was committed after it.
    flushed: Connection,
}

/// The faults that a commit outlives.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outlives {
    PowerLoss,
    Process,
}

impl Database {
    pub(crate) fn open(path: &Path) -> Result<Self, SqliteError> {
        let durable = open::prepare(path)?;
        let path = path.canonicalize().map_err(SqliteError::file(path))?;
        Ok(Self {
            writing: Mutex::new(Writing {
                durable,
                flushed: open::connect(&path, "NORMAL")?,
            }),
            reading: Mutex::new(open::connect(&path, "NORMAL")?),
            path,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes to the disk what was committed for the process alone.
    pub(crate) fn sync(&self) -> Result<(), SqliteError> {
        // The log of writes, on which SQLite has no locks: to close it takes none away. What is not in it any more was
        // written to the disk before it left.
        let mut path = OsString::from(&self.path);
        path.push("-wal");
        let path = PathBuf::from(path);
        match OpenOptions::new().write(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            opened => opened
                .and_then(|file| file.sync_data())
                .map_err(SqliteError::file(&path)),
        }
    }

    /// Opens one more connection, for a thread of its own.
    pub(crate) fn connect(&self) -> Result<Connection, SqliteError> {
        open::connect(&self.path, "NORMAL")
    }

    /// Reads in one transaction, which sees one state of the database.
    pub(crate) fn read<T>(
        &self,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SqliteError> {
        let connection = lock(&self.reading);
        Transaction::new_unchecked(&connection, TransactionBehavior::Deferred)
            .and_then(|transaction| work(&transaction))
            .map_err(SqliteError::failed(action, &self.path))
    }

    /// Writes in one transaction: all of it is stored, or nothing.
    pub(crate) fn write<T>(
        &self,
        outlives: Outlives,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SqliteError> {
        self.transact(outlives, work)
            .map_err(SqliteError::failed(action, &self.path))
    }

    /// Writes in one transaction, and gives the error of SQLite as it is.
    pub(crate) fn transact<T>(
        &self,
        outlives: Outlives,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let writing = lock(&self.writing);
        let connection = match outlives {
            Outlives::PowerLoss => &writing.durable,
            Outlives::Process => &writing.flushed,
        };
        // Immediate: what it reads is not changed by another process before it writes.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Runs work that blocks on Tokio's blocking pool; outside of a runtime, in place.
pub(crate) async fn on_pool<T: Send + 'static>(
    database: &Arc<Database>,
    work: impl FnOnce(&Database) -> Result<T, SqliteError> + Send + 'static,
) -> Result<T, StoreError> {
    let database = Arc::clone(database);
    let done = match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(move || work(&database)).await,
        Err(_) => Ok(work(&database)),
    };
    done.map_err(StoreError::new)?.map_err(StoreError::new)
}

/// A panic leaves a connection whole: its transaction is rolled back on the way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A count as SQLite has it.
pub(crate) fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
