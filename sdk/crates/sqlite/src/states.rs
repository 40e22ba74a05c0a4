//! The states of sessions.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value};
use toolwright::id::SessionId;
use toolwright::state::{SaveOutcome, StateStore, StoredState};
use toolwright::ticket::StoreError;

use crate::database::{Database, Outlives, on_pool};
use crate::error::SqliteError;

/// The states of sessions in a database: see [`SqliteStore`](crate::SqliteStore).
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone)]
pub struct SqliteStates {
    database: Arc<Database>,
}

impl SqliteStates {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

#[async_trait]
impl StateStore for SqliteStates {
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            let found = database.read("a state cannot be read", |connection| {
                let sql = "SELECT version, state FROM states WHERE session = ?1";
                connection
                    .prepare_cached(sql)?
                    .query_row([session.as_str()], |row| {
                        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
                    })
                    .optional()
            })?;
            let Some((version, state)) = found else {
                return Ok(None);
            };
            let values = serde_json::from_str(&state);
            Ok(Some(StoredState {
                version: version.unsigned_abs(),
                values: values.map_err(|source| SqliteError::Malformed {
                    path: database.path().to_owned(),
                    row: format!("the state of session `{session}`"),
                    source: source.into(),
                })?,
            }))
        })
        .await
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        let state = serde_json::to_string(values).map_err(StoreError::new)?;
        let session = session.clone();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a state cannot be stored",
                |connection| save(connection, &session, expected, &state),
            )
        })
        .await
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let session = session.clone();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a state cannot be removed",
                |connection| {
                    connection
                        .prepare_cached("DELETE FROM states WHERE session = ?1")?
                        .execute([session.as_str()])
                },
            )
        })
        .await
        .map(drop)
    }
}

fn save(
    connection: &Connection,
    session: &SessionId,
    expected: u64,
    state: &str,
) -> rusqlite::Result<SaveOutcome> {
    let found: Option<i64> = connection
        .prepare_cached("SELECT version FROM states WHERE session = ?1")?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()?;
    let version = found.map_or(0, i64::unsigned_abs);
    if version != expected {
        return Ok(SaveOutcome::Conflict { version });
    }
    let sql = "INSERT INTO states (session, version, state) VALUES (?1, 1, ?2)
        ON CONFLICT DO UPDATE SET version = version + 1, state = excluded.state";
    connection
        .prepare_cached(sql)?
        .execute(params![session.as_str(), state])?;
    Ok(SaveOutcome::Saved {
        version: version + 1,
    })
}

impl fmt::Debug for SqliteStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStates")
            .field("path", &self.database.path())
            .finish_non_exhaustive()
    }
}
