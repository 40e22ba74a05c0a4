//! A connection that has a name: the server lets one session at a time have it.

use std::time::Duration;

use futures_util::StreamExt;
use sqlx::{Connection, Either, Executor, PgConnection, Row};
use tokio::time::{Instant, sleep, timeout_at};

use crate::database::{Database, Fetched, Query, is_broken};
use crate::error::PostgresError;
use crate::key;

/// The time between two tries to get the name.
const LOOK: Duration = Duration::from_millis(50);
/// The time without a statement after which a connection is tried before it is used.
const IDLE: Duration = Duration::from_millis(250);
/// The longest name, in bytes.
const LONGEST: usize = 512;
const TAKE: &str = "take a name";

/// A connection of its own for statements that only the holder of a name may run.
///
/// The name is an advisory lock of the session. A statement runs on the connection that has the lock, so that there is no
/// moment in which one that has lost the name can still write: with the connection goes both.
pub(crate) struct Named {
    kind: &'static str,
    name: String,
    has_lock: bool,
    connection: Option<PgConnection>,
    /// Counts the connections.
    number: u64,
    used: Instant,
}

impl Named {
    pub(crate) fn new(kind: &'static str, name: &str) -> Result<Self, PostgresError> {
        if name.is_empty() || name.len() > LONGEST {
            return Err(PostgresError::Name(kind));
        }
        Ok(Self {
            kind,
            name: name.to_owned(),
            has_lock: true,
            connection: None,
            number: 0,
            used: Instant::now(),
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A connection of its own that shares the name with anybody.
    pub(crate) fn without_lock(self) -> Self {
        Self {
            has_lock: false,
            ..self
        }
    }

    /// The number of the connection, from 1: each time that the name was taken has another.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Connects and takes the name, unless it has it. Waits for the name until the first time, for the server
    /// until the second.
    pub(crate) async fn take(
        &mut self,
        database: &Database,
        name_until: Instant,
        until: Instant,
    ) -> Result<(), PostgresError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let mut connection = database.connect(until).await?;
        if self.has_lock {
            connection = self.lock(database, connection, name_until, until).await?;
        }
        self.connection = Some(connection);
        self.number += 1;
        self.used = Instant::now();
        Ok(())
    }

    async fn lock(
        &self,
        database: &Database,
        mut connection: PgConnection,
        name_until: Instant,
        until: Instant,
    ) -> Result<PgConnection, PostgresError> {
        let failed = |error| database.refused(TAKE, error);
        let number = key::lock(&database.target.schema, self.kind, &self.name);
        loop {
            let lock = sqlx::query("select pg_try_advisory_lock($1)").bind(number);
            match timeout_at(until, lock.fetch_one(&mut connection)).await {
                Ok(Ok(row)) if row.try_get(0).map_err(failed)? => return Ok(connection),
                Ok(Ok(_)) if Instant::now() >= name_until => {
                    return Err(PostgresError::NameTaken {
                        kind: self.kind,
                        name: self.name.clone(),
                        target: database.target.clone(),
                    });
                }
                Ok(Ok(_)) => sleep(LOOK).await,
                Ok(Err(error)) if is_broken(&error) && Instant::now() + LOOK < until => {
                    sleep(LOOK).await;
                    connection = database.connect(until).await?;
                }
                Ok(Err(error)) => return Err(failed(error)),
                Err(_) => return Err(database.timed_out(TAKE)),
            }
        }
    }

    /// Runs one statement on the connection that has the name, once. A connection that broke is gone afterwards.
    pub(crate) async fn send(
        &mut self,
        database: &Database,
        doing: &'static str,
        until: Instant,
        query: Query,
    ) -> Result<Fetched, SendError> {
        let sent = match &mut self.connection {
            Some(connection) => match timeout_at(until, sent(connection, self.used, query)).await {
                Ok(sent) => sent,
                Err(_) => Err(SendError::TimedOut(database.timed_out(doing))),
            },
            None => Err(SendError::NotSent(sqlx::Error::WorkerCrashed)),
        };
        if !matches!(sent, Ok(_) | Err(SendError::Refused(_))) {
            self.connection = None;
        }
        self.used = Instant::now();
        sent
    }

    /// Runs one statement, again when the connection broke and the name could be taken again.
    pub(crate) async fn fetch(
        &mut self,
        database: &Database,
        doing: &'static str,
        make: impl Fn() -> Query + Send,
    ) -> Result<Fetched, PostgresError> {
        let until = Instant::now() + database.limit;
        let mut again = false;
        loop {
            self.take(database, until, until).await?;
            match self.send(database, doing, until, make()).await {
                Ok(fetched) => return Ok(Fetched { again, ..fetched }),
                Err(SendError::NotSent(_)) if Instant::now() < until => {}
                Err(SendError::Lost(_)) if Instant::now() < until => again = true,
                Err(error) => return Err(error.of(database, doing)),
            }
        }
    }
}

/// Runs one statement. A connection that was idle for a while is tried before: if it broke meanwhile, nothing was sent.
async fn sent(
    connection: &mut PgConnection,
    used: Instant,
    query: Query,
) -> Result<Fetched, SendError> {
    if used.elapsed() > IDLE {
        connection.ping().await.map_err(SendError::NotSent)?;
    }
    let (mut rows, mut is_executed) = (Vec::new(), false);
    let mut answers = connection.fetch_many(query);
    loop {
        match answers.next().await {
            Some(Ok(Either::Left(_))) => is_executed = true,
            Some(Ok(Either::Right(row))) => rows.push(row),
            None => return Ok(Fetched { rows, again: false }),
            Some(Err(error)) if !is_broken(&error) => return Err(SendError::Refused(error)),
            // The server ends the session and says so: a statement that it had executed it would have confirmed before.
            Some(Err(error @ sqlx::Error::Database(_))) if !is_executed => {
                return Err(SendError::NotSent(error));
            }
            Some(Err(error)) => return Err(SendError::Lost(error)),
        }
    }
}

/// The reason why a statement failed.
pub(crate) enum SendError {
    /// The connection broke before the statement was executed.
    NotSent(sqlx::Error),
    /// The connection broke: the statement may have been executed.
    Lost(sqlx::Error),
    /// Nothing was executed, and the connection goes on.
    Refused(sqlx::Error),
    /// The connection was closed: the statement may still be executed.
    TimedOut(PostgresError),
}

impl SendError {
    pub(crate) fn of(self, database: &Database, doing: &'static str) -> PostgresError {
        match self {
            Self::NotSent(error) | Self::Lost(error) | Self::Refused(error) => {
                database.refused(doing, error)
            }
            Self::TimedOut(error) => error,
        }
    }
}
