//! The number of calls that run.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::SessionId;

use super::refusal::Refusal;

/// The client of a call: a session of a principal, or the principal where there are no sessions.
pub(super) type Client = (Arc<str>, Option<SessionId>);

/// The calls that run now.
#[derive(Debug)]
pub(super) struct RunningCalls {
    of_client: usize,
    in_all: usize,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    in_all: usize,
    clients: HashMap<Client, CallsOfClient>,
}

#[derive(Debug, Default)]
struct CallsOfClient {
    count: usize,
    /// The ids of the calls of a session. Requests without a session may have the same.
    ids: HashSet<RequestId>,
}

impl RunningCalls {
    pub(super) fn new(of_client: usize, in_all: usize) -> Self {
        Self {
            of_client,
            in_all,
            counts: Mutex::default(),
        }
    }

    /// Counts a call until the value is dropped.
    pub(super) fn start(
        self: &Arc<Self>,
        client: Client,
        id: Option<&RequestId>,
    ) -> Result<RunningCall, Refusal> {
        let mut counts = self.lock();
        if counts.in_all >= self.in_all {
            return Err(Refusal::ServerBusy { limit: self.in_all });
        }
        let of_client = counts.clients.get(&client);
        if of_client.is_some_and(|calls| calls.count >= self.of_client) {
            let limit = self.of_client;
            return Err(Refusal::TooManyCalls { limit });
        }
        let id = id.filter(|_| client.1.is_some()).cloned();
        // The answer to one of two requests with one id would be taken for that to the other.
        if let (Some(calls), Some(id)) = (of_client, &id)
            && calls.ids.contains(id)
        {
            return Err(Refusal::SameId { id: id.clone() });
        }
        counts.in_all += 1;
        let of_client = counts.clients.entry(client.clone()).or_default();
        of_client.count += 1;
        of_client.ids.extend(id.clone());
        let calls = self.clone();
        Ok(RunningCall { calls, client, id })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // A panic cannot leave the counts half changed.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that runs.
#[derive(Debug)]
pub(super) struct RunningCall {
    calls: Arc<RunningCalls>,
    client: Client,
    id: Option<RequestId>,
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut counts = self.calls.lock();
        counts.in_all = counts.in_all.saturating_sub(1);
        if let Entry::Occupied(mut of_client) = counts.clients.entry(self.client.clone()) {
            let calls = of_client.get_mut();
            calls.count = calls.count.saturating_sub(1);
            if let Some(id) = &self.id {
                calls.ids.remove(id);
            }
            if calls.count == 0 {
                of_client.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_for_each_client_and_in_all() {
        let calls = Arc::new(RunningCalls::new(2, 3));
        let session = |id: &str| -> Client { (Arc::from("alice"), Some(Arc::from(id))) };
        let first = calls.start(session("a"), None).unwrap();
        let _second = calls.start(session("a"), None).unwrap();
        let third = calls.start(session("a"), None).unwrap_err();
        assert!(matches!(third, Refusal::TooManyCalls { limit: 2 }));
        let other = calls.start(session("b"), None).unwrap();
        let full = calls.start(session("c"), None).unwrap_err();
        assert!(matches!(full, Refusal::ServerBusy { limit: 3 }));
        drop((first, other));
        let _again = calls.start(session("a"), None).unwrap();
        let counts = calls.lock();
        assert_eq!((counts.in_all, counts.clients.len()), (2, 1));
    }

    #[test]
    fn a_session_has_no_two_calls_with_one_id() {
        let calls = Arc::new(RunningCalls::new(9, 9));
        let session = || -> Client { (Arc::from("alice"), Some(Arc::from("a"))) };
        let id = RequestId::Number(7);
        let first = calls.start(session(), Some(&id)).unwrap();
        let second = calls.start(session(), Some(&id)).unwrap_err();
        assert!(matches!(second, Refusal::SameId { .. }));
        drop(first);
        let _again = calls.start(session(), Some(&id)).unwrap();
        // Requests that stand for themselves may have one id.
        let alone = || -> Client { (Arc::from("alice"), None) };
        let _one = calls.start(alone(), Some(&id)).unwrap();
        let _other = calls.start(alone(), Some(&id)).unwrap();
    }
}
