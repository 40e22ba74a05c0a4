//! The errors of a database, for operators.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use toolwright::text::debug_as_text;

/// The reason why a database cannot be opened, read or written: the action that failed, the file, and the remedy.
///
/// The stores report it as the source of a [`StoreError`](toolwright::ticket::StoreError). Nothing of the failed action
/// is stored, and the same store goes on once the cause is gone: no error is final.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum SqliteError {
    /// SQLite reports an error.
    #[error("{action} in {}: {kind}", path.display())]
    #[non_exhaustive]
    Failed {
        /// The action: `a ticket cannot be stored`.
        action: &'static str,
        /// The database.
        path: PathBuf,
        /// The kind, to decide by.
        kind: FailureKind,
        /// The error of SQLite.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file of the database cannot be made or looked at.
    #[error("the database {} cannot be opened", path.display())]
    #[non_exhaustive]
    File {
        /// The database, or the file beside it.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        source: std::io::Error,
    },
    /// Other users may read or write the file.
    #[error(
        "{} is open to other users, and what it holds may be secret: `chmod 600` closes it, or name a file that is not there \
         yet",
        path.display()
    )]
    #[non_exhaustive]
    NotPrivate {
        /// The database.
        path: PathBuf,
    },
    /// The file is the database of another program.
    #[error("{} is the database of another program: name another file", path.display())]
    #[non_exhaustive]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// A later version of this crate has written the file.
    #[error(
        "{} has version {found} of the tables, and this program knows {known}: use the program that wrote it, or a later one",
        path.display()
    )]
    #[non_exhaustive]
    Newer {
        /// The database.
        path: PathBuf,
        /// The version of the file.
        found: i64,
        /// The latest version that this crate knows.
        known: i64,
    },
    /// A row holds something else than the store writes.
    #[error("{row} in {} is not what was stored", path.display())]
    #[non_exhaustive]
    Malformed {
        /// The database.
        path: PathBuf,
        /// The row: `ticket 0123..`.
        row: String,
        /// The reason why it cannot be read.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A live process holds the name.
    #[error(
        "the {role} `{name}` of {} is in use by a process that lives: end that process, or take another name",
        path.display()
    )]
    #[non_exhaustive]
    InUse {
        /// The kind of name: `replica` or `log`.
        role: &'static str,
        /// The name.
        name: String,
        /// The database.
        path: PathBuf,
    },
    /// The name cannot be that of a replica or a log.
    #[error("`{name}` is no name of a {role}: 1 to 64 letters, digits, `-`, `_` and `.`")]
    #[non_exhaustive]
    BadName {
        /// The kind of name: `replica` or `log`.
        role: &'static str,
        /// The name.
        name: String,
    },
    /// The result is larger than what is stored of a session.
    #[error("the result has {bytes} bytes, and at most {most} are kept")]
    #[non_exhaustive]
    TooLarge {
        /// The size of the result.
        bytes: u64,
        /// The most that is stored of a session, in bytes.
        most: u64,
    },
    /// The thread that looks for the changes of other processes could not be started.
    #[error("the thread that looks for the changes of other processes could not be started")]
    Thread(#[source] std::io::Error),
}

debug_as_text!(SqliteError);

/// The kinds of [`SqliteError::Failed`]; the text says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The disk is full, or a quota is used up.
    DiskFull,
    /// The file, its directory or its file system is read-only.
    ReadOnly,
    /// Another process has written to the database for too long.
    Busy,
    /// The file, or one of the two beside it, cannot be opened.
    CannotOpen,
    /// The file is no database of SQLite.
    NotADatabase,
    /// The database is damaged.
    Corrupt,
    /// The file system reports an error.
    Io,
    /// Anything else.
    Other,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DiskFull => "the disk is full; it works again once there is room",
            Self::ReadOnly => {
                "it is read-only; this user has to be allowed to write the file and to make files beside it"
            }
            Self::Busy => "another process has been writing to it for too long; look for one that hangs",
            Self::CannotOpen => {
                "it cannot be opened; its directory has to exist, and this user has to be allowed to make files there"
            }
            Self::NotADatabase => "it is no database of SQLite; name another file",
            Self::Corrupt => "it is damaged; restore it from a copy, or name another file",
            Self::Io => "the file system reports an error; look at the disk",
            Self::Other => "SQLite reports an error",
        })
    }
}

impl FailureKind {
    pub(crate) fn of(error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::CannotOpen) => Self::CannotOpen,
            Some(ErrorCode::NotADatabase) => Self::NotADatabase,
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt,
            Some(ErrorCode::SystemIoFailure) => Self::Io,
            _ => Self::Other,
        }
    }
}

impl SqliteError {
    /// Returns what makes an error of SQLite one of this file.
    pub(crate) fn failed(
        action: &'static str,
        path: &Path,
    ) -> impl Fn(rusqlite::Error) -> Self + Copy {
        move |error| Self::Failed {
            action,
            path: path.to_owned(),
            kind: FailureKind::of(&error),
            source: Box::new(error),
        }
    }

    pub(crate) fn file(path: &Path) -> impl Fn(std::io::Error) -> Self + Copy {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}
