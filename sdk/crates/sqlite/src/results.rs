//! Large results.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use toolwright::id::{InvocationId, SessionId};
use toolwright::results::{ResultPart, ResultStore};
use toolwright::ticket::StoreError;

use crate::database::{Database, Outlives, integer, on_pool};
use crate::error::SqliteError;

/// The most that is kept of one session, in bytes, unless the host sets another limit.
const OF_SESSION: u64 = 64 << 20;

/// Large results in a database: see [`SqliteStore`](crate::SqliteStore). The oldest of a session go first.
///
/// Default: 64 MiB of a session. A result outlives its process; after a loss of power the last ones may be missing.
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone)]
pub struct SqliteResults {
    database: Arc<Database>,
    of_session: u64,
}

impl SqliteResults {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self {
            database,
            of_session: OF_SESSION,
        }
    }

    /// Sets how much is kept of one session, in bytes. Default: 64 MiB.
    pub fn max_bytes_of_session(mut self, bytes: u64) -> Self {
        self.of_session = bytes;
        self
    }
}

#[async_trait]
impl ResultStore for SqliteResults {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        if bytes > self.of_session {
            return Err(StoreError::new(SqliteError::TooLarge {
                bytes,
                most: self.of_session,
            }));
        }
        let (session, text, room) = (session.clone(), text.to_owned(), self.of_session - bytes);
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::Process,
                "a result cannot be stored",
                |connection| {
                    remove(connection, &session, call)?;
                    make_room(connection, &session, room)?;
                    insert(connection, &session, call, &text)
                },
            )
        })
        .await
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            database.read("a result cannot be read", |connection| {
                read(connection, &session, call, (offset, length))
            })
        })
        .await
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::Process,
                "results cannot be removed",
                |connection| {
                    connection
                        .prepare_cached("DELETE FROM results WHERE session = ?1")?
                        .execute([session.as_str()])
                },
            )
        })
        .await
        .map(drop)
    }
}

fn remove(
    connection: &Connection,
    session: &SessionId,
    call: InvocationId,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM results WHERE session = ?1 AND call = ?2")?
        .execute(params![session.as_str(), call.to_string()])?;
    Ok(())
}

/// Removes the oldest results of a session, until the others have at most so many bytes.
fn make_room(connection: &Connection, session: &SessionId, room: u64) -> rusqlite::Result<()> {
    let room = i64::try_from(room).unwrap_or(i64::MAX);
    // From the youngest on: those that do not fit any more go.
    let sql = "DELETE FROM results WHERE number IN (SELECT number FROM (
        SELECT number, sum(bytes) OVER (ORDER BY number DESC) AS so_far FROM results WHERE session = ?1
    ) WHERE so_far > ?2)";
    connection
        .prepare_cached(sql)?
        .execute(params![session.as_str(), room])?;
    Ok(())
}

fn insert(
    connection: &Connection,
    session: &SessionId,
    call: InvocationId,
    text: &str,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO results (session, call, bytes, text) VALUES (?1, ?2, ?3, ?4)";
    let text = text.as_bytes();
    connection.prepare_cached(sql)?.execute(params![
        session.as_str(),
        call.to_string(),
        integer(text.len()),
        text
    ])?;
    Ok(())
}

/// Reads a part of a text; of a large one not more than that part.
fn read(
    connection: &Connection,
    session: &SessionId,
    call: InvocationId,
    (offset, length): (u64, u64),
) -> rusqlite::Result<Option<ResultPart>> {
    let found: Option<i64> = connection
        .prepare_cached("SELECT number FROM results WHERE session = ?1 AND call = ?2")?
        .query_row(params![session.as_str(), call.to_string()], |row| {
            row.get(0)
        })
        .optional()?;
    let Some(number) = found else {
        return Ok(None);
    };
    let blob = connection.blob_open("main", "results", "text", number, true)?;
    let total = blob.len();
    let at_most =
        |bytes: u64, most: usize| usize::try_from(bytes).map_or(most, |bytes| bytes.min(most));
    let begin = at_most(offset, total);
    let mut bytes = vec![0; at_most(length, total - begin)];
    blob.read_at_exact(&mut bytes, begin)?;
    Ok(Some(ResultPart {
        bytes,
        total: u64::try_from(total).unwrap_or(u64::MAX),
    }))
}

impl fmt::Debug for SqliteResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteResults")
            .field("path", &self.database.path())
            .field("of_session", &self.of_session)
            .finish_non_exhaustive()
    }
}
