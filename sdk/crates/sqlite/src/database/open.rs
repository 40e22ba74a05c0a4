//! Opening: the file, its owner's rights, its tables.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::integer;
use crate::error::{FailureKind, SqliteError};

/// The time that a write waits for the writes of other processes.
pub(crate) const BUSY: Duration = Duration::from_secs(10);

/// The application id of the file: `TWSQ`.
const APPLICATION: i64 = 0x5457_5351;

/// The steps from each version of the tables to the next one. A step that was released is never changed.
const STEPS: &[&str] = &[include_str!("../schema.sql")];

/// The size down to which the log of writes is cut when it begins anew, in bytes.
const WAL_BYTES: i64 = 64 << 20;

/// The statements that a connection keeps prepared.
const STATEMENTS: usize = 64;

const ACTION: &str = "the tables cannot be opened";

/// Held while a file is made: to close it would take the locks of SQLite on the same file away from this process.
static MAKING: Mutex<()> = Mutex::new(());

/// Makes the file if it is not there, and brings its tables to the version of this crate.
pub(crate) fn prepare(path: &Path) -> Result<Connection, SqliteError> {
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    make_file(path)?;
    must_be_private(path)?;
    let failed = SqliteError::failed(ACTION, path);
    let mut connection = connect(path, "FULL")?;
    if connection.is_readonly("main").map_err(failed)? {
        let why = "SQLite has opened it for reading only";
        return Err(unusable(path, FailureKind::ReadOnly, why));
    }
    check(&connection, path)?;
    let mode = while_busy(|| {
        connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
    })
    .map_err(failed)?;
    if mode != "wal" {
        let why = "this file system has no shared memory, which several processes need";
        return Err(unusable(path, FailureKind::Other, why));
    }
    migrate(&mut connection, path)?;
    Ok(connection)
}

fn unusable(path: &Path, kind: FailureKind, why: &'static str) -> SqliteError {
    SqliteError::Failed {
        action: ACTION,
        path: path.to_owned(),
        kind,
        source: why.into(),
    }
}

/// Opens one more connection to a file that is prepared.
pub(crate) fn connect(path: &Path, synchronous: &str) -> Result<Connection, SqliteError> {
    let failed = SqliteError::failed(ACTION, path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    let set = |name: &str, value: &dyn rusqlite::ToSql| {
        connection.pragma_update(None, name, value).map_err(failed)
    };
    set("synchronous", &synchronous)?;
    set("foreign_keys", &true)?;
    set("trusted_schema", &false)?;
    // SQLite answers with the new limit.
    connection
        .pragma_update_and_check(None, "journal_size_limit", WAL_BYTES, |_| Ok(()))
        .map_err(failed)?;
    Ok(connection)
}

/// Makes the file for its owner alone; the files that SQLite makes beside it get the same rights.
fn make_file(path: &Path) -> Result<(), SqliteError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        // A file of a read-only file system is there all the same.
        Err(_) if path.is_file() => Ok(()),
        made => made.map(drop).map_err(SqliteError::file(path)),
    }
}

/// Refuses a file that others may read or write. The file itself is not opened: to close it would take locks away.
fn must_be_private(path: &Path) -> Result<(), SqliteError> {
    let found = path.metadata().map_err(SqliteError::file(path))?;
    if !found.is_file() {
        let error = std::io::Error::new(ErrorKind::InvalidInput, "it is no plain file");
        return Err(SqliteError::file(path)(error));
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0 {
        return Err(SqliteError::NotPrivate {
            path: path.to_owned(),
        });
    }
    Ok(())
}

/// Returns the version of the tables, 0 of an empty file. Refuses the files of others and of later versions.
fn check(connection: &Connection, path: &Path) -> Result<usize, SqliteError> {
    let failed = SqliteError::failed(ACTION, path);
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection
        .query_row(tables, [], |row| row.get(0))
        .map_err(failed)?;
    let (application, version) = (
        number("application_id").map_err(failed)?,
        number("user_version").map_err(failed)?,
    );
    let is_empty = application == 0 && version == 0 && tables == 0;
    if application != APPLICATION && !is_empty {
        return Err(SqliteError::Foreign {
            path: path.to_owned(),
        });
    }
    match usize::try_from(version) {
        Ok(version) if version <= STEPS.len() => Ok(version),
        _ => Err(SqliteError::Newer {
            path: path.to_owned(),
            found: version,
            known: integer(STEPS.len()),
        }),
    }
}

/// Brings the tables to the latest version: all steps or none, by one process alone.
fn migrate(connection: &mut Connection, path: &Path) -> Result<(), SqliteError> {
    if check(connection, path)? == STEPS.len() {
        return Ok(());
    }
    let failed = SqliteError::failed("the tables cannot be made", path);
    let begun = Transaction::new(connection, TransactionBehavior::Immediate);
    let transaction = begun.map_err(failed)?;
    // Another process may have been first.
    let version = check(&transaction, path)?;
    for step in &STEPS[version..] {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction
        .pragma_update(None, "application_id", APPLICATION)
        .and_then(|()| transaction.pragma_update(None, "user_version", integer(STEPS.len())))
        .map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// Repeats what SQLite refuses at once where waiting could be in vain.
fn while_busy<T>(mut action: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let begun = Instant::now();
    loop {
        match action() {
            Err(error)
                if FailureKind::of(&error) == FailureKind::Busy && begun.elapsed() < BUSY =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}
