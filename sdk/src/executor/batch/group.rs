//! Members of a batch that run together: a task for each costs several times what a short call does.
//!
//! [Pollers](super::poller) run them: the batch itself has one, and where the batch takes longer than a moment, tasks of
//! the runtime have more. Whichever poller is free takes what is next, so that a body that holds its thread holds up no
//! other member once they are there.

use std::collections::VecDeque;
use std::future::Future;
use std::mem;
use std::sync::{Arc, MutexGuard, Weak};
use std::task::{Wake, Waker};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::executor::batch::ended::{EndedMember, EndedMembers};
use crate::executor::batch::member::ReadyMember;
use crate::executor::batch::queue::MemberQueue;
use crate::executor::batch::rest::MemberRest;
use crate::executor::batch::texts::ArgumentTexts;
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::ListedTask;
use crate::util::cold::cold_path;
use crate::util::lock::Lock;
use crate::util::panic::catch_panic;

/// Members of a batch that run together.
pub(crate) struct MemberGroup {
    pub(super) turn: Turn,
    /// The texts of those in the queue.
    pub(super) texts: ArgumentTexts,
    pub(super) ended: Arc<EndedMembers>,
    /// The runtime of the batch, which may be polled outside of it later. Without one, there are no tasks.
    runtime: Option<Handle>,
    /// The most tasks that are of use.
    pub(super) most: usize,
    state: Lock<GroupState>,
}

#[derive(Default)]
struct GroupState {
    /// The members that have not begun.
    queue: MemberQueue,
    /// The places of those that have begun and wait.
    slots: Vec<MemberSlot>,
    /// The slots of those that were woken, in their order.
    woken: VecDeque<usize>,
    /// The pollers that have found nothing to do, by their numbers.
    idle: Vec<(usize, Waker)>,
    tasks: Vec<JoinHandle<()>>,
    /// No member runs any more.
    is_closed: bool,
}

#[derive(Default)]
struct MemberSlot {
    /// Absent while a poller has it, and where there is none.
    member: Option<WaitingMember>,
    /// True from when it is woken until it is polled.
    is_woken: bool,
}

/// The number of a slot, and the waker of whichever member has it. A body may keep that beyond its end: then another
/// member is polled once more than it needs.
pub(super) struct SlotKey {
    at: usize,
    pub(super) waker: Waker,
}

/// A member that waits.
pub(super) struct WaitingMember {
    pub(super) rest: MemberRest,
    pub(super) listed: ListedTask,
    pub(super) slot: SlotKey,
}

/// The next thing for a poller to do, when all members have begun.
pub(super) enum NextWoken {
    /// It has a member that was woken.
    Member,
    Idle,
    /// The member that it has does not run any more.
    Closed,
}

impl MemberGroup {
    pub(crate) fn new(
        turn: &Turn,
        mut members: MemberQueue,
        ended: &Arc<EndedMembers>,
        runtime: Option<Handle>,
    ) -> Arc<Self> {
        let count = members.len();
        ended.begin(count);
        let threads = runtime
            .as_ref()
            .map_or(0, |runtime| runtime.metrics().num_workers());
        Arc::new(Self {
            turn: turn.clone(),
            texts: members.take_texts(),
            ended: Arc::clone(ended),
            runtime,
            most: threads.min(count),
            state: Lock::new(GroupState {
                queue: members,
                ..GroupState::default()
            }),
        })
    }

    /// Returns true if no member is left, but for those that a poller has.
    pub(super) fn is_empty(&self) -> bool {
        let state = self.state.lock();
        state.queue.is_empty() && state.slots.iter().all(|slot| slot.member.is_none())
    }

    /// Takes back the member that a poller has begun last, if it waits, unless the group is closed. Gives the poller the
    /// next to begin; there is a slot for it, the last of those that the poller has.
    #[inline]
    pub(super) fn next_to_begin(
        self: &Arc<Self>,
        waits: &mut Option<WaitingMember>,
        slots: &mut Vec<SlotKey>,
    ) -> Option<(ListedTask, ReadyMember)> {
        let mut state = self.taken_back(waits);
        if !state.queue.is_empty() {
            self.free_slot(&mut state, slots);
        }
        // A member is large, and moved once here.
        state.queue.pop()
    }

    /// The same, for a member that the poller has from elsewhere.
    #[inline]
    pub(super) fn slot_to_begin(
        self: &Arc<Self>,
        waits: &mut Option<WaitingMember>,
        slots: &mut Vec<SlotKey>,
    ) {
        let mut state = self.taken_back(waits);
        self.free_slot(&mut state, slots);
    }

