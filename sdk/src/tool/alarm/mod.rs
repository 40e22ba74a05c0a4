//! What wakes a call that waits: the end of its time, and a cancellation. One queue for an executor, so
//! that a call in flight holds neither a timer nor a place in the list of a token.

mod line;
mod sweeper;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use line::{Line, Seat};
use tokio::runtime::{Handle, Id};
use tokio::time::Instant;

/// The calls of an executor that wait.
#[derive(Debug)]
pub(crate) struct Alarms {
    queue: Mutex<Queue>,
    /// How often a runtime has gone while calls waited in it.
    lost: AtomicU64,
    families: AtomicU32,
    /// How long a body may go on after it was told to end.
    grace: Duration,
    late: AtomicU64,
    dropped: AtomicU64,
}

#[derive(Debug, Default)]
struct Queue {
    number: u32,
    /// One for each runtime that keeps time for calls, and one for calls that have all the time they
    /// like. Clocks differ between runtimes, and one that stands still must not hold up another's
    /// calls.
    lanes: Vec<Lane>,
}

#[derive(Debug)]
struct Lane {
    runtime: Option<Id>,
    waiting: Line,
    /// There is a sweeper, or about to be one.
    is_swept: bool,
    /// The sweeper's, and what it sleeps until.
    sweeper: Option<(Waker, Instant)>,
}

/// A waiting call's hold on the queue, to be [given back](Alarms::disarm).
#[derive(Debug)]
pub(crate) struct Alarm {
    runtime: Option<Id>,
    /// The end of the call's time, if it has one.
    until: Option<Instant>,
    seat: Seat,
    waker: Waker,
    lost: u64,
}

impl Alarm {
    /// Whether the time is up.
    pub(crate) fn is_due(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }
}

/// Nothing here can wake a call in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoTimers;

