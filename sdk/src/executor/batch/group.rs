//! Members of a batch that share a task: a task for each costs several times what a short call does.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::executor::batch::ended::{EndedMember, EndedMembers};
use crate::executor::batch::member::ReadyMember;
use crate::executor::batch::wakes::{SlotWaker, WakeQueue};
use crate::executor::call::future::{Continuation, Reached};
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::ListedTask;
use crate::executor::guard::catch_tool_panic;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;
use crate::util::lock::Lock;
use crate::util::panic::catch_panic;

/// The number of polls of members in a row, after which others of the runtime may run.
const IN_A_ROW: u8 = 8;

/// Members that may run, in the order of the calls.
#[derive(Default)]
pub(crate) struct MemberQueue(VecDeque<(ListedTask, ReadyMember)>);

impl MemberQueue {
    pub(crate) fn push(&mut self, listed: ListedTask, ready: ReadyMember) {
        self.0.push_back((listed, ready));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<(ListedTask, ReadyMember)> {
        self.0.pop_front()
    }
}

impl Drop for MemberQueue {
    fn drop(&mut self) {
        // A host that drops the batch must not be unwound by what a tool holds.
        for (listed, ready) in self.0.drain(..) {
            let _ = catch_tool_panic("the tool", || drop(ready));
            drop(listed);
        }
    }
}

/// The members that the groups of a batch have yet to begin. Whichever group is free takes the next one, so that a
/// body that holds its thread holds up none that has not begun.
pub(crate) struct SharedQueue {
    queue: Lock<MemberQueue>,
    /// The most members of a group that wait at a time.
    most: usize,
    ended: Arc<EndedMembers>,
    /// The runtime of the batch, which may be polled outside of it later. Without one, groups have no tasks.
    runtime: Option<Handle>,
    tasks: Lock<GroupTasks>,
}

/// The tasks of groups.
#[derive(Default)]
struct GroupTasks {
    are_stopped: bool,
    running: Vec<JoinHandle<()>>,
}

impl SharedQueue {
    pub(crate) fn new(members: MemberQueue, most: usize, ended: &Arc<EndedMembers>) -> Arc<Self> {
        ended.begin(members.len());
        Arc::new(Self {
            queue: Lock::new(members),
            most,
            ended: Arc::clone(ended),
            runtime: Handle::try_current().ok(),
            tasks: Lock::default(),
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.lock().is_empty()
    }

    /// Goes on with a group in a task of its own. Returns the group if there is no runtime.
    pub(crate) fn spawn(&self, group: BoxFuture<'static, ()>) -> Option<BoxFuture<'static, ()>> {
        let Some(runtime) = &self.runtime else {
            return Some(group);
        };
        // Outside of the lock: a runtime that shuts down drops the group here.
        let task = runtime.spawn(group);
        let mut tasks = self.tasks.lock();
        if tasks.are_stopped {
            task.abort();
        } else {
            tasks.running.push(task);
        }
        None
    }

    /// Stops all groups that have tasks. The members that are left will not run.
    pub(crate) fn stop(&self) {
        self.close();
        let running = {
            let mut tasks = self.tasks.lock();
            tasks.are_stopped = true;
            mem::take(&mut tasks.running)
        };
        for task in running {
            task.abort();
        }
    }

    /// The members that are left will not run.
    fn close(&self) {
        let left = mem::take(&mut *self.queue.lock());
        let lost: Vec<EndedMember> = left.0.iter().map(|(task, _)| (task.at(), None)).collect();
        drop(left);
        self.ended.report(lost.into_iter());
    }
}

/// The hold of a group on the queue.
struct QueueHold(Arc<SharedQueue>);

impl Drop for QueueHold {
    fn drop(&mut self) {
        // A group that has ended leaves nothing; one that was dropped was so by its batch, or by the end of the
        // runtime, where no other group goes on either.
        self.0.close();
    }
}

/// Runs members of a batch, until none is left to begin. A group that has no place for more begins another one.
pub(crate) fn run_group(turn: Turn, queue: Arc<SharedQueue>) -> BoxFuture<'static, ()> {
    let hold = QueueHold(queue);
    Box::pin(async move {
        let mut group = MemberGroup::new(&turn, &hold.0);
        poll_fn(|cx| group.poll(cx)).await;
    })
}

/// Members of a batch that share a task.
struct MemberGroup<'a> {
    turn: &'a Turn,
    queue: &'a Arc<SharedQueue>,
    /// True once the group has seen whether another is needed.
    has_grown: bool,
    slots: Vec<MemberSlot<'a>>,
    /// The slots without a member.
    free: Vec<usize>,
    wakes: Arc<WakeQueue>,
    /// Those that were woken and are to be polled.
    woken: VecDeque<usize>,
    /// Those that have ended and were not reported.
    ended: Vec<EndedMember>,
}

/// The place of a member that waits. A member that ends at its first poll leaves it to the next.
struct MemberSlot<'a> {
    member: Option<(Continuation<'a>, ListedTask)>,
    wakes: Arc<SlotWaker>,
    waker: Waker,
}

impl<'a> MemberGroup<'a> {
    fn new(turn: &'a Turn, queue: &'a Arc<SharedQueue>) -> Self {
        Self {
            turn,
            queue,
            has_grown: false,
            slots: Vec::new(),
            free: Vec::new(),
            wakes: Arc::default(),
            woken: VecDeque::new(),
            ended: Vec::new(),
        }
    }

