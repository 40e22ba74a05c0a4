//! The queues that calls wait in: one for each of so many threads, in each a lane for each runtime.

use std::hash::{Hash, Hasher};
use std::mem;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;

use tokio::runtime::Id;
use tokio::time::Instant;

use super::line::{Line, Seat, Waiting};

/// As many threads as have calls wait without waiting for each other. A power of two.
pub(super) const QUEUES: usize = 1 << QUEUE_BITS;
const QUEUE_BITS: u8 = 4;

/// Each has its own cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Queue(Mutex<Lanes>);

impl Queue {
    pub(super) fn lock(&self) -> MutexGuard<'_, Lanes> {
        // Nothing that may panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(super) struct Lanes {
    /// The number of the call that lines up next, or of the next lane.
    number: NonZeroU32,
    /// A lane for each runtime that keeps time for calls, and one for calls without a deadline. Clocks differ between
    /// runtimes, and a clock that stands still must not hold up another's calls.
    pub(super) lanes: Vec<Lane>,
}

#[derive(Debug)]
pub(super) struct Lane {
    /// Its own: a runtime may come to have another.
    pub(super) number: NonZeroU32,
    pub(super) runtime: Option<Id>,
    pub(super) waiting: Line,
    /// There is a sweeper, or about to be one.
    pub(super) is_swept: bool,
    /// The sweeper's, and what it sleeps until.
    pub(super) sweeper: Option<(Waker, Instant)>,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            number: NonZeroU32::MIN,
            lanes: Vec::new(),
        }
    }
}

impl Lanes {
    pub(super) fn next_number(&mut self) -> NonZeroU32 {
        let next = self.number.checked_add(1).unwrap_or(NonZeroU32::MIN);
        mem::replace(&mut self.number, next)
    }

    pub(super) fn of_runtime(&self, runtime: Option<Id>) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.runtime == runtime)
    }

    pub(super) fn numbered(&self, number: NonZeroU32) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.number == number)
    }

    /// A call that waits, and the runtime that keeps its time.
    pub(super) fn waiting(
        &mut self,
        lane: NonZeroU32,
        seat: Seat,
    ) -> Option<(Option<Id>, &mut Waiting)> {
        let at = self.numbered(lane)?;
        let lane = &mut self.lanes[at];
        Some((lane.runtime, lane.waiting.get_mut(seat)?))
    }

    /// The lane of a runtime, which may be new.
    pub(super) fn lane(&mut self, runtime: Option<Id>) -> &mut Lane {
        let at = self.of_runtime(runtime).unwrap_or_else(|| {
            let number = self.next_number();
            self.lanes.push(Lane {
                number,
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

/// The queue that the calls of this thread line up in.
pub(super) fn here() -> u8 {
    thread_local! {
        static HERE: u8 = {
            let mut id = Last(0);
            thread::current().id().hash(&mut id);
            id.0 & !(u8::MAX << QUEUE_BITS)
        };
    }
    // A thread that is ending has dropped its local values.
    HERE.try_with(|here| *here).unwrap_or_default()
}

/// Threads are numbered as they begin: the last byte tells as many apart as there are queues.
struct Last(u8);

impl Hasher for Last {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(1) ^ byte;
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number.to_le_bytes()[0];
    }

    fn finish(&self) -> u64 {
        self.0.into()
    }
}