    #[inline]
    fn taken_back(&self, waits: &mut Option<WaitingMember>) -> MutexGuard<'_, GroupState> {
        let mut state = self.state.lock();
        if waits.is_some()
            && let Some(idle) = state.put(waits)
        {
            cold_path();
            drop(state);
            idle.wake();
            state = self.state.lock();
        }
        state
    }

    #[inline]
    fn free_slot(self: &Arc<Self>, state: &mut GroupState, slots: &mut Vec<SlotKey>) {
        match slots.last() {
            Some(slot) => state.slots[slot.at].is_woken = false,
            None => slots.push(self.new_slot(state)),
        }
    }

    /// Takes back the member that a poller has run last, if it waits, unless the group is closed. Gives the poller the
    /// next that was woken; without one, the poller is idle.
    pub(super) fn next_woken(
        &self,
        member: &mut Option<WaitingMember>,
        (poller, waker): (usize, &Waker),
    ) -> NextWoken {
        let mut state = self.state.lock();
        let woken = state.put(member);
        let next = if member.is_some() {
            NextWoken::Closed
        } else if state.next_woken(member) {
            NextWoken::Member
        } else {
            state.note_idle(poller, waker);
            NextWoken::Idle
        };
        drop(state);
        wake(woken);
        next
    }

    /// Takes back a member that waits, unless the group is closed.
    pub(super) fn put(&self, waits: &mut Option<WaitingMember>) {
        let woken = self.state.lock().put(waits);
        wake(woken);
    }

    fn new_slot(self: &Arc<Self>, state: &mut GroupState) -> SlotKey {
        let at = state.slots.len();
        if at == 1 {
            // A member waits already, and those of a batch are mostly of one kind. Slots are large to move.
            let left = state.queue.len();
            state.slots.reserve(left);
            state.woken.reserve(left);
        }
        state.slots.push(MemberSlot::default());
        let waker = SlotWaker {
            group: Arc::downgrade(self),
            at,
        };
        SlotKey {
            at,
            waker: Arc::new(waker).into(),
        }
    }

    fn wake(&self, at: usize) {
        let idle = self.state.lock().wake(at);
        wake(idle);
    }

    /// Runs a poller of the group in a task of its own, if there is a runtime.
    pub(super) fn spawn(&self, poller: impl Future<Output = ()> + Send + 'static) {
        let Some(runtime) = &self.runtime else {
            return;
        };
        // Outside of the lock: a runtime that shuts down drops the poller here.
        let task = runtime.spawn(poller);
        let mut state = self.state.lock();
        if state.is_closed {
            task.abort();
        } else {
            state.tasks.push(task);
        }
    }

    /// Stops all tasks. The members that are left will not run.
    pub(crate) fn stop(&self) {
        self.close();
        let tasks = mem::take(&mut self.state.lock().tasks);
        for task in tasks {
            task.abort();
        }
    }

    /// The members that are left will not run.
    pub(super) fn close(&self) {
        let (queue, slots) = {
            let mut state = self.state.lock();
            state.is_closed = true;
            state.woken.clear();
            (mem::take(&mut state.queue), mem::take(&mut state.slots))
        };
        let mut lost: Vec<EndedMember> = queue.listed().map(|task| (task.at(), None)).collect();
        drop(queue);
        let waiting = slots.into_iter().filter_map(|slot| slot.member);
        lost.extend(waiting.map(WaitingMember::lose));
        self.ended.report(lost.into_iter());
    }
}

/// Wakes a poller, outside of the lock: that runs code of the host's.
fn wake(idle: Option<Waker>) {
    if let Some(idle) = idle {
        idle.wake();
    }
}

impl GroupState {
    /// Keeps a member that waits, unless the group is closed. Gives the poller to wake, if the member was woken
    /// meanwhile.
    fn put(&mut self, waits: &mut Option<WaitingMember>) -> Option<Waker> {
        let member = waits.take_if(|_| !self.is_closed)?;
        let at = member.slot.at;
        let slot = &mut self.slots[at];
        slot.member = Some(member);
        if !slot.is_woken {
            return None;
        }
        self.woken.push_back(at);
        self.take_idle()
    }

    /// Notes that a member is woken. Gives the poller to wake.
    fn wake(&mut self, at: usize) -> Option<Waker> {
        let slot = self.slots.get_mut(at)?;
        if mem::replace(&mut slot.is_woken, true) || slot.member.is_none() {
            return None;
        }
        self.woken.push_back(at);
        self.take_idle()
    }

    /// Moves the next member that was woken to its poller. Returns false if there is none.
    fn next_woken(&mut self, member: &mut Option<WaitingMember>) -> bool {
        let Some(slot) = self.woken.pop_front() else {
            return false;
        };
        let slot = &mut self.slots[slot];
        slot.is_woken = false;
        *member = slot.member.take();
        member.is_some()
    }

    fn note_idle(&mut self, poller: usize, waker: &Waker) {
        match self.idle.iter_mut().find(|(number, _)| *number == poller) {
            Some((_, known)) => known.clone_from(waker),
            None => self.idle.push((poller, waker.clone())),
        }
    }

    /// A task, if one is idle: nobody knows when the host polls the batch.
    fn take_idle(&mut self) -> Option<Waker> {
        let task = self.idle.iter().position(|(number, _)| *number > 0);
        let at = task.or_else(|| self.idle.len().checked_sub(1))?;
        Some(self.idle.swap_remove(at).1)
    }
}

impl WaitingMember {
    /// Drops a member that will not end.
    pub(super) fn lose(self) -> EndedMember {
        let Self { rest, listed, .. } = self;
        let _ = catch_panic(|| drop(rest));
        (listed.at(), None)
    }
}

struct SlotWaker {
    group: Weak<MemberGroup>,
    at: usize,
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if let Some(group) = self.group.upgrade() {
            group.wake(self.at);
        }
    }
}
