//! The lines of journals.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, OptionalExtension, params};
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::{JournalLog, LogError, LogLine, LogLines};

use crate::database::{Database, Outlives};
use crate::error::{FailureKind, SqliteError};
use crate::names::HeldName;

/// The bits of a position that number the line within its log.
const LINE_BITS: u32 = 40;

/// The lines that are read at a time.
const AT_A_TIME: i64 = 256;

const WRITE: &str = "the journal cannot be written";
const READ: &str = "the journal cannot be read";

/// The lines of a journal in a database: see [`SqliteStore::log`](crate::SqliteStore::log).
///
/// An [appended](JournalLog::append) line outlives the process, and a loss of power after a [sync](JournalLog::sync), which
/// [`Durability::Synced`](toolwright_journal::Durability::Synced) asks for after each batch. A line is never torn: it is
/// there whole or not at all.
///
/// Cloning is cheap; all clones are one log.
#[derive(Clone)]
pub struct SqliteLog {
    database: Arc<Database>,
    /// The place of the log in the positions of lines.
    id: i64,
    /// `None` of a log that is only read.
    held: Option<Arc<HeldName>>,
    /// True once it is not known what was written.
    is_broken: Arc<AtomicBool>,
}

impl SqliteLog {
    /// Opens a log for writing; makes it where it is not there.
    pub(crate) fn open(database: Arc<Database>, name: &str) -> Result<Self, SqliteError> {
        let held = HeldName::take(database.path(), "log", name)?;
        let id = database.write(Outlives::PowerLoss, WRITE, |connection| {
            connection.execute(
                "INSERT INTO logs (name) VALUES (?1) ON CONFLICT DO NOTHING",
                [name],
            )?;
            find(connection, name)
        })?;
        Ok(Self {
            database,
            id: id.unwrap_or_default(),
            held: Some(Arc::new(held)),
            is_broken: Arc::default(),
        })
    }

    /// Opens a log to be read. One that is not there is empty.
    pub(crate) fn read_only(database: Arc<Database>, name: &str) -> Result<Self, SqliteError> {
        let id = database.read(READ, |connection| find(connection, name))?;
        Ok(Self {
            database,
            // Rows are numbered from 1.
            id: id.unwrap_or_default(),
            held: None,
            is_broken: Arc::default(),
        })
    }

    /// Takes nothing more: it is not known what is left.
    fn broken(&self, error: SqliteError) -> LogError {
        self.is_broken.store(true, Ordering::Release);
        LogError::Unknown(StoreError::new(error))
    }

    /// The position before the first line.
    fn begin(&self) -> i64 {
        self.id << LINE_BITS
    }

    fn last(&self, connection: &Connection) -> rusqlite::Result<Option<(i64, ContentHash)>> {
        let sql = "SELECT position, hash FROM log_lines WHERE position > ?1 AND position < ?2
            ORDER BY position DESC LIMIT 1";
        connection
            .prepare_cached(sql)?
            .query_row([self.begin(), self.begin() + (1 << LINE_BITS)], |row| {
                Ok((row.get(0)?, ContentHash::from_bytes(row.get(1)?)))
            })
            .optional()
    }

    /// Adds lines; returns false if the last one is not the expected one.
    fn add(
        &self,
        connection: &Connection,
        head: Option<ContentHash>,
        lines: &[LogLine],
    ) -> rusqlite::Result<bool> {
        let last = self.last(connection)?;
        if last.map(|(_, hash)| hash) != head {
            return Ok(false);
        }
        let mut position = last.map_or(self.begin(), |(position, _)| position);
        let sql = "INSERT INTO log_lines (position, hash, line) VALUES (?1, ?2, ?3)";
        let mut insert = connection.prepare_cached(sql)?;
        for line in lines {
            position += 1;
            insert.execute(params![
                position,
                line.hash().as_bytes(),
                line.text().as_bytes()
            ])?;
        }
        Ok(true)
    }

    /// Reads the lines after a position, up to another one.
    fn lines(&self, after: i64, until: i64) -> Result<Vec<Vec<u8>>, SqliteError> {
        let sql = "SELECT line FROM log_lines WHERE position > ?1 AND position <= ?2
            ORDER BY position LIMIT ?3";
        self.database.read(READ, |connection| {
            connection
                .prepare_cached(sql)?
                .query_map([after, until, AT_A_TIME], |row| row.get(0))?
                .collect()
        })
    }
}

