//! A store of results that may hang, fail or panic, behind a limit of time.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{ResultPart, ResultStore};
use crate::id::{InvocationId, SessionId};
use crate::util::port::call_port;
use crate::util::store_error::StoreError;

/// A store behind a limit of time.
pub(crate) struct GuardedResults {
    store: Arc<dyn ResultStore>,
    limit: Option<Duration>,
}

impl GuardedResults {
    pub(crate) fn new(store: Arc<dyn ResultStore>, limit: Option<Duration>) -> Self {
        Self { store, limit }
    }
}

#[async_trait]
impl ResultStore for GuardedResults {
    /// A text whose write did not end is read back: all of it or none is there.
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        let put = call_port(self.limit, || self.store.put(session, call, text));
        let why = match put.await {
            Ok(ended) => return ended,
            Err(why) => why,
        };
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let read = call_port(self.limit, || self.store.read(session, call, 0, length));
        match read.await {
            Ok(Ok(Some(there))) if there.total == length && there.bytes == text.as_bytes() => {
                Ok(())
            }
            _ => Err(why.into()),
        }
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        let read = call_port(self.limit, || {
            self.store.read(session, call, offset, length)
        });
        read.await?
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let ended = call_port(self.limit, || self.store.end_session(session));
        ended.await?
    }
}
