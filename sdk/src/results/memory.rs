//! Large results in memory.

use std::collections::{BTreeMap, HashMap};
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
    kept: Lock<StoredResults>,
}

#[derive(Default)]
struct StoredResults {
    texts: HashMap<(SessionId, InvocationId), Text>,
    /// The oldest first.
    ages: BTreeMap<u64, (SessionId, InvocationId)>,
    sessions: HashMap<SessionId, usize>,
    bytes: usize,
    /// The number of texts that were ever put.
    count: u64,
}

struct Text {
    text: Box<str>,
    age: u64,
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

impl StoredResults {
    fn of_session(&self, session: &SessionId) -> usize {
        self.sessions.get(session).copied().unwrap_or_default()
    }

    fn remove(&mut self, key: &(SessionId, InvocationId)) {
        let Some(removed) = self.texts.remove(key) else {
            return;
        };
        self.ages.remove(&removed.age);
        self.bytes -= removed.text.len();
        if let Some(bytes) = self.sessions.get_mut(&key.0) {
            *bytes -= removed.text.len();
            if *bytes == 0 {
                self.sessions.remove(&key.0);
            }
        }
    }

    fn remove_oldest(&mut self, of: Option<&SessionId>) -> bool {
        let mut oldest = self.ages.values();
        let Some(key) = oldest.find(|(session, _)| of.is_none_or(|of| of == session)) else {
            return false;
        };
        let key = key.clone();
        self.remove(&key);
        true
    }

    fn insert(&mut self, key: (SessionId, InvocationId), text: &str) {
        self.count += 1;
        let age = self.count;
        self.bytes += text.len();
        *self.sessions.entry(key.0.clone()).or_default() += text.len();
        self.ages.insert(age, key.clone());
        let text = text.into();
        self.texts.insert(key, Text { text, age });
    }
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
        let key = (session.clone(), call);
        let mut kept = self.kept.lock();
        kept.remove(&key);
        while kept.of_session(session) + text.len() > self.of_session
            && kept.remove_oldest(Some(session))
        {}
        while kept.bytes + text.len() > self.in_all && kept.remove_oldest(None) {}
        kept.insert(key, text);
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
        let found = kept.texts.get(&(session.clone(), call));
        Ok(found.map(|Text { text, .. }| {
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
        while kept.remove_oldest(Some(session)) {}
        Ok(())
    }
}

impl fmt::Debug for MemoryResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock();
        f.debug_struct("MemoryResults")
            .field("results", &kept.texts.len())
            .field("bytes", &kept.bytes)
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
        let kept = store.kept.lock();
        assert_eq!((kept.bytes, kept.texts.len(), kept.ages.len()), (0, 0, 0));
        assert!(kept.sessions.is_empty());
    }
}
