//! The events that wake a waiting call: the end of its time, and a cancellation. The queues belong to a whole
//! executor, so that a call in flight holds neither a timer nor a place in the list of a token.

mod compact_instant;
mod shard;
mod sweeper;
mod waiting;

#[cfg(test)]
mod tests;

use std::mem;
use std::num::{NonZeroU8, NonZeroU32};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::Waker;
use std::time::Duration;

use compact_instant::CompactInstant;
use shard::{QueueShard, SHARDS, here};
pub(super) use sweeper::{TimerSleep, sleep};
use tokio::runtime::Handle;
use tokio::time::Instant;
use waiting::{WaitKey, WaitingCall};

/// The calls of an executor that wait.
#[derive(Debug)]
pub(crate) struct DeadlineQueue {
    /// A call lines up by the thread that it first waits on: at one queue, threads would wait for each
    /// other.
    shards: [QueueShard; SHARDS],
    /// The instant that moments are counted from.
    epoch: Instant,
    wake_groups: AtomicU32,
    /// The time that a body may go on after it was told to end.
    grace: Duration,
    late: AtomicU64,
    dropped: AtomicU64,
}

/// A waiting call's hold on a queue, to be [given back](DeadlineQueue::remove). Small, because each call that
/// waits has one.
#[derive(Debug)]
pub(crate) struct Deadline {
    /// Has the end of the call's time.
    key: WaitKey,
    runtime_queue: NonZeroU32,
    /// Counted from one.
    shard: NonZeroU8,
    /// The stage of the body that waits: here is room for it, and beside it there would be none.
    pub(crate) stage: BodyStage,
}

/// The stages of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum BodyStage {
    /// It was not polled yet.
    #[default]
    New,
    Running,
    /// The timeout fired while the body waited for people, and some of it is left.
    Still,
    /// The call was cancelled, and the body may put things in order.
    Grace,
}

/// The reason why nothing here can wake a call in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimerFault {
    /// There is no runtime, or one without timers.
    NoTimers,
    /// The runtime is shutting down.
    ShuttingDown,
}

