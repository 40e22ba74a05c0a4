//! The task that wakes calls whose time is up: one in a runtime while calls wait there.

use std::future::Future;
use std::num::NonZeroU8;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::runtime::{Handle, Id};
use tokio::time::{Instant, Sleep, sleep_until};

use super::compact_instant::CompactInstant;
use super::{DeadlineQueue, TimerFault};
use crate::util::panic::discard;

/// The time for which a sweeper stays when no call waits. To wake it at once costs a thread's wake for each call that
/// waits alone, and so does the next one.
const LINGER: Duration = Duration::from_millis(100);

/// The longest that a sweeper sleeps, so that it sees that no call waits.
const LOOKS: Duration = Duration::from_secs(1);

/// Sleeps until the earliest end of a call's time, and ends when no call has waited for a while.
struct Sweeper {
    deadlines: Arc<DeadlineQueue>,
    shard: NonZeroU8,
    runtime: Id,
    sleep: TimerSleep,
    /// The time at which it is to end, if no call waits.
    ends: Option<Instant>,
    /// There is no queue any more, or it is another's.
    is_done: bool,
}

/// Begins to sweep the queue of a runtime. Where that cannot be done, the queue is gone.
pub(super) fn begin(
    deadlines: &Arc<DeadlineQueue>,
    shard: NonZeroU8,
    handle: &Handle,
    until: Option<Instant>,
) -> Result<(), TimerFault> {
    match sleep(until.unwrap_or_else(Instant::now)) {
        Ok(sleep) => {
            // A runtime that shuts down drops it at once.
            handle.spawn(Sweeper {
                deadlines: Arc::clone(deadlines),
                shard,
                runtime: handle.id(),
                sleep,
                ends: None,
                is_done: false,
            });
            Ok(())
        }
        Err(fault) => {
            deadlines.lose(shard, handle.id());
            Err(fault)
        }
    }
}

/// A sleep in its place.
pub(in crate::schedule) type TimerSleep = Pin<Box<Sleep>>;

/// Makes a sleep, in the runtime around. A runtime without timers panics then.
pub(in crate::schedule) fn sleep(until: Instant) -> Result<TimerSleep, TimerFault> {
    catch_unwind(AssertUnwindSafe(|| Box::pin(sleep_until(until)))).map_err(|payload| {
        discard(payload);
        TimerFault::NoTimers
    })
}

impl DeadlineQueue {
    /// Wakes the calls whose time is up. Gives the time of the next sweep; where none is needed, the queue is gone.
    fn sweep(
        &self,
        (shard, runtime): (NonZeroU8, Id),
        ends: &mut Option<Instant>,
        sweeper: &Waker,
    ) -> Option<Instant> {
        let mut due = Vec::new();
        let mut runtimes = self.shard(shard).lock();
        let at = runtimes.of_runtime(Some(runtime))?;
        let runtime_queue = &mut runtimes.runtimes[at];
        let now = Instant::now();
        let moment = CompactInstant::of(now, self.epoch);
        let next = runtime_queue.waiting.take_due(moment, &mut due);
        let next = match next.and_then(|next| next.instant(self.epoch)) {
            Some(next) => {
                *ends = None;
                Some(next.min(now + LOOKS))
            }
            None => Some(*ends.get_or_insert(now + LINGER)).filter(|ends| *ends > now),
        };
        match (next, &mut runtime_queue.sweeper) {
            (None, _) => {
                runtimes.runtimes.swap_remove(at);
            }
            (Some(next), Some((waker, until))) => {
                waker.clone_from(sweeper);
                *until = next;
            }
            (Some(next), unknown) => *unknown = Some((sweeper.clone(), next)),
        }
        drop(runtimes);
        due.into_iter().for_each(Waker::wake);
        next
    }

    /// Nobody sweeps a queue any more: its calls look for another.
    #[cold]
    fn lose(&self, shard: NonZeroU8, runtime: Id) {
        let mut runtimes = self.shard(shard).lock();
        let Some(at) = runtimes.of_runtime(Some(runtime)) else {
            return;
        };
        let runtime_queue = runtimes.runtimes.swap_remove(at);
        drop(runtimes);
        runtime_queue.waiting.into_wakers().for_each(Waker::wake);
    }
}

impl Future for Sweeper {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let queue = (this.shard, this.runtime);
        while let Some(next) = this.deadlines.sweep(queue, &mut this.ends, cx.waker()) {
            if this.sleep.deadline() != next {
                this.sleep.as_mut().reset(next);
            }
            if this.sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
        this.is_done = true;
        Poll::Ready(())
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        if !self.is_done {
            self.deadlines.lose(self.shard, self.runtime);
        }
    }
}
