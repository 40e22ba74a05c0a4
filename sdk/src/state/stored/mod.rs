//! The port: where the states of sessions are stored, for other processes and later ones.

mod folder;
mod memory;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use folder::FolderStates;
pub use memory::MemoryStates;

use crate::id::SessionId;
use crate::util::store_error::StoreError;

/// Stores the states of sessions: in memory, in files, in a database.
///
/// A state is a JSON object, with a version that counts its changes. A save names the version that it was made from, so
/// that of several processes that change one state none overwrites what it has not seen.
/// [`StatePersistence`](crate::executor::StatePersistence) moves the typed values of a session to and fro, and
/// `testing::state_store_contract`, of the feature `contracts`, checks an implementation.
#[async_trait]
pub trait StateStore: Send + Sync + 'static {
    /// Reads the state of a session. `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError>;

    /// Stores the state of a session, if the stored version is the expected one: 0 where nothing is stored. The version
    /// of the new state is the next one. Of several that save at once, one wins. When this returns, the state is
    /// durable.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored; the store then has the state of before, or this one.
    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError>;

    /// Removes the state of a session. It then begins at version 0 again.
    ///
    /// # Errors
    ///
    /// Fails if it could not be removed.
    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError>;
}

/// The state of a session as it is stored. It may hold secrets of the app; `Debug` shows the version alone.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredState {
    /// The number of saves, from 1.
    pub version: u64,
    /// The values, each under its name.
    pub values: Map<String, Value>,
}

impl std::fmt::Debug for StoredState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredState")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// The outcome of a save: see [`StateStore::save`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The state is stored, with this version.
    Saved {
        /// The version of what is stored now.
        version: u64,
    },
    /// Nothing was stored, because the stored version is not the expected one.
    Conflict {
        /// The stored version; 0 where nothing is stored.
        version: u64,
    },
}
