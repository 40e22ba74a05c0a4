//! Large results in memory.

use std::collections::VecDeque;
use std::fmt;

use async_trait::async_trait;

use super::{ResultPart, ResultStore};
use crate::id::{InvocationId, SessionId};
use crate::util::lock::Lock;
use crate::util::store_error::StoreError;

/// The most that is kept of one session, in bytes, unless the host sets another limit.
const OF_SESSION: usize = 8 << 20;
crate::util::documented::documented_default!(
    "large results in memory, of a session",
    bytes(OF_SESSION)
);
/// The most that is kept in all, in bytes.
const IN_ALL: usize = 64 << 20;
crate::util::documented::documented_default!("large results in memory, in all", bytes(IN_ALL));

/// Large results in memory, for one process. The oldest go first, those of the session that needs the
/// room before those of others.
///
/// Defaults: 8 MiB of a session, 64 MiB in all.
pub struct MemoryResults {
    of_session: usize,
    in_all: usize,
    /// The oldest first.
    kept: Lock<VecDeque<StoredText>>,
}

struct StoredText {
    session: SessionId,
    call: InvocationId,
    text: Box<str>,
}

impl Default for MemoryResults {
    fn default() -> Self {
        Self {
            of_session: OF_SESSION,
            in_all: IN_ALL,
            kept: Lock::default(),
        }
    }
}

impl MemoryResults {
    /// Returns a store with the defaults: 8 MiB of a session, 64 MiB in all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how much is kept of one session, in bytes. Default: 8 MiB.
    #[must_use]
    pub fn max_bytes_of_session(mut self, bytes: usize) -> Self {
        self.of_session = bytes;
        self
    }

    /// Sets how much is kept in all, in bytes. Default: 64 MiB.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.in_all = bytes;
        self
    }
}

/// Lets the oldest of some texts go, until the others of them have at most this many bytes.
fn make_room(
    kept: &mut VecDeque<StoredText>,
    bytes: usize,
    is_one_of_them: impl Fn(&StoredText) -> bool,
) {
    let them = kept.iter().filter(|stored| is_one_of_them(stored));
    let mut left: usize = them.map(|stored| stored.text.len()).sum();
    kept.retain(|stored| {
        let goes = left > bytes && is_one_of_them(stored);
        left -= if goes { stored.text.len() } else { 0 };
        !goes
    });
}

#[async_trait]
impl ResultStore for MemoryResults {
    async fn put(
        &self,
        session: &SessionId,
        call: InvocationId,
        text: &str,
    ) -> Result<(), StoreError> {
        let room = self.of_session.min(self.in_all);
        if text.len() > room {
            return Err(StoreError::new(format!(
                "the result has {} bytes, and at most {room} are kept",
                text.len()
            )));
        }
        let mut kept = self.kept.lock();
        kept.retain(|stored| stored.call != call || stored.session != *session);
        let of_session = |stored: &StoredText| stored.session == *session;
        make_room(&mut kept, self.of_session - text.len(), of_session);
        make_room(&mut kept, self.in_all - text.len(), |_| true);
        kept.push_back(StoredText {
            session: session.clone(),
            call,
            text: text.into(),
        });
        Ok(())
    }

    async fn read(
        &self,
        session: &SessionId,
        call: InvocationId,
        offset: u64,
        length: u64,
    ) -> Result<Option<ResultPart>, StoreError> {
        let kept = self.kept.lock();
        let mut kept = kept.iter();
        let found = kept.find(|stored| stored.call == call && stored.session == *session);
        Ok(found.map(|StoredText { text, .. }| {
            let at = |place: u64| usize::try_from(place).map_or(text.len(), |p| p.min(text.len()));
            let bytes = &text.as_bytes()[at(offset)..at(offset.saturating_add(length))];
            ResultPart {
                bytes: bytes.to_vec(),
                total: u64::try_from(text.len()).unwrap_or(u64::MAX),
            }
        }))
    }

    async fn end_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let mut kept = self.kept.lock();
        kept.retain(|stored| stored.session != *session);
        Ok(())
    }
}

impl fmt::Debug for MemoryResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock();
        f.debug_struct("MemoryResults")
            .field("results", &kept.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u64) -> InvocationId {
        InvocationId::from_parts(1, number)
    }

    async fn is_there(store: &MemoryResults, session: &str, number: u64) -> bool {
        let session = SessionId::new(session.to_owned());
        let found = store.read(&session, call(number), 0, 1).await.unwrap();
        found.is_some()
    }

    #[tokio::test]
    async fn the_oldest_go_first_and_those_of_other_sessions_last() {
        let store = MemoryResults::new().max_bytes_of_session(10).max_bytes(15);
        let (one, other) = (SessionId::new("one"), SessionId::new("other"));
        store.put(&other, call(1), "12345").await.unwrap();
        store.put(&one, call(2), "12345").await.unwrap();
        store.put(&one, call(3), "12345").await.unwrap();
        // The session has no more room: its own oldest goes.
        store.put(&one, call(4), "12345").await.unwrap();
        assert!(is_there(&store, "other", 1).await);
        assert!(!is_there(&store, "one", 2).await);
        assert!(is_there(&store, "one", 3).await && is_there(&store, "one", 4).await);
        // There is no more room at all: the oldest of anybody goes.
        store
            .put(&SessionId::new("third"), call(5), "1")
            .await
            .unwrap();
        assert!(!is_there(&store, "other", 1).await);
        // A text that is too large removes no other.
        let refused = store.put(&one, call(6), "12345678901").await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the result has 11 bytes, and at most 10 are kept"
        );
        assert!(is_there(&store, "one", 3).await);
        for session in ["one", "third"] {
            store.end_session(&SessionId::new(session)).await.unwrap();
        }
        assert!(store.kept.lock().is_empty());
    }
}