impl Alarms {
    /// With how long a body may go on after it was told to end.
    pub(crate) fn new(grace: Duration) -> Self {
        Self {
            queue: Mutex::default(),
            lost: AtomicU64::new(0),
            families: AtomicU32::new(0),
            grace,
            late: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    pub(crate) fn grace(&self) -> Duration {
        self.grace
    }

    /// What a body gave that nobody waited for any more was thrown away.
    #[cold]
    pub(crate) fn note_late(&self) {
        self.late.fetch_add(1, Ordering::Relaxed);
    }

    /// A body was dropped on its way.
    #[cold]
    pub(crate) fn note_dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// How many results came late, and how many bodies were dropped.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (of(&self.late), of(&self.dropped))
    }

    /// Calls of one family are woken together when something in it is cancelled. Two sessions may
    /// come to be of one: a call that is woken looks whether it is meant.
    pub(super) fn new_family(&self) -> u32 {
        self.families.fetch_add(1, Ordering::Relaxed)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing that may panic happens under the lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a call woken when its time is up, if that is limited, or when its family is told of a
    /// cancellation. Whoever arms looks for a cancellation once more: it may have come before.
    pub(crate) fn arm(
        self: &Arc<Self>,
        family: u32,
        until: Option<Instant>,
        waker: &Waker,
    ) -> Result<Alarm, NoTimers> {
        let handle = match until {
            Some(_) => Some(Handle::try_current().map_err(|_| NoTimers)?),
            None => None,
        };
        let runtime = handle.as_ref().map(Handle::id);
        let (ours, theirs) = (waker.clone(), waker.clone());
        let mut queue = self.queue();
        queue.number = queue.number.wrapping_add(1);
        let number = queue.number;
        let lane = queue.lane(runtime);
        let alarm = Alarm {
            runtime,
            until,
            seat: (lane.waiting.insert(number, until, theirs, family)).ok_or(NoTimers)?,
            waker: ours,
            lost: self.lost.load(Ordering::Relaxed),
        };
        let sleeping = lane.sweeper.as_ref();
        let too_long = sleeping.filter(|(_, at)| until.is_some_and(|until| until < *at));
        let too_long = too_long.map(|(sweeper, _)| sweeper.clone());
        let unswept = handle.filter(|_| !std::mem::replace(&mut lane.is_swept, true));
        drop(queue);
        if let Some(sweeper) = too_long {
            sweeper.wake();
        }
        match unswept {
            Some(handle) => self.begin_sweeping(alarm, &handle),
            None => Ok(alarm),
        }
    }

    #[cold]
    fn begin_sweeping(self: &Arc<Self>, alarm: Alarm, handle: &Handle) -> Result<Alarm, NoTimers> {
        sweeper::begin(self, handle, alarm.until);
        // Where nobody sweeps, nothing is left to wait for.
        if self.holds(&alarm) {
            Ok(alarm)
        } else {
            Err(NoTimers)
        }
    }

    fn holds(&self, alarm: &Alarm) -> bool {
        let mut queue = self.queue();
        let lane = queue
            .lanes
            .iter_mut()
            .find(|lane| lane.runtime == alarm.runtime);
        lane.is_some_and(|lane| lane.waiting.get_mut(alarm.seat).is_some())
    }

    /// A call that still waits is polled once more. Tells whether its alarm holds: if not, the runtime
    /// that would have woken it is gone, or the call has moved to another.
    pub(crate) fn go_on(&self, alarm: &mut Alarm, waker: &Waker) -> bool {
        let lost = self.lost.load(Ordering::Relaxed);
        let moved = alarm.runtime.is_some_and(|runtime| {
            Handle::try_current().is_ok_and(|current| current.id() != runtime)
        });
        if alarm.lost == lost && !moved && alarm.waker.will_wake(waker) {
            return true;
        }
        if moved {
            return false;
        }
        alarm.lost = lost;
        alarm.waker.clone_from(waker);
        let mut queue = self.queue();
        let mut lanes = queue.lanes.iter_mut();
        let lane = lanes.find(|lane| lane.runtime == alarm.runtime);
        let waiting = lane.and_then(|lane| lane.waiting.get_mut(alarm.seat));
        let Some(waiting) = waiting else {
            return false;
        };
        waiting.waker.clone_from(waker);
        true
    }

    /// The end of a call's time, to arm it once more.
    pub(crate) fn until(alarm: &Alarm) -> Option<Instant> {
        alarm.until
    }

    /// The call does not wait any more.
    pub(crate) fn disarm(&self, alarm: &Alarm) {
        let mut queue = self.queue();
        let lanes = &mut queue.lanes;
        let Some(at) = lanes.iter().position(|lane| lane.runtime == alarm.runtime) else {
            return;
        };
        let lane = &mut lanes[at];
        let gone = lane.waiting.remove(alarm.seat);
        let mut sweeper = None;
        if gone.is_some() && lane.waiting.is_empty() {
            sweeper = lane.sweeper.as_ref().map(|(sweeper, _)| sweeper.clone());
            if lane.runtime.is_none() {
                lanes.swap_remove(at);
            }
        }
        drop(queue);
        // There is nothing left for it to do.
        if let Some(sweeper) = sweeper {
            sweeper.wake();
        }
    }

    /// Wakes what waits in a family, to look whether it was cancelled.
    pub(super) fn wake(&self, family: u32) {
        let queue = self.queue();
        let waiting = queue.lanes.iter().flat_map(|lane| lane.waiting.iter());
        let of_family = waiting.filter(|waiting| waiting.family == family);
        let wakers: Vec<Waker> = of_family.map(|waiting| waiting.waker.clone()).collect();
        drop(queue);
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Queue {
    fn lane(&mut self, runtime: Option<Id>) -> &mut Lane {
        let found = self.lanes.iter().position(|lane| lane.runtime == runtime);
        let at = found.unwrap_or_else(|| {
            self.lanes.push(Lane {
                runtime,
                waiting: Line::default(),
                is_swept: false,
                sweeper: None,
            });
            self.lanes.len() - 1
        });
        &mut self.lanes[at]
    }
}
