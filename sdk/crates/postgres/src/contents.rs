//! Large outputs of journals.

use async_trait::async_trait;
use sqlx::Row;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::ContentStore;

use crate::error::PostgresError;
use crate::shared::Shared;

/// Large outputs on a server, each once under its hash: [`PostgresStore::contents`](crate::PostgresStore::contents). Each has less than 1 GiB.
#[derive(Debug, Clone)]
pub struct PostgresContents(pub(crate) Shared);

const READ: &str = "read an output";

#[async_trait]
impl ContentStore for PostgresContents {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        let put = self.0.database().fetch("put an output", || {
            sqlx::query("insert into contents (hash, bytes) values ($1, $2) on conflict do nothing")
                .bind(*hash.as_bytes())
                .bind(bytes)
        });
        put.await.map(drop).map_err(PostgresError::store)
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        let database = self.0.database();
        let found = database.fetch(READ, || {
            sqlx::query("select bytes from contents where hash = $1").bind(*hash.as_bytes())
        });
        let found = found.await.map_err(PostgresError::store)?;
        let bytes = found.first().map(|row| row.try_get(0)).transpose();
        bytes.map_err(|error| database.unreadable(READ, error).store())
    }
}
