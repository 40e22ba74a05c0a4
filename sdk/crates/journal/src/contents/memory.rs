//! Large outputs in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

use super::ContentStore;

/// Large outputs in memory, for tests. Cloning is cheap; all clones are one store. It has no limit.
#[derive(Debug, Clone, Default)]
pub struct MemoryContents {
    kept: Arc<Mutex<HashMap<ContentHash, Vec<u8>>>>,
}

impl MemoryContents {
    /// A store with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl ContentStore for MemoryContents {
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(hash).or_insert_with(|| bytes.to_vec());
        Ok(())
    }

    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.get(&hash).cloned())
    }
}
