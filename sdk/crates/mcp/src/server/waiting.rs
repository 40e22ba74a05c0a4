//! The sessions of requests whose calls wait for the requests that bring the answers.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use toolwright::Executor;

/// Sessions that nobody holds, each with the time at which its ticket expires.
#[derive(Default)]
pub(super) struct WaitingSessions(Mutex<BTreeSet<(SystemTime, String)>>);

impl WaitingSessions {
    fn locked(&self) -> MutexGuard<'_, BTreeSet<(SystemTime, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a session whose ticket is open until then.
    pub(super) fn add(&self, session: &str, until: SystemTime) {
        self.locked().insert((until, session.to_owned()));
    }

    /// Takes out a session that goes on.
    pub(super) fn take(&self, session: &str) {
        self.locked().retain(|(_, waiting)| waiting != session);
    }

    /// Takes out the sessions whose clients have not come back in time.
    fn expired(&self, now: SystemTime) -> Vec<String> {
        let mut waiting = self.locked();
        let later = waiting.split_off(&(now, String::new()));
        let expired = std::mem::replace(&mut *waiting, later);
        expired.into_iter().map(|(_, session)| session).collect()
    }

    /// Ends the sessions whose clients have not come back in time.
    pub(super) fn end_expired(&self, executor: &Executor) {
        for session in self.expired(SystemTime::now()) {
            let session = executor.session(session);
            tokio::spawn(async move {
                if let Err(error) = session.end().await {
                    tracing::warn!(%error, "the session of an MCP request did not end well");
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn sessions_expire_in_their_order() {
        let waiting = WaitingSessions::default();
        let now = SystemTime::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        waiting.add("late", after(20));
        waiting.add("early", after(5));
        waiting.add("taken", after(1));
        waiting.take("taken");
        assert!(waiting.expired(now).is_empty());
        assert_eq!(waiting.expired(after(10)), ["early"]);
        assert_eq!(waiting.expired(after(30)), ["late"]);
        assert!(waiting.expired(after(30)).is_empty());
    }
}
