//! Large results.

use async_trait::async_trait;
use sqlx::Row;
use toolwright::id::{InvocationId, SessionId};
use toolwright::results::{ResultPart, ResultStore, StoreError};

use crate::error::PostgresError;
use crate::key;
use crate::shared::Shared;

/// Large results on a server: [`PostgresStore::results`](crate::PostgresStore::results). Each stays until its session ends, at least for 7 days; a text
/// has less than 1 GiB.
#[derive(Debug, Clone)]
pub struct PostgresResults(pub(crate) Shared);

const READ: &str = "read a result";

#[async_trait]
impl ResultStore for PostgresResults {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        let put = self.0.database().fetch("put a result", || {
            sqlx::query(
                "insert into results (session, call, text) values ($1, $2, $3) \
                 on conflict (session, call) do update set text = excluded.text, stored_at = now()",
            )
            .bind(key::session(session))
            .bind(key::id(call))
            .bind(text.as_bytes())
        });
        put.await.map_err(PostgresError::store)?;
        self.0.sweep().await;
        Ok(())
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        // No text is longer; the sum stays a number of PostgreSQL.
        let clamped = |number: u64| i32::try_from(number).unwrap_or(i32::MAX).min(1 << 30);
        let database = self.0.database();
        let found = database.fetch(READ, || {
            sqlx::query(
                "select substring(text from $3 + 1 for $4), octet_length(text) from results where session = $1 and call = $2",
            )
            .bind(key::session(session))
            .bind(key::id(call))
            .bind(clamped(offset))
            .bind(clamped(length))
        });
        let found = found.await.map_err(PostgresError::store)?;
        let Some(row) = found.first() else {
            return Ok(None);
        };
        let unreadable = |error| database.unreadable(READ, error).store();
        let total: i32 = row.try_get(1).map_err(unreadable)?;
        Ok(Some(ResultPart {
            bytes: row.try_get(0).map_err(unreadable)?,
            total: u64::try_from(total).unwrap_or(0),
        }))
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let ended = self.0.database().fetch("end a session", || {
            sqlx::query("delete from results where session = $1").bind(key::session(session))
        });
        ended.await.map(drop).map_err(PostgresError::store)
    }
}
