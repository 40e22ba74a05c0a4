//! The task that wakes calls whose time is up: one in a runtime while calls wait there.

use std::future::Future;
use std::num::NonZeroU8;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tokio::runtime::{Handle, Id};
use tokio::time::{Instant, Sleep, sleep_until};

use super::Alarms;
use super::moment::Moment;
use crate::util::panic::discard;

/// Sleeps until the earliest end of a call's time, and ends when no call waits.
struct Sweeper {
    alarms: Arc<Alarms>,
    queue: NonZeroU8,
    runtime: Id,
    sleep: Pin<Box<Sleep>>,
    /// There is no lane any more, or it is another's.
    is_done: bool,
}

/// Begins to sweep the lane of a runtime. Where that cannot be done, the lane is gone.
pub(super) fn begin(
    alarms: &Arc<Alarms>,
    queue: NonZeroU8,
    handle: &Handle,
    until: Option<Instant>,
) {
    let until = until.unwrap_or_else(Instant::now);
    // A runtime without timers panics when one is made.
    match catch_unwind(AssertUnwindSafe(|| Box::pin(sleep_until(until)))) {
        Ok(sleep) => {
            // A runtime that shuts down drops it at once.
            handle.spawn(Sweeper {
                alarms: Arc::clone(alarms),
                queue,
                runtime: handle.id(),
                sleep,
                is_done: false,
            });
        }
        Err(payload) => {
            discard(payload);
            alarms.lose(queue, handle.id());
        }
    }
}

impl Alarms {
    /// Wakes the calls whose time is up. Gives the earliest end of the others' time; where there are
    /// none, the lane is gone.
    fn sweep(&self, queue: NonZeroU8, runtime: Id, sweeper: &Waker) -> Option<Instant> {
        let mut due = Vec::new();
        let mut lanes = self.queue(queue).lock();
        let at = lanes.of_runtime(Some(runtime))?;
        let lane = &mut lanes.lanes[at];
        let now = Moment::of(Instant::now(), self.epoch);
        let next = lane.waiting.take_due(now, &mut due);
        let next = next.and_then(|next| next.instant(self.epoch));
        match (next, &mut lane.sweeper) {
            (None, _) => {
                lanes.lanes.swap_remove(at);
            }
            (Some(next), Some((waker, until))) => {
                waker.clone_from(sweeper);
                *until = next;
            }
            (Some(next), unknown) => *unknown = Some((sweeper.clone(), next)),
        }
        drop(lanes);
        due.into_iter().for_each(Waker::wake);
        next
    }

    /// Nobody sweeps a lane any more: its calls look for another.
    #[cold]
    fn lose(&self, queue: NonZeroU8, runtime: Id) {
        let mut lanes = self.queue(queue).lock();
        let Some(at) = lanes.of_runtime(Some(runtime)) else {
            return;
        };
        let lane = lanes.lanes.swap_remove(at);
        drop(lanes);
        lane.waiting.into_wakers().for_each(Waker::wake);
    }
}

impl Future for Sweeper {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(next) = self.alarms.sweep(self.queue, self.runtime, cx.waker()) {
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
            self.alarms.lose(self.queue, self.runtime);
        }
    }
}
