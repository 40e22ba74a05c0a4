//! The ends of the members of a batch, on their way from the tasks that run them to the batch.

use std::mem;
use std::task::{Context, Poll, Waker};

use crate::outcome::ToolOutcome;
use crate::util::lock::Lock;

/// The number of a call, with its outcome unless its task was stopped.
pub(crate) type EndedMember = (usize, Option<ToolOutcome>);

/// The members that have ended in their tasks, for the batch.
pub(crate) struct EndedMembers {
    reports: Lock<Reports>,
    tells_each: bool,
}

#[derive(Default)]
struct Reports {
    ended: Vec<EndedMember>,
    /// The number of those that were not reported.
    running: usize,
    waker: Option<Waker>,
}

impl EndedMembers {
    pub(crate) fn new(tells_each: bool) -> Self {
        Self {
            reports: Lock::default(),
            tells_each,
        }
    }

    /// Returns true if the batch is told of each end as soon as it comes, and not of all together.
    pub(crate) fn tells_each(&self) -> bool {
        self.tells_each
    }

    pub(crate) fn begin(&self, count: usize) {
        self.reports.lock().running += count;
    }

    /// Reports the ends of members.
    pub(crate) fn report(&self, ended: impl ExactSizeIterator<Item = EndedMember>) {
        if ended.len() == 0 {
            return;
        }
        let mut reports = self.reports.lock();
        reports.running -= ended.len();
        reports.ended.extend(ended);
        let is_awaited = self.tells_each || reports.running == 0;
        let waker = reports.waker.take_if(|_| is_awaited);
        drop(reports);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Takes those that have ended. Ready when none runs any more.
    pub(crate) fn poll_take(&self, ended: &mut Vec<EndedMember>, cx: &mut Context<'_>) -> Poll<()> {
        let mut reports = self.reports.lock();
        if ended.is_empty() {
            // Outcomes are large to move.
            mem::swap(ended, &mut reports.ended);
        } else {
            ended.append(&mut reports.ended);
        }
        if reports.running == 0 {
            return Poll::Ready(());
        }
        match &mut reports.waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}