fn find(connection: &Connection, name: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .query_row("SELECT id FROM logs WHERE name = ?1", [name], |row| {
            row.get(0)
        })
        .optional()
}

impl JournalLog for SqliteLog {
    fn head(&self) -> Result<Option<ContentHash>, LogError> {
        let last = self.database.read(READ, |connection| self.last(connection));
        Ok(last.map_err(unread)?.map(|(_, hash)| hash))
    }

    fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
        if self.held.is_none() {
            let why = "the log is open for reading only";
            return Err(LogError::Unwritten(StoreError::new(why)));
        }
        if self.is_broken.load(Ordering::Acquire) {
            let why = "writing failed before: the log has to be opened anew";
            return Err(LogError::Unknown(StoreError::new(why)));
        }
        let added = self.database.transact(Outlives::Process, |connection| {
            self.add(connection, head, lines)
        });
        match added {
            Ok(true) => Ok(()),
            Ok(false) => Err(LogError::Conflict),
            Err(error) => {
                // After other errors of the disk a later process may find the commit whole.
                let is_unknown = FailureKind::of(&error) == FailureKind::Io;
                let error = SqliteError::failed(WRITE, self.database.path())(error);
                Err(if is_unknown {
                    self.broken(error)
                } else {
                    LogError::Unwritten(StoreError::new(error))
                })
            }
        }
    }

    fn sync(&self) -> Result<(), LogError> {
        self.database.sync().map_err(|error| self.broken(error))
    }

    fn read(&self) -> Result<LogLines, LogError> {
        let last = self.database.read(READ, |connection| self.last(connection));
        let until = last.map_err(unread)?.map_or(self.begin(), |(last, _)| last);
        Ok(Box::new(Lines {
            log: self.clone(),
            at: self.begin(),
            until,
            read: Vec::new().into_iter(),
        }))
    }
}

/// The lines that were there when they began to be read. Lines are only ever added, so that no transaction has to stay
/// open meanwhile.
struct Lines {
    log: SqliteLog,
    at: i64,
    until: i64,
    read: std::vec::IntoIter<Vec<u8>>,
}

impl Iterator for Lines {
    type Item = Result<Vec<u8>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read.as_slice().is_empty() && self.at < self.until {
            match self.log.lines(self.at, self.until) {
                Ok(lines) => self.read = lines.into_iter(),
                Err(error) => {
                    self.at = self.until;
                    return Some(Err(StoreError::new(error)));
                }
            }
        }
        let line = self.read.next();
        self.at = line.as_ref().map_or(self.until, |_| self.at + 1);
        line.map(Ok)
    }
}

fn unread(error: SqliteError) -> LogError {
    LogError::Unread(StoreError::new(error))
}

impl fmt::Debug for SqliteLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLog")
            .field("path", &self.database.path())
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// A log of two handles, as of two processes that have got past the lock of its name.
    struct Two([SqliteLog; 2], AtomicUsize);

    impl Two {
        fn next(&self) -> &SqliteLog {
            &self.0[self.1.fetch_add(1, Ordering::Relaxed) % 2]
        }
    }

    impl JournalLog for Two {
        fn head(&self) -> Result<Option<ContentHash>, LogError> {
            self.next().head()
        }

        fn append(&self, head: Option<ContentHash>, lines: &[LogLine]) -> Result<(), LogError> {
            self.next().append(head, lines)
        }

        fn sync(&self) -> Result<(), LogError> {
            self.next().sync()
        }

        fn read(&self) -> Result<LogLines, LogError> {
            self.next().read()
        }
    }

    #[test]
    fn of_two_handles_that_add_at_once_one_wins() {
        let folder = tempfile::tempdir().unwrap();
        let count = AtomicUsize::new(0);
        toolwright_journal::testing::journal_log_contract(|| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let path = folder.path().join(format!("{number}.db"));
            let open = || Arc::new(Database::open(&path).unwrap());
            let one = SqliteLog::open(open(), "main").unwrap();
            let other = SqliteLog {
                database: open(),
                ..one.clone()
            };
            Two([one, other], AtomicUsize::new(0))
        });
    }
}
