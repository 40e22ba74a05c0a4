//! The waits of a session's calls for people while they run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::wait::AnsweredRequest;
use crate::id::InvocationId;
use crate::ticket::Wait;
use crate::util::lock::Lock;

/// The waits of the calls of a session, present and past, and the tokens that they have handed on.
/// Other calls leave nothing here.
#[derive(Default)]
pub(crate) struct WaitTracker {
    /// The number of waiting calls and tokens, which is read without a lock.
    count: AtomicUsize,
    call_waits: Lock<HashMap<InvocationId, CallWaits>>,
    /// The tokens that bodies have handed on.
    tokens: Lock<HashMap<InvocationId, CancellationToken>>,
}

/// The waits of a single call.
#[derive(Default)]
struct CallWaits {
    /// The number of waits now; a body may wait for several things at once.
    waits: usize,
    /// Since when there is one.
    since: Option<Instant>,
    /// For how long there was one before.
    waited: Duration,
    /// The part of that time that was added to the timeout.
    made_up_for: Duration,
    /// The rest of the timeout when it fired during a wait.
    left: Duration,
    answered: Vec<AnsweredRequest>,
    /// The requests to make when the body has ended.
    noted: Vec<Wait>,
}

/// The rest of a call's timeout that fired because it counted time that the call waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemainingTime {
    Now(Duration),
    /// The call waits still: see [`WaitTracker::time_goes_on`].
    Later,
}

impl CallWaits {
    fn time(&self) -> Duration {
        self.waited + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl WaitTracker {
    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// Reads the answers that a call got while it waited.
    pub(super) fn read<T>(
        &self,
        call: InvocationId,
        read: impl FnOnce(&[AnsweredRequest]) -> T,
    ) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.call_waits
            .lock()
            .get(&call)
            .map(|waits| read(&waits.answered))
    }

    fn update<T>(&self, call: InvocationId, update: impl FnOnce(&mut CallWaits) -> T) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.call_waits.lock().get_mut(&call).map(update)
    }

    fn write<T>(&self, call: InvocationId, write: impl FnOnce(&mut CallWaits) -> T) -> T {
        let mut call_waits = self.call_waits.lock();
        let before = call_waits.len();
        let written = write(call_waits.entry(call).or_default());
        self.count
            .fetch_add(call_waits.len() - before, Ordering::Relaxed);
        written
    }

    /// A token that is cancelled with `of_call` and by [`WaitTracker::stop`].
    pub(crate) fn token(
        &self,
        call: InvocationId,
        of_call: &CancellationToken,
    ) -> CancellationToken {
        let mut tokens = self.tokens.lock();
        let before = tokens.len();
        let own = tokens.entry(call).or_insert_with(|| of_call.child_token());
        let handed_on = own.child_token();
        self.count
            .fetch_add(tokens.len() - before, Ordering::Relaxed);
        handed_on
    }

    /// The body of a call was stopped, or panicked: what it has handed its token to ends too.
    pub(crate) fn stop(&self, call: InvocationId) {
        if !self.is_empty()
            && let Some(token) = self.take_token(call)
        {
            token.cancel();
        }
    }

    fn take_token(&self, call: InvocationId) -> Option<CancellationToken> {
        let token = self.tokens.lock().remove(&call);
        if token.is_some() {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        token
    }

    /// The call waits for people until the guard is dropped: its time stands still.
    pub(crate) fn begin(&self, call: InvocationId) -> Waiting<'_> {
        self.write(call, |waits| {
            waits.waits += 1;
            waits.since.get_or_insert_with(Instant::now);
        });
        Waiting {
            wait_tracker: self,
            call,
        }
    }

    /// Notes what to ask when the body has ended.
    pub(crate) fn note(&self, call: InvocationId, wait: Wait) {
        self.write(call, |waits| waits.noted.push(wait));
    }

    /// Keeps answers that came while the body waited.
    pub(crate) fn keep(
        &self,
        call: InvocationId,
        answered: impl IntoIterator<Item = AnsweredRequest>,
    ) {
        self.write(call, |waits| waits.answered.extend(answered));
    }

    /// The timeout of a call has fired. Nothing is left of it, unless it counted time that the call
    /// waited.
    pub(crate) fn time_is_up(&self, call: InvocationId) -> Option<RemainingTime> {
        self.update(call, |waits| {
            let time = waits.time();
            let left = time.saturating_sub(waits.made_up_for);
            if left.is_zero() {
                return None;
            }
            if waits.waits > 0 {
                waits.left = left;
                return Some(RemainingTime::Later);
            }
            waits.made_up_for = time;
            Some(RemainingTime::Now(left))
        })?
    }