impl DeadlineQueue {
    /// With the time that a body may go on after it was told to end.
    pub(crate) fn new(grace: Duration) -> Self {
        Self {
            shards: Default::default(),
            epoch: Instant::now(),
            wake_groups: AtomicU32::new(0),
            grace,
            late: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    pub(crate) fn grace(&self) -> Duration {
        self.grace
    }

    /// Counts a result that came after its call had ended, and was dropped.
    #[cold]
    pub(crate) fn note_late(&self) {
        self.late.fetch_add(1, Ordering::Relaxed);
    }

    /// A body was dropped on its way.
    #[cold]
    pub(crate) fn note_dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// The numbers of late results and of dropped bodies.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (of(&self.late), of(&self.dropped))
    }

    /// Calls of one wake group are woken together when something in it is cancelled. Two sessions may
    /// come to be of one: a call that is woken looks whether it is meant.
    pub(crate) fn new_wake_group(&self) -> u32 {
        self.wake_groups.fetch_add(1, Ordering::Relaxed)
    }

    fn shard(&self, number: NonZeroU8) -> &QueueShard {
        &self.shards[usize::from(number.get() - 1)]
    }

    /// Has a call woken when its time is up, if that is limited, or when something in its wake group is cancelled. The
    /// caller checks for a cancellation once more: it may have come before.
    pub(crate) fn add(
        self: &Arc<Self>,
        wake_group: u32,
        until: Option<Instant>,
        waker: &Waker,
    ) -> Result<Deadline, TimerFault> {
        let moment = until.map_or(CompactInstant::NEVER, |until| {
            CompactInstant::of(until, self.epoch)
        });
        let until = until.filter(|_| moment != CompactInstant::NEVER);
        let handle = match until {
            Some(_) => Some(Handle::try_current().map_err(|_| TimerFault::NoTimers)?),
            None => None,
        };
        let runtime = handle.as_ref().map(Handle::id);
        let call = WaitingCall {
            waker: waker.clone(),
            wake_group,
        };
        let shard = NonZeroU8::MIN.saturating_add(here());
        let mut runtimes = self.shard(shard).lock();
        let runtime_queue = runtimes.runtime_queue(runtime);
        let deadline = Deadline {
            key: runtime_queue.waiting.insert(moment, call),
            runtime_queue: runtime_queue.number,
            shard,
            stage: BodyStage::default(),
        };
        let sleeping = runtime_queue.sweeper.as_ref();
        let too_long = sleeping.filter(|(_, at)| until.is_some_and(|until| until < *at));
        let too_long = too_long.map(|(sweeper, _)| sweeper.clone());
        let is_swept = handle.is_none() || mem::replace(&mut runtime_queue.is_swept, true);
        // The handle is given back later: other threads count with it too.
        drop(runtimes);
        if let Some(sweeper) = too_long {
            sweeper.wake();
        }
        match handle {
            Some(handle) if !is_swept => self.begin_sweeping(deadline, &handle),
            _ => Ok(deadline),
        }
    }

    #[cold]
    fn begin_sweeping(
        self: &Arc<Self>,
        deadline: Deadline,
        handle: &Handle,
    ) -> Result<Deadline, TimerFault> {
        sweeper::begin(self, deadline.shard, handle, self.until(&deadline))?;
        // Without a sweeper, nothing would wake the call. A runtime that is shutting down has dropped it at once.
        let mut runtimes = self.shard(deadline.shard).lock();
        match runtimes.waiting(deadline.runtime_queue, deadline.key) {
            Some(_) => Ok(deadline),
            None => Err(TimerFault::ShuttingDown),
        }
    }

    /// A call that still waits is polled once more. Tells whether its deadline holds: if not, its time is
    /// [up](Self::is_due), or the runtime that would have woken it is gone, or the call has moved to
    /// another.
    pub(crate) fn go_on(&self, deadline: &Deadline, waker: &Waker) -> bool {
        let current = match deadline.key.until() {
            CompactInstant::NEVER => None,
            _ => Handle::try_current().ok().map(|current| current.id()),
        };
        let mut runtimes = self.shard(deadline.shard).lock();
        let Some((runtime, waiting)) = runtimes.waiting(deadline.runtime_queue, deadline.key)
        else {
            return false;
        };
        let moved = current.is_some() && current != runtime;
        if !moved {
            waiting.waker.clone_from(waker);
        }
        !moved
    }

    /// The end of a call's time, if it has one.
    pub(crate) fn until(&self, deadline: &Deadline) -> Option<Instant> {
        deadline.key.until().instant(self.epoch)
    }

    /// Returns true if the time of a call is up.
    pub(crate) fn is_due(&self, deadline: &Deadline) -> bool {
        self.until(deadline)
            .is_some_and(|until| until <= Instant::now())
    }

    /// The call does not wait any more.
    pub(crate) fn remove(&self, deadline: &Deadline) {
        let mut runtimes = self.shard(deadline.shard).lock();
        let Some(at) = runtimes.numbered(deadline.runtime_queue) else {
            return;
        };
        let runtime_queue = &mut runtimes.runtimes[at];
        let gone = runtime_queue.waiting.remove(deadline.key);
        // A sweeper finds the queue empty later: most calls come soon after others.
        if runtime_queue.runtime.is_none() && runtime_queue.waiting.is_empty() {
            runtimes.runtimes.swap_remove(at);
        }
        drop(runtimes);
        drop(gone);
    }

    /// Wakes what waits in a wake group, to look whether it was cancelled.
    pub(crate) fn wake(&self, wake_group: u32) {
        for shard in &self.shards {
            let runtimes = shard.lock();
            let waiting = runtimes
                .runtimes
                .iter()
                .flat_map(|runtime_queue| runtime_queue.waiting.iter());
            let of_group = waiting.filter(|waiting| waiting.wake_group == wake_group);
            let wakers: Vec<Waker> = of_group.map(|waiting| waiting.waker.clone()).collect();
            drop(runtimes);
            wakers.into_iter().for_each(Waker::wake);
        }
    }
}
