//! The errors of the stores.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use toolwright::ticket::StoreError;

/// The reason why a store could not be opened, read or written. It never holds the password of a URL.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum PostgresError {
    /// The URL cannot be read.
    #[error(
        "the URL of the database cannot be read; its form is postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Url(#[source] Box<dyn Error + Send + Sync>),
    /// The URL has a parameter that the client does not know, which may be a misspelt one about TLS.
    #[error("the URL of the database has an unknown parameter; known are {known}")]
    #[non_exhaustive]
    UnknownParameter {
        /// The names that are known.
        known: &'static str,
    },
    /// The name of a schema is not made of `a-z`, `0-9` and `_`.
    #[error("`{0}` is no name for a schema: 1 to 40 of a-z, 0-9 and _, not a digit first")]
    SchemaName(String),
    /// The name of a log or a replica is empty or longer than 512 bytes.
    #[error("the name of a {0} has 1 to 512 bytes")]
    Name(&'static str),
    /// TLS is required, and this build has none.
    #[error("TLS is required, and `toolwright-postgres` was built without its feature `tls`")]
    NoTls,
    /// The server cannot be reached, or refuses the connection.
    #[error("cannot connect to {target}")]
    #[non_exhaustive]
    Connect {
        /// The server and the database.
        target: Target,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// All connections of the pool were in use until the limit of the call.
    #[error(
        "cannot {doing} at {target}: all {connections} connections of the pool were in use for {limit:?}; \
         raise `max_connections`, or do less at once"
    )]
    #[non_exhaustive]
    PoolExhausted {
        /// The task.
        doing: &'static str,
        /// The server and the database.
        target: Target,
        /// The most connections of the pool.
        connections: u32,
        /// The limit of the call.
        limit: Duration,
    },
    /// The server did not answer in time. A write may have been done or not.
    #[error("cannot {doing} at {target}: no answer in {limit:?}")]
    #[non_exhaustive]
    TimedOut {
        /// The task.
        doing: &'static str,
        /// The server and the database.
        target: Target,
        /// The limit of the call.
        limit: Duration,
    },
    /// The server refused a statement, or the connection broke.
    #[error("cannot {doing} at {target}")]
    #[non_exhaustive]
    Statement {
        /// The task.
        doing: &'static str,
        /// The server and the database.
        target: Target,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables were made by a later version.
    #[error(
        "the tables of {target} have version {found}, and this program knows versions up to {known}: \
         update it, or give it a schema of its own"
    )]
    #[non_exhaustive]
    TooNew {
        /// The server and the database.
        target: Target,
        /// The version of the tables.
        found: i32,
        /// The latest version that this program knows.
        known: i32,
    },
    /// Another process, or another handle of this one, has the name.
    #[error(
        "the {kind} `{name}` at {target} is in use: one process at a time has the name, until it ends or its connection \
         is found broken"
    )]
    #[non_exhaustive]
    NameTaken {
        /// `log` or `replica`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The server and the database.
        target: Target,
    },
    /// The stored data cannot be read. A later version may have written it.
    #[error("cannot {doing} at {target}: what is stored cannot be read")]
    #[non_exhaustive]
    Data {
        /// The task.
        doing: &'static str,
        /// The server and the database.
        target: Target,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The log was opened for reading.
    #[error("the log `{0}` was opened for reading only")]
    ReadOnly(String),
    /// An earlier write to the log ended in a way that is not known.
    #[error("it is not known how the last write to the log `{0}` ended: open it anew")]
    Uncertain(String),
    /// The thread of a log could not be started, or has ended.
    #[error("the thread of the log `{name}` could not be started, or has ended")]
    #[non_exhaustive]
    Thread {
        /// The name of the log.
        name: String,
        /// The cause, if there is one.
        source: Option<std::io::Error>,
    },
}

toolwright::text::debug_as_text!(PostgresError);

impl PostgresError {
    pub(crate) fn store(self) -> StoreError {
        StoreError::new(self)
    }
}

/// A server, a database and a schema, for messages: without user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    pub(crate) server: String,
    pub(crate) database: String,
    pub(crate) schema: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            server,
            database,
            schema,
        } = self;
        write!(f, "{server}, database `{database}`, schema `{schema}`")
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
