//! The shards that calls wait in: one for each of so many threads, in each a queue for each runtime.

use std::hash::{Hash, Hasher};
use std::mem;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;

use tokio::runtime::Id;
use tokio::time::Instant;

use super::waiting::{WaitKey, WaitingCall, WaitingCalls};

/// As many threads as have calls wait without waiting for each other. A power of two.
pub(super) const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u8 = 4;

/// Each has its own cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct QueueShard(Mutex<RuntimeQueues>);

impl QueueShard {
    pub(super) fn lock(&self) -> MutexGuard<'_, RuntimeQueues> {
        // Nothing that may panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(super) struct RuntimeQueues {
    /// The number of the next queue.
    next: NonZeroU32,
    /// A queue for each runtime that keeps time for calls, and one for calls without a deadline. Clocks differ between
    /// runtimes, and a clock that stands still must not hold up another's calls.
    pub(super) runtimes: Vec<RuntimeQueue>,
}

#[derive(Debug)]
pub(super) struct RuntimeQueue {
    /// Its own: a runtime may come to have another.
    pub(super) number: NonZeroU32,
    pub(super) runtime: Option<Id>,
    pub(super) waiting: WaitingCalls,
    /// There is a sweeper, or about to be one.
    pub(super) is_swept: bool,
    /// The sweeper's, and what it sleeps until.
    pub(super) sweeper: Option<(Waker, Instant)>,
}

impl Default for RuntimeQueues {
    fn default() -> Self {
        Self {
            next: NonZeroU32::MIN,
            runtimes: Vec::new(),
        }
    }
}

impl RuntimeQueues {
    pub(super) fn of_runtime(&self, runtime: Option<Id>) -> Option<usize> {
        self.runtimes
            .iter()
            .position(|runtime_queue| runtime_queue.runtime == runtime)
    }

    pub(super) fn numbered(&self, number: NonZeroU32) -> Option<usize> {
        self.runtimes
            .iter()
            .position(|runtime_queue| runtime_queue.number == number)
    }

    /// A call that waits, and the runtime that keeps its time.
    pub(super) fn waiting(
        &mut self,
        runtime_queue: NonZeroU32,
        key: WaitKey,
    ) -> Option<(Option<Id>, &mut WaitingCall)> {
        let at = self.numbered(runtime_queue)?;
        let runtime_queue = &mut self.runtimes[at];
        Some((runtime_queue.runtime, runtime_queue.waiting.get_mut(key)?))
    }

    /// The queue of a runtime, which may be new.
    pub(super) fn runtime_queue(&mut self, runtime: Option<Id>) -> &mut RuntimeQueue {
        let at = self.of_runtime(runtime).unwrap_or_else(|| {
            let next = self.next.checked_add(1).unwrap_or(NonZeroU32::MIN);
            let number = mem::replace(&mut self.next, next);
            self.runtimes.push(RuntimeQueue {
                number,
                runtime,
                waiting: WaitingCalls::default(),
                is_swept: false,
                sweeper: None,
            });
            self.runtimes.len() - 1
        });
        &mut self.runtimes[at]
    }
}

/// The shard that the calls of this thread wait in.
pub(super) fn here() -> u8 {
    thread_local! {
        static HERE: u8 = {
            let mut id = Last(0);
            thread::current().id().hash(&mut id);
            id.0 & !(u8::MAX << SHARD_BITS)
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
