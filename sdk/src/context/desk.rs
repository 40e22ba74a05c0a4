//! The waits of a session's calls for people while they run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::wait::{Answered, Wait};
use crate::id::InvocationId;

/// The waits of the calls of a session, present and past, and the tokens that they have handed on.
/// Other calls leave nothing here.
#[derive(Default)]
pub(crate) struct Desk {
    /// The number of papers and tokens, which is read without a lock.
    count: AtomicUsize,
    papers: Mutex<HashMap<InvocationId, Paper>>,
    /// The tokens that bodies have handed on.
    tokens: Mutex<HashMap<InvocationId, CancellationToken>>,
}

/// The waits of a single call.
#[derive(Default)]
struct Paper {
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
    answered: Vec<Answered>,
    /// The requests to make when the body has ended.
    noted: Vec<Wait>,
}

/// The rest of a call's timeout that fired because it counted time that the call waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Now(Duration),
    /// The call waits still: see [`Desk::time_goes_on`].
    Later,
}

impl Paper {
    fn time(&self) -> Duration {
        self.waited + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Desk {
    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    fn papers(&self) -> MutexGuard<'_, HashMap<InvocationId, Paper>> {
        // Nothing that may panic happens under the lock.
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the answers that a call got while it waited.
    pub(super) fn read<T>(
        &self,
        call: InvocationId,
        read: impl FnOnce(&[Answered]) -> T,
    ) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.papers().get(&call).map(|paper| read(&paper.answered))
    }

    fn update<T>(&self, call: InvocationId, update: impl FnOnce(&mut Paper) -> T) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.papers().get_mut(&call).map(update)
    }

    fn write<T>(&self, call: InvocationId, write: impl FnOnce(&mut Paper) -> T) -> T {
        let mut papers = self.papers();
        let before = papers.len();
        let written = write(papers.entry(call).or_default());
        self.count
            .fetch_add(papers.len() - before, Ordering::Relaxed);
        written
    }

    /// A token that is cancelled with `of_call` and by [`Desk::stop`].
    pub(crate) fn token(
        &self,
        call: InvocationId,
        of_call: &CancellationToken,
    ) -> CancellationToken {
        let mut tokens = self.tokens();
        let before = tokens.len();
        let own = tokens.entry(call).or_insert_with(|| of_call.child_token());
        let handed_on = own.child_token();
        self.count
            .fetch_add(tokens.len() - before, Ordering::Relaxed);
        handed_on
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<InvocationId, CancellationToken>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
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
        let token = self.tokens().remove(&call);
        if token.is_some() {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        token
    }

    /// The call waits for people until the guard is dropped: its time stands still.
    pub(crate) fn begin(&self, call: InvocationId) -> Waiting<'_> {
        self.write(call, |paper| {
            paper.waits += 1;
            paper.since.get_or_insert_with(Instant::now);
        });
        Waiting { desk: self, call }
    }

    /// Notes what to ask when the body has ended.
    pub(crate) fn note(&self, call: InvocationId, wait: Wait) {
        self.write(call, |paper| paper.noted.push(wait));
    }

    /// Keeps answers that came while the body waited.
    pub(crate) fn keep(&self, call: InvocationId, answered: impl IntoIterator<Item = Answered>) {
        self.write(call, |paper| paper.answered.extend(answered));
    }

    /// The timeout of a call has fired. Nothing is left of it, unless it counted time that the call
    /// waited.
    pub(crate) fn time_is_up(&self, call: InvocationId) -> Option<Left> {
        self.update(call, |paper| {
            let time = paper.time();
            let left = time.saturating_sub(paper.made_up_for);
            if left.is_zero() {
                return None;
            }
            if paper.waits > 0 {
                paper.left = left;
                return Some(Left::Later);
            }
            paper.made_up_for = time;
            Some(Left::Now(left))
        })?
    }

    /// The rest of a timeout that fired during a wait, once that wait is over.
    pub(crate) fn time_goes_on(&self, call: InvocationId) -> Option<Duration> {
        self.update(call, |paper| {
            if paper.waits > 0 {
                return None;
            }
            paper.made_up_for = paper.time();
            Some(paper.left)
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
        self.papers().contains_key(&call)
    }

    /// The noted waits of a call, the first first, and the answers to it.
    #[inline]
    pub(crate) fn take(&self, call: InvocationId) -> (Vec<Wait>, Vec<Answered>) {
        if self.is_empty() {
            return Default::default();
        }
        self.clear(call)
            .map_or_else(Default::default, |paper| (paper.noted, paper.answered))
    }

    /// The call has ended.
    #[inline]
    pub(crate) fn leave(&self, call: InvocationId) {
        if !self.is_empty() {
            self.clear(call);
        }
    }

    #[cold]
    fn clear(&self, call: InvocationId) -> Option<Paper> {
        self.take_token(call);
        let paper = self.papers().remove(&call);
        if paper.is_some() {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        paper
    }
}

/// A wait that is going on.
pub(crate) struct Waiting<'d> {
    desk: &'d Desk,
    call: InvocationId,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // The call may have ended, and its entry with it, before its wait.
        if let Some(paper) = self.desk.papers().get_mut(&self.call) {
            paper.waits = paper.waits.saturating_sub(1);
            if paper.waits == 0
                && let Some(since) = paper.since.take()
            {
                paper.waited += since.elapsed();
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
        }
    }

    #[test]
    fn what_a_call_leaves_is_gone_when_it_has_ended() {
        let desk = Desk::default();
        assert!(!desk.has(call(1)));
        desk.note(call(1), wait());
        desk.note(call(1), wait());
        desk.note(call(2), wait());
        assert!(desk.has(call(1)) && desk.has(call(2)) && !desk.has(call(3)));
        assert_eq!(desk.take(call(1)).0.len(), 2);
        assert!(!desk.has(call(1)));
        // A wait that outlives its call brings nothing back.
        drop(desk.begin(call(3)));
        let late = desk.begin(call(4));
        desk.leave(call(4));
        drop(late);
        assert!(!desk.has(call(4)));
        desk.leave(call(3));
        desk.leave(call(2));
        assert!(desk.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn only_time_without_a_wait_counts() {
        let desk = Desk::default();
        assert_eq!(desk.time_is_up(call(1)), None);
        let first = desk.begin(call(1));
        tokio::time::advance(SECOND).await;
        let second = desk.begin(call(1));
        tokio::time::advance(SECOND).await;
        drop(first);
        // The first of two waits is over, and the time still stands still.
        assert_eq!(desk.time_is_up(call(1)), Some(Left::Later));
        assert_eq!(desk.time_goes_on(call(1)), None);
        tokio::time::advance(SECOND).await;
        drop(second);
        assert_eq!(desk.time_goes_on(call(1)), Some(2 * SECOND));
        // Time that was added to the timeout is not added again.
        tokio::time::advance(2 * SECOND).await;
        assert_eq!(desk.time_is_up(call(1)), None);
        drop(desk.begin(call(1)));
        let third = desk.begin(call(1));
        tokio::time::advance(SECOND).await;
        drop(third);
        assert_eq!(desk.time_is_up(call(1)), Some(Left::Now(SECOND)));
        assert_eq!(desk.time_is_up(call(1)), None);
    }
}
