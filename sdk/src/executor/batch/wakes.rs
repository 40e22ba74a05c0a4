//! The wakers of members that share a task: each tells which member it wakes.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

use crate::util::lock::Lock;

/// The members that were woken, by their slots, and the task to wake for them.
#[derive(Default)]
pub(crate) struct WakeQueue(Lock<Woken>);

#[derive(Default)]
struct Woken {
    slots: VecDeque<usize>,
    /// Absent while the task runs, which looks here before it waits.
    task: Option<Waker>,
}

/// The waker of whichever member has a slot. A body may keep it beyond its end: then another member is polled once
/// more than it needs.
pub(crate) struct SlotWaker {
    queue: Arc<WakeQueue>,
    slot: usize,
    /// True from when it is woken until it is polled.
    is_woken: AtomicBool,
}

impl WakeQueue {
    /// Takes all who were woken, in their order, into an empty queue.
    pub(crate) fn take(&self, woken: &mut VecDeque<usize>) {
        mem::swap(&mut self.0.lock().slots, woken);
    }

    /// Has the task woken by the next member. Returns false if one was woken already.
    pub(crate) fn wait(&self, cx: &Context<'_>) -> bool {
        let mut woken = self.0.lock();
        if !woken.slots.is_empty() {
            return false;
        }
        woken.task = Some(cx.waker().clone());
        true
    }

    fn push(&self, slot: usize) {
        let mut woken = self.0.lock();
        woken.slots.push_back(slot);
        let task = woken.task.take();
        drop(woken);
        if let Some(task) = task {
            task.wake();
        }
    }
}

impl SlotWaker {
    pub(crate) fn new(queue: Arc<WakeQueue>, slot: usize) -> Self {
        Self {
            queue,
            slot,
            is_woken: AtomicBool::new(false),
        }
    }

    /// The member is about to be polled: a wake from now on asks for another poll.
    pub(crate) fn reset(&self) {
        // Most members are not woken before they begin, and the store costs a tenth of a short call.
        if self.is_woken.load(Ordering::Relaxed) {
            self.is_woken.store(false, Ordering::SeqCst);
        }
    }
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::SeqCst) {
            self.queue.push(self.slot);
        }
    }
}
