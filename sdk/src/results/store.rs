//! The port: where large results are kept.

use async_trait::async_trait;

use crate::id::{InvocationId, SessionId};
use crate::util::store_error::StoreError;

/// Keeps the text of results that were cut, so that the model can read on: in memory, in files.
///
/// [`ExecutorBuilder::result_store`](crate::ExecutorBuilder::result_store) tells how it is used, and
/// `testing::result_store_contract`, of the feature `contracts`, checks an implementation.
/// What is kept is what a tool gave for the model, whole.
#[async_trait]
pub trait ResultStore: Send + Sync + 'static {
    /// Keeps the text of a result. A second text of the same call takes the place of the first.
    ///
    /// A store may let go of older results to make room.
    ///
    /// # Errors
    ///
    /// Fails if it could not be stored, or is larger than the store takes; nothing of it is stored then.
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError>;

    /// Reads at most `length` bytes of a text, from a place in bytes on, counted from 0; fewer, or none, where it ends.
    /// `None` if the session has no such text: a text of another session does not count.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError>;

    /// Lets go of all texts of a session.
    ///
    /// # Errors
    ///
    /// Fails if something could not be removed.
    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError>;
}

/// A part of a text that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPart {
    /// As they stand in the text, which may be in the middle of a character.
    pub bytes: Vec<u8>,
    /// The bytes of the whole text.
    pub total: u64,
}
