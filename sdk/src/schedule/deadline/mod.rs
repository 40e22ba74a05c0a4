//! The events that wake a waiting call: the end of its time, and a cancellation. The queues belong to a whole
//! executor, so that a call in flight holds neither a timer nor a place in the list of a token.

mod line;
mod moment;
mod queue;
mod sweeper;

#[cfg(test)]
mod tests;

use std::mem;
use std::num::{NonZeroU8, NonZeroU32};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::Waker;
use std::time::Duration;

use line::Seat;
use moment::Moment;
use queue::{QUEUES, Queue, here};
use tokio::runtime::Handle;
use tokio::time::Instant;

/// The calls of an executor that wait.
#[derive(Debug)]
pub(crate) struct Alarms {
    /// A call lines up by the thread that it first waits on: at one queue, threads would wait for each
    /// other.
    queues: [Queue; QUEUES],
    /// The instant that moments are counted from.
    epoch: Instant,
    families: AtomicU32,
    /// The time that a body may go on after it was told to end.
    grace: Duration,
    late: AtomicU64,
    dropped: AtomicU64,
}

/// A waiting call's hold on a queue, to be [given back](Alarms::disarm). Small, because each call that
/// waits has one.
#[derive(Debug)]
pub(crate) struct Alarm {
    /// The end of the call's time.
    until: Moment,
    seat: Seat,
    lane: NonZeroU32,
    /// Counted from one.
    queue: NonZeroU8,
}

/// Nothing here can wake a call in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoTimers;

impl Alarms {
    /// With the time that a body may go on after it was told to end.
    pub(crate) fn new(grace: Duration) -> Self {
        Self {
            queues: Default::default(),
            epoch: Instant::now(),
            families: AtomicU32::new(0),
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

    /// Calls of one family are woken together when something in it is cancelled. Two sessions may
    /// come to be of one: a call that is woken looks whether it is meant.
    pub(crate) fn new_family(&self) -> u32 {
        self.families.fetch_add(1, Ordering::Relaxed)
    }

    fn queue(&self, number: NonZeroU8) -> &Queue {
        &self.queues[usize::from(number.get() - 1)]
    }

    /// Has a call woken when its time is up, if that is limited, or when something in its family is cancelled. The
    /// caller checks for a cancellation once more: it may have come before.
    pub(crate) fn arm(
        self: &Arc<Self>,
        family: u32,
        until: Option<Instant>,
        waker: &Waker,
    ) -> Result<Alarm, NoTimers> {
        let moment = until.map_or(Moment::NEVER, |until| Moment::of(until, self.epoch));
        let until = until.filter(|_| moment != Moment::NEVER);
        let handle = match until {
            Some(_) => Some(Handle::try_current().map_err(|_| NoTimers)?),
            None => None,
        };
        let runtime = handle.as_ref().map(Handle::id);
        let waker = waker.clone();
        let queue = NonZeroU8::MIN.saturating_add(here());
        let mut lanes = self.queue(queue).lock();
        let number = lanes.next_number();
        let lane = lanes.lane(runtime);
        let seat = lane.waiting.insert(number, moment, waker, family);
        let alarm = Alarm {
            until: moment,
            seat: seat.ok_or(NoTimers)?,
            lane: lane.number,
            queue,
        };
        let sleeping = lane.sweeper.as_ref();
        let too_long = sleeping.filter(|(_, at)| until.is_some_and(|until| until < *at));
        let too_long = too_long.map(|(sweeper, _)| sweeper.clone());
        let unswept = handle.filter(|_| !mem::replace(&mut lane.is_swept, true));
        drop(lanes);
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
        sweeper::begin(self, alarm.queue, handle, self.until(&alarm));
        // Without a sweeper, nothing would wake the call.
        let mut lanes = self.queue(alarm.queue).lock();
        match lanes.waiting(alarm.lane, alarm.seat) {
            Some(_) => Ok(alarm),
            None => Err(NoTimers),
        }
    }

    /// A call that still waits is polled once more. Tells whether its alarm holds: if not, its time is
    /// [up](Self::is_due), or the runtime that would have woken it is gone, or the call has moved to
    /// another.
    pub(crate) fn go_on(&self, alarm: &Alarm, waker: &Waker) -> bool {
        let current = match alarm.until {
            Moment::NEVER => None,
            _ => Handle::try_current().ok().map(|current| current.id()),
        };
        let mut lanes = self.queue(alarm.queue).lock();
        let Some((runtime, waiting)) = lanes.waiting(alarm.lane, alarm.seat) else {
            return false;
        };
        let moved = current.is_some() && current != runtime;
        if !moved {
            waiting.waker.clone_from(waker);
        }
        !moved
    }

    /// The end of a call's time, if it has one.
    pub(crate) fn until(&self, alarm: &Alarm) -> Option<Instant> {
        alarm.until.instant(self.epoch)
    }

    /// Returns true if the time of a call is up.
    pub(crate) fn is_due(&self, alarm: &Alarm) -> bool {
        self.until(alarm)
            .is_some_and(|until| until <= Instant::now())
    }

    /// The call does not wait any more.
    pub(crate) fn disarm(&self, alarm: &Alarm) {
        let mut lanes = self.queue(alarm.queue).lock();
        let Some(at) = lanes.numbered(alarm.lane) else {
            return;
        };
        let lane = &mut lanes.lanes[at];
        let gone = lane.waiting.remove(alarm.seat);
        let mut sweeper = None;
        if gone.is_some() && lane.waiting.is_empty() {
            sweeper = lane.sweeper.as_ref().map(|(sweeper, _)| sweeper.clone());
            if lane.runtime.is_none() {
                lanes.lanes.swap_remove(at);
            }
        }
        drop(lanes);
        // The sweeper ends, because no call waits any more.
        if let Some(sweeper) = sweeper {
            sweeper.wake();
        }
    }

    /// Wakes what waits in a family, to look whether it was cancelled.
    pub(crate) fn wake(&self, family: u32) {
        for queue in &self.queues {
            let lanes = queue.lock();
            let waiting = lanes.lanes.iter().flat_map(|lane| lane.waiting.iter());
            let of_family = waiting.filter(|waiting| waiting.family == family);
            let wakers: Vec<Waker> = of_family.map(|waiting| waiting.waker.clone()).collect();
            drop(lanes);
            wakers.into_iter().for_each(Waker::wake);
        }
    }
}
