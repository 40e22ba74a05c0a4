//! The task that wakes calls whose time is up: one in a runtime while calls wait there.

use std::future::Future;
use std::num::NonZeroU8;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tokio::runtime::{Handle, Id};
use tokio::time::{Instant, Sleep, sleep_until};

use super::compact_instant::CompactInstant;
use super::{DeadlineQueue, TimerFault};
use crate::util::panic::discard;

/// Sleeps until the earliest end of a call's time, and ends when no call waits.
struct Sweeper {
    deadlines: Arc<DeadlineQueue>,
    shard: NonZeroU8,
    runtime: Id,
    sleep: Pin<Box<Sleep>>,
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
    let until = until.unwrap_or_else(Instant::now);
    // A runtime without timers panics when one is made.
    match catch_unwind(AssertUnwindSafe(|| Box::pin(sleep_until(until)))) {
        Ok(sleep) => {
            // A runtime that shuts down drops it at once.
            handle.spawn(Sweeper {
                deadlines: Arc::clone(deadlines),
                shard,
                runtime: handle.id(),
                sleep,
                is_done: false,
            });
            Ok(())
        }
        Err(payload) => {
            discard(payload);
            deadlines.lose(shard, handle.id());
            Err(TimerFault::NoTimers)
        }
    }
}

impl DeadlineQueue {
    /// Wakes the calls whose time is up. Gives the earliest end of the others' time; where there are
    /// none, the queue is gone.
    fn sweep(&self, shard: NonZeroU8, runtime: Id, sweeper: &Waker) -> Option<Instant> {
        let mut due = Vec::new();
        let mut runtimes = self.shard(shard).lock();
        let at = runtimes.of_runtime(Some(runtime))?;
        let runtime_queue = &mut runtimes.runtimes[at];
        let now = CompactInstant::of(Instant::now(), self.epoch);
        let next = runtime_queue.waiting.take_due(now, &mut due);
        let next = next.and_then(|next| next.instant(self.epoch));
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
        while let Some(next) = self.deadlines.sweep(self.shard, self.runtime, cx.waker()) {
            if self.sleep.deadline() != next {
                self.sleep.as_mut().reset(next);
            }
            if self.sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
        self.is_done = true;
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