    /// The rest of a timeout that fired during a wait, once that wait is over.
    pub(crate) fn time_goes_on(&self, call: InvocationId) -> Option<Duration> {
        self.update(call, |waits| {
            if waits.waits > 0 {
                return None;
            }
            waits.made_up_for = waits.time();
            Some(waits.left)
        })
        // A call without an entry has ended, and has no time left.
        .unwrap_or(Some(Duration::ZERO))
    }

    /// Returns true if a call, whose body has ended, has waited or is to wait.
    #[inline]
    pub(crate) fn has(&self, call: InvocationId) -> bool {
        !self.is_empty() && self.has_paper(call)
    }

    #[cold]
    fn has_paper(&self, call: InvocationId) -> bool {
        // The body has ended, so that nobody cancels by its token any more.
        self.take_token(call);
        self.call_waits.lock().contains_key(&call)
    }

    /// The noted waits of a call, the first first, and the answers to it.
    #[inline]
    pub(crate) fn take(&self, call: InvocationId) -> (Vec<Wait>, Vec<AnsweredRequest>) {
        if self.is_empty() {
            return Default::default();
        }
        self.clear(call)
            .map_or_else(Default::default, |waits| (waits.noted, waits.answered))
    }

    /// The call has ended.
    #[inline]
    pub(crate) fn leave(&self, call: InvocationId) {
        if !self.is_empty() {
            self.clear(call);
        }
    }

    #[cold]
    fn clear(&self, call: InvocationId) -> Option<CallWaits> {
        self.take_token(call);
        let waits = self.call_waits.lock().remove(&call);
        if waits.is_some() {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        waits
    }
}

/// A wait that is going on.
pub(crate) struct Waiting<'d> {
    wait_tracker: &'d WaitTracker,
    call: InvocationId,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // The call may have ended, and its entry with it, before its wait.
        if let Some(waits) = self.wait_tracker.call_waits.lock().get_mut(&self.call) {
            waits.waits = waits.waits.saturating_sub(1);
            if waits.waits == 0
                && let Some(since) = waits.since.take()
            {
                waits.waited += since.elapsed();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ticket::{ResumeMode, WaitKind};

    const SECOND: Duration = Duration::from_secs(1);

    fn call(number: u64) -> InvocationId {
        InvocationId::from_parts(1, number)
    }

    fn wait() -> Wait {
        Wait {
            kind: WaitKind::Question,
            requests: Vec::new(),
            resume: ResumeMode::RunAgain,
            begun: true,
        }
    }

    #[test]
    fn what_a_call_leaves_is_gone_when_it_has_ended() {
        let wait_tracker = WaitTracker::default();
        assert!(!wait_tracker.has(call(1)));
        wait_tracker.note(call(1), wait());
        wait_tracker.note(call(1), wait());
        wait_tracker.note(call(2), wait());
        assert!(
            wait_tracker.has(call(1)) && wait_tracker.has(call(2)) && !wait_tracker.has(call(3))
        );
        assert_eq!(wait_tracker.take(call(1)).0.len(), 2);
        assert!(!wait_tracker.has(call(1)));
        // A wait that outlives its call brings nothing back.
        drop(wait_tracker.begin(call(3)));
        let late = wait_tracker.begin(call(4));
        wait_tracker.leave(call(4));
        drop(late);
        assert!(!wait_tracker.has(call(4)));
        wait_tracker.leave(call(3));
        wait_tracker.leave(call(2));
        assert!(wait_tracker.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn only_time_without_a_wait_counts() {
        let wait_tracker = WaitTracker::default();
        assert_eq!(wait_tracker.time_is_up(call(1)), None);
        let first = wait_tracker.begin(call(1));
        tokio::time::advance(SECOND).await;
        let second = wait_tracker.begin(call(1));
        tokio::time::advance(SECOND).await;
        drop(first);
        // The first of two waits is over, and the time still stands still.
        assert_eq!(wait_tracker.time_is_up(call(1)), Some(RemainingTime::Later));
        assert_eq!(wait_tracker.time_goes_on(call(1)), None);
        tokio::time::advance(SECOND).await;
        drop(second);
        assert_eq!(wait_tracker.time_goes_on(call(1)), Some(2 * SECOND));
        // Time that was added to the timeout is not added again.
        tokio::time::advance(2 * SECOND).await;
        assert_eq!(wait_tracker.time_is_up(call(1)), None);
        drop(wait_tracker.begin(call(1)));
        let third = wait_tracker.begin(call(1));
        tokio::time::advance(SECOND).await;
        drop(third);
        assert_eq!(
            wait_tracker.time_is_up(call(1)),
            Some(RemainingTime::Now(SECOND))
        );
        assert_eq!(wait_tracker.time_is_up(call(1)), None);
    }
}
