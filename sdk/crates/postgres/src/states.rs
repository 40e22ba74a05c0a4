//! The states of sessions.

use async_trait::async_trait;
use serde_json::{Map, Value};
use sqlx::Row;
use toolwright::id::SessionId;
use toolwright::state::{SaveOutcome, StateStore, StoredState};
use toolwright::ticket::StoreError;

use crate::error::PostgresError;
use crate::key::{self, signed};
use crate::shared::Shared;

/// The states of sessions on a server: [`PostgresStore::states`](crate::PostgresStore::states).
#[derive(Debug, Clone)]
pub struct PostgresStates(pub(crate) Shared);

const READ: &str = "read a state";

impl PostgresStates {
    /// The version and the bytes that are stored.
    async fn stored(&self, session: &SessionId) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let database = self.0.database();
        let found = database.fetch(READ, || {
            sqlx::query("select version, stored from states where session = $1")
                .bind(key::session(session))
        });
        let found = found.await.map_err(PostgresError::store)?;
        let Some(row) = found.first() else {
            return Ok(None);
        };
        let unreadable = |error| database.unreadable(READ, error).store();
        let version: i64 = row.try_get(0).map_err(unreadable)?;
        let bytes = row.try_get(1).map_err(unreadable)?;
        Ok(Some((u64::try_from(version).unwrap_or(0), bytes)))
    }
}

#[async_trait]
impl StateStore for PostgresStates {
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError> {
        let Some((version, bytes)) = self.stored(session).await? else {
            return Ok(None);
        };
        let values = serde_json::from_slice(&bytes);
        let values = values.map_err(|error| self.0.database().unreadable(READ, error).store())?;
        Ok(Some(StoredState { version, values }))
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        let bytes = serde_json::to_vec(values).map_err(StoreError::new)?;
        let saved = self.0.database().fetch("save a state", || {
            let query = match expected {
                0 => sqlx::query(
                    "insert into states (session, version, stored) values ($1, $2 + 1, $3) \
                     on conflict do nothing returning version",
                ),
                _ => sqlx::query(
                    "update states set version = version + 1, stored = $3 where session = $1 and version = $2 \
                     returning version",
                ),
            };
            query
                .bind(key::session(session))
                .bind(signed(expected))
                .bind(bytes.as_slice())
        });
        let saved = saved.await.map_err(PostgresError::store)?;
        let next = expected.saturating_add(1);
        if !saved.is_empty() {
            return Ok(SaveOutcome::Saved { version: next });
        }
        match self.stored(session).await? {
            // The first execution, whose confirmation was lost.
            Some((version, kept)) if saved.again && version == next && kept == bytes => {
                Ok(SaveOutcome::Saved { version })
            }
            found => Ok(SaveOutcome::Conflict {
                version: found.map_or(0, |(version, _)| version),
            }),
        }
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let forgotten = self.0.database().fetch("forget a state", || {
            sqlx::query("delete from states where session = $1").bind(key::session(session))
        });
        forgotten.await.map(drop).map_err(PostgresError::store)
    }
}
