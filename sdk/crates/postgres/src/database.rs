//! Statements on connections of the pool: again on another one when a connection broke, until the limit.

use std::io::ErrorKind;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgRow};
use sqlx::{ConnectOptions, Connection, PgConnection, Postgres};
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::error::{PostgresError, Target};

pub(crate) type Query = sqlx::query::Query<'static, Postgres, PgArguments>;

/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(50);
/// The time to find out why there is no connection.
const PROBE: Duration = Duration::from_secs(1);

/// The rows of a statement.
pub(crate) struct Fetched {
    pub(crate) rows: Vec<PgRow>,
    /// The statement was sent before, on a connection that broke: it may have been executed twice.
    pub(crate) again: bool,
}

impl Fetched {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn first(&self) -> Option<&PgRow> {
        self.rows.first()
    }
}

/// The pool and its limits.
pub(crate) struct Database {
    pub(crate) pool: PgPool,
    pub(crate) options: PgConnectOptions,
    pub(crate) target: Target,
    pub(crate) max_connections: u32,
    pub(crate) limit: Duration,
}

impl Database {
    /// Runs one statement. If the answer is lost, it is sent again: it has to be one that may be executed twice.
    pub(crate) async fn fetch(
        &self,
        doing: &'static str,
        make: impl Fn() -> Query + Send,
    ) -> Result<Fetched, PostgresError> {
        let deadline = Instant::now() + self.limit;
        let mut again = false;
        loop {
            let acquired = timeout_at(deadline, self.pool.acquire()).await;
            let broken = match acquired {
                Ok(Ok(connection)) => {
                    let mut connection = Lease(Some(connection));
                    let Some(leased) = connection.0.as_deref_mut() else {
                        continue;
                    };
                    let sent = timeout_at(deadline, make().fetch_all(leased)).await;
                    match sent {
                        Ok(Ok(rows)) => return Ok(Fetched { rows, again }),
                        Ok(Err(error)) if is_broken(&error) => {
                            connection.close();
                            again = true;
                            error
                        }
                        Ok(Err(error)) => return Err(self.refused(doing, error)),
                        Err(_) => {
                            // Closed: its answer would reach the next statement's caller late.
                            connection.close();
                            return Err(self.timed_out(doing));
                        }
                    }
                }
                Ok(Err(sqlx::Error::PoolTimedOut)) | Err(_) => {
                    return Err(self.no_connection(doing).await);
                }
                Ok(Err(error)) if is_away(&error) => error,
                Ok(Err(error)) => return Err(self.unreachable(error)),
            };
            if Instant::now() + PAUSE >= deadline {
                return Err(self.refused(doing, broken));
            }
            sleep(PAUSE).await;
        }
    }

    /// Opens a connection beside the pool. A server that is away or starting is waited for.
    pub(crate) async fn connect(&self, deadline: Instant) -> Result<PgConnection, PostgresError> {
        let mut last = None;
        loop {
            match timeout_at(deadline, self.options.connect()).await {
                Ok(Ok(connection)) => return Ok(connection),
                Ok(Err(error)) if is_away(&error) && Instant::now() + PAUSE < deadline => {
                    last = Some(error);
                    sleep(PAUSE).await;
                }
                Ok(Err(error)) => return Err(self.unreachable(error)),
                Err(_) => {
                    return Err(last.map_or_else(
                        || self.timed_out("connect"),
                        |error| self.unreachable(error),
                    ));
                }
            }
        }
    }

    /// Finds the reason why the pool gave no connection: the server is away, or all are in use.
    async fn no_connection(&self, doing: &'static str) -> PostgresError {
        match timeout(PROBE, self.options.connect()).await {
            Ok(Ok(connection)) => {
                // The connection was of use already.
                let _ = timeout(PROBE, connection.close()).await;
                PostgresError::PoolExhausted {
                    doing,
                    target: self.target.clone(),
                    connections: self.max_connections,
                    limit: self.limit,
                }
            }
            Ok(Err(error)) => self.unreachable(error),
            Err(_) => PostgresError::Connect {
                target: self.target.clone(),
                source: format!("no answer in {:?}", self.limit + PROBE).into(),
            },
        }
    }

    pub(crate) fn unreachable(&self, error: sqlx::Error) -> PostgresError {
        PostgresError::Connect {
            target: self.target.clone(),
            source: error.into(),
        }
    }

    pub(crate) fn refused(&self, doing: &'static str, error: sqlx::Error) -> PostgresError {
        PostgresError::Statement {
            doing,
            target: self.target.clone(),
            source: error.into(),
        }
    }

    pub(crate) fn timed_out(&self, doing: &'static str) -> PostgresError {
        PostgresError::TimedOut {
            doing,
            target: self.target.clone(),
            limit: self.limit,
        }
    }

    pub(crate) fn unreadable(
        &self,
        doing: &'static str,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> PostgresError {
        PostgresError::Data {
            doing,
            target: self.target.clone(),
            source: error.into(),
        }
    }
}

/// A connection of the pool.
///
/// The pool takes a connection back in a task of Tokio and panics outside of a runtime, where the future of a call may be
/// dropped too.
struct Lease(Option<PoolConnection<Postgres>>);

impl Lease {
    fn close(&mut self) {
        drop(self.0.take().map(PoolConnection::detach));
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if Handle::try_current().is_err() {
            self.close();
        }
    }
}

/// Returns true if the connection is of no more use, or a try on another one may help.
pub(crate) fn is_broken(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        // Shut down, crashed, starting; connection exceptions; serialization failure, deadlock.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            matches!(&*code, "57P01" | "57P02" | "57P03" | "40001" | "40P01")
                || code.starts_with("08")
        }),
        _ => false,
    }
}

/// Returns true if a connection that could not be opened may open later.
fn is_away(error: &sqlx::Error) -> bool {
    match error {
        // Not of TLS, which are such errors too.
        sqlx::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::ConnectionRefused
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof
                | ErrorKind::NotFound
        ),
        error => is_broken(error),
    }
}
