//! States in memory.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{SaveOutcome, StateStore, StoredState};
use crate::id::SessionId;
use crate::util::lock::Lock;
use crate::util::store_error::StoreError;

/// Stores states in memory, for one process: for tests.
///
/// Cloning is cheap; all clones are one store.
#[derive(Debug, Clone, Default)]
pub struct MemoryStates {
    by_session: Arc<Lock<HashMap<SessionId, StoredState>>>,
}

impl MemoryStates {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl StateStore for MemoryStates {
    async fn load(&self, session: &SessionId) -> Result<Option<StoredState>, StoreError> {
        Ok(self.by_session.lock().get(session).cloned())
    }

    async fn save(
        &self,
        session: &SessionId,
        expected: u64,
        values: &Map<String, Value>,
    ) -> Result<SaveOutcome, StoreError> {
        let mut states = self.by_session.lock();
        let version = states.get(session).map_or(0, |state| state.version);
        if version != expected {
            return Ok(SaveOutcome::Conflict { version });
        }
        let version = version + 1;
        let values = values.clone();
        states.insert(session.clone(), StoredState { version, values });
        Ok(SaveOutcome::Saved { version })
    }

    async fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        self.by_session.lock().remove(session);
        Ok(())
    }
}
