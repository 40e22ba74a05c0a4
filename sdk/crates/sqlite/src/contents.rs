//! Large outputs of journals.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::ContentStore;

use crate::database::{Database, Outlives, on_pool};

/// Large outputs of journals in a database, each under the hash of its bytes: see [`SqliteStore`](crate::SqliteStore).
///
/// Cloning is cheap; all clones are one store.
#[derive(Clone)]
pub struct SqliteContents {
    database: Arc<Database>,
}

impl SqliteContents {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

#[async_trait]
impl ContentStore for SqliteContents {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        let bytes = bytes.to_vec();
        on_pool(&self.database, move |database| {
            database.write(
                Outlives::PowerLoss,
                "a large output cannot be stored",
                |connection| {
                    let sql =
                        "INSERT INTO contents (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
                    connection
                        .prepare_cached(sql)?
                        .execute(params![hash.as_bytes(), bytes])
                },
            )
        })
        .await
        .map(drop)
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        on_pool(&self.database, move |database| {
            database.read("a large output cannot be read", |connection| {
                connection
                    .prepare_cached("SELECT bytes FROM contents WHERE hash = ?1")?
                    .query_row([hash.as_bytes()], |row| row.get(0))
                    .optional()
            })
        })
        .await
    }
}

impl fmt::Debug for SqliteContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteContents")
            .field("path", &self.database.path())
            .finish_non_exhaustive()
    }
}
