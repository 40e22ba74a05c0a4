//! The rows of grants.

use std::path::Path;

use rusqlite::{Connection, params};
use toolwright::id::{GrantId, SessionId};
use toolwright::ticket::SealedGrant;

use super::malformed;
use crate::error::SqliteError;

/// A grant as it is stored.
pub(super) struct GrantRow {
    id: String,
    sealed: String,
}

impl GrantRow {
    pub(super) fn into_grant(self, path: &Path) -> Result<SealedGrant, SqliteError> {
        let row = format!("grant {}", self.id);
        serde_json::from_str(&self.sealed).map_err(malformed(path, row))
    }
}

pub(super) fn put(
    connection: &Connection,
    session: &SessionId,
    id: GrantId,
    sealed: &str,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO grants (session, id, sealed) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    connection
        .prepare_cached(sql)?
        .execute(params![session.as_str(), id.to_string(), sealed])?;
    Ok(())
}

/// Reads the grants of a session, the oldest first.
pub(super) fn of_session(
    connection: &Connection,
    session: &SessionId,
) -> rusqlite::Result<Vec<GrantRow>> {
    connection
        .prepare_cached("SELECT id, sealed FROM grants WHERE session = ?1 ORDER BY number")?
        .query_map([session.as_str()], |row| {
            Ok(GrantRow {
                id: row.get(0)?,
                sealed: row.get(1)?,
            })
        })?
        .collect()
}

pub(super) fn remove(
    connection: &Connection,
    session: &SessionId,
    id: GrantId,
) -> rusqlite::Result<bool> {
    let removed = connection
        .prepare_cached("DELETE FROM grants WHERE session = ?1 AND id = ?2")?
        .execute(params![session.as_str(), id.to_string()])?;
    Ok(removed > 0)
}

pub(super) fn forget(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM grants WHERE session = ?1")?
        .execute([session.as_str()])?;
    Ok(())
}
