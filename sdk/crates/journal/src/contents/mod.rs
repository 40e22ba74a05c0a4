//! The port: where large outputs are kept, by the hash of what they are.

mod folder;
mod memory;

use async_trait::async_trait;
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;

pub use folder::FolderContents;
pub use memory::MemoryContents;

/// Keeps large outputs of a journal, each under the hash of its bytes:
/// [`JournalBuilder::contents`](super::JournalBuilder::contents).
///
/// [`testing::content_store_contract`](crate::testing::content_store_contract) checks an implementation.
#[async_trait]
pub trait ContentStore: Send + Sync + 'static {
    /// Keeps bytes under their hash. Once this returns they outlive what the journal's records outlive. The
    /// same again changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if they could not be stored.
    async fn put(&self, hash: ContentHash, bytes: &[u8]) -> Result<(), StoreError>;

    /// The bytes under a hash, if they are there: whoever asks checks them.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError>;
}
