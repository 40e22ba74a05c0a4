//! The task that wakes calls whose time is up: one in a runtime while calls wait there.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use tokio::runtime::{Handle, Id};
use tokio::time::{Instant, Sleep, sleep_until};

use super::Alarms;
use crate::panic::discard;

/// Sleeps until the earliest end of a call's time, and ends when no call waits.
struct Sweeper {
    alarms: Arc<Alarms>,
    runtime: Id,
    sleep: Pin<Box<Sleep>>,
    /// There is no lane any more, or it is another's.
    is_done: bool,
}

/// Begins to sweep the lane of a runtime. Where that cannot be done, the lane is gone.
pub(super) fn begin(alarms: &Arc<Alarms>, handle: &Handle, until: Option<Instant>) {
    let until = until.unwrap_or_else(Instant::now);
    // A runtime without timers panics when one is made.
    match catch_unwind(AssertUnwindSafe(|| Box::pin(sleep_until(until)))) {
        Ok(sleep) => {
            // A runtime that shuts down drops it at once.
            handle.spawn(Sweeper {
                alarms: Arc::clone(alarms),
                runtime: handle.id(),
                sleep,
                is_done: false,
            });
        }
        Err(payload) => {
            discard(payload);
            alarms.lose(handle.id());
        }
    }
}

impl Alarms {
    /// Wakes the calls whose time is up. Gives the earliest end of the others' time; where there are
    /// none, the lane is gone.
    fn sweep(&self, runtime: Id, sweeper: &Waker) -> Option<Instant> {
        let mut due = Vec::new();
        let mut queue = self.queue();
        let at = queue
            .lanes
            .iter()
            .position(|lane| lane.runtime == Some(runtime))?;
        let lane = &mut queue.lanes[at];
        let next = lane.waiting.take_due(Instant::now(), &mut due);
        match (next, &mut lane.sweeper) {
            (None, _) => {
                queue.lanes.swap_remove(at);
            }
            (Some(next), Some((waker, until))) => {
                waker.clone_from(sweeper);
                *until = next;
            }
            (Some(next), unknown) => *unknown = Some((sweeper.clone(), next)),
        }
        drop(queue);
        due.into_iter().for_each(Waker::wake);
        next
    }

    /// Nobody sweeps a lane any more: its calls look for another.
    #[cold]
    fn lose(&self, runtime: Id) {
        let mut queue = self.queue();
        let lanes = &mut queue.lanes;
        let Some(at) = lanes.iter().position(|lane| lane.runtime == Some(runtime)) else {
            return;
        };
        let lane = lanes.swap_remove(at);
        self.lost.fetch_add(1, Ordering::Relaxed);
        drop(queue);
        lane.waiting.into_wakers().for_each(Waker::wake);
    }
}

impl Future for Sweeper {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(next) = self.alarms.sweep(self.runtime, cx.waker()) {
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
            self.alarms.lose(self.runtime);
        }
    }
}