    fn waiting(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        for _ in 0..IN_A_ROW {
            // All begin before any goes on: one may wait for another. A worker keeps what it spawns last for itself,
            // so the next group begins here, before a member of this one may hold the thread.
            if self.grow() {
                break;
            }
            if let Some((listed, ready)) = self.next_to_begin() {
                self.begin(listed, ready);
            } else if let Some(slot) = self.next_woken() {
                self.go_on(slot);
            } else {
                self.report();
                if self.waiting() == 0 {
                    return Poll::Ready(());
                }
                if self.wakes.wait(cx) {
                    return Poll::Pending;
                }
            }
        }
        self.report();
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    fn next_to_begin(&mut self) -> Option<(ListedTask, ReadyMember)> {
        if self.is_full() {
            return None;
        }
        self.queue.queue.lock().pop()
    }

    fn is_full(&self) -> bool {
        self.waiting() == self.queue.most
    }

    /// Begins another group for those that are left, if this one has no place for more, and did not before: that one
    /// does the same. Returns true if it did.
    fn grow(&mut self) -> bool {
        if !self.is_full() || mem::replace(&mut self.has_grown, true) || self.queue.is_empty() {
            return false;
        }
        let group = run_group(self.turn.clone(), Arc::clone(self.queue));
        self.queue.spawn(group).is_none()
    }

    fn next_woken(&mut self) -> Option<usize> {
        if self.woken.is_empty() {
            self.wakes.take(&mut self.woken);
        }
        self.woken.pop_front()
    }

    fn begin(&mut self, listed: ListedTask, ready: ReadyMember) {
        let at = self.free_slot();
        let slot = &mut self.slots[at];
        slot.wakes.reset();
        let mut cx = Context::from_waker(&slot.waker);
        // Panics of the tool are caught below: this one would be a fault of ours, and is no reason to stop others.
        match catch_panic(|| ready.begin(self.turn, &mut cx)) {
            Ok(Reached::Ended(outcome)) => {
                self.free.push(at);
                self.end(listed, outcome);
            }
            Ok(Reached::Goes(rest)) => {
                // A body that waits was polled.
                if matches!(rest, Continuation::Elsewhere(_)) {
                    slot.waker.wake_by_ref();
                }
                slot.member = Some((rest, listed));
            }
            Err(_) => {
                self.free.push(at);
                self.lose(listed);
            }
        }
    }

    fn free_slot(&mut self) -> usize {
        if let Some(at) = self.free.pop() {
            return at;
        }
        let at = self.slots.len();
        let wakes = Arc::new(SlotWaker::new(Arc::clone(&self.wakes), at));
        self.slots.push(MemberSlot {
            member: None,
            waker: Waker::from(Arc::clone(&wakes)),
            wakes,
        });
        at
    }

    fn go_on(&mut self, at: usize) {
        let slot = &mut self.slots[at];
        slot.wakes.reset();
        let Some((mut rest, listed)) = slot.member.take() else {
            return;
        };
        let mut cx = Context::from_waker(&slot.waker);
        match catch_panic(|| rest.poll(&mut cx)) {
            Ok(Poll::Pending) => slot.member = Some((rest, listed)),
            Ok(Poll::Ready(outcome)) => {
                self.free.push(at);
                drop(rest);
                self.end(listed, outcome);
            }
            Err(_) => {
                self.free.push(at);
                let _ = catch_panic(|| drop(rest));
                self.lose(listed);
            }
        }
    }

    fn end(&mut self, listed: ListedTask, outcome: ToolOutcome) {
        let at = listed.at();
        listed.end(&outcome);
        self.ended.push((at, Some(outcome)));
        if self.queue.ended.tells_each() {
            self.report();
        }
    }

    fn lose(&mut self, listed: ListedTask) {
        let at = listed.at();
        drop(listed);
        self.ended.push((at, None));
    }

    fn report(&mut self) {
        self.queue.ended.report(self.ended.drain(..));
    }
}

impl Drop for MemberGroup<'_> {
    fn drop(&mut self) {
        for slot in mem::take(&mut self.slots) {
            let Some((rest, listed)) = slot.member else {
                continue;
            };
            let _ = catch_panic(|| drop(rest));
            self.ended.push((listed.at(), None));
        }
        self.report();
    }
}
