//! Runs the members of a group, one after another: for the batch itself, or in a task.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::executor::batch::ended::EndedMember;
use crate::executor::batch::group::{MemberGroup, NextWoken, SlotKey, WaitingMember};
use crate::executor::batch::member::DirectMember;
use crate::executor::batch::rest::MemberRest;
use crate::executor::call::reached::Reached;
use crate::executor::core::tasks::{ListedTask, TaskRef};
use crate::outcome::ToolOutcome;
use crate::schedule::Overdue;
use crate::util::panic::catch_panic;

/// The number of polls of members in a row, after which others of the runtime may run.
pub(super) const IN_A_ROW: u8 = 32;

/// Runs the members of a group.
pub(crate) struct GroupPoller {
    group: Arc<MemberGroup>,
    /// The batch's own has 0.
    number: usize,
    /// True once no member is left to begin.
    have_begun: bool,
    /// Slots without a member. A member that ends at its first poll leaves its slot to the next.
    slots: Vec<SlotKey>,
    /// The member that is run, or was run last and waits.
    member: Option<WaitingMember>,
    /// Members that have ended and were not reported.
    ended: Vec<EndedMember>,
}

impl GroupPoller {
    pub(crate) fn new(group: Arc<MemberGroup>, number: usize) -> Self {
        Self {
            group,
            number,
            have_begun: false,
            slots: Vec::new(),
            member: None,
            ended: Vec::new(),
        }
    }

    pub(super) fn group(&self) -> &Arc<MemberGroup> {
        &self.group
    }

    /// Goes on in a task of its own.
    pub(super) fn spawn(self) {
        let group = Arc::clone(&self.group);
        group.spawn(self.run());
    }

    /// Runs members in a task, until the batch stops it.
    fn run(mut self) -> impl Future<Output = ()> + Send + 'static {
        // Made before the future: a runtime that shuts down drops that unpolled.
        let closes = CloseOnDrop(Arc::clone(&self.group));
        async move {
            poll_fn(|cx| {
                let _ = self.poll(cx);
                Poll::<()>::Pending
            })
            .await;
            drop(closes);
        }
    }

    /// Runs members until there is nothing to do. Pending if others are to run first.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        for _ in 0..IN_A_ROW {
            // All begin before any goes on: one may wait for another.
            if !self.have_begun {
                let next = self.group.next_to_begin(&mut self.member, &mut self.slots);
                // A closed group has left it.
                self.lose();
                if let Some((listed, ready)) = next {
                    self.begin(listed, |group, task, cx| {
                        ready.begin(&group.texts, &group.turn, task, cx)
                    });
                    continue;
                }
                self.have_begun = true;
            }
            let poller = (self.number, cx.waker());
            match self.group.next_woken(&mut self.member, poller) {
                NextWoken::Member => self.go_on(),
                NextWoken::Idle => {
                    self.report();
                    return Poll::Ready(());
                }
                NextWoken::Closed => self.lose(),
            }
        }
        self.put_back();
        self.report();
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Gives the group the member that waits: from here nobody else could take it.
    fn put_back(&mut self) {
        if self.member.is_some() {
            self.group.put(&mut self.member);
            self.lose();
        }
    }

    /// Begins a member that is not in the queue of the group.
    #[inline]
    pub(super) fn begin_lent(&mut self, listed: ListedTask, member: DirectMember<'_>) {
        self.group.slot_to_begin(&mut self.member, &mut self.slots);
        self.lose();
        self.begin(listed, |group, task, cx| {
            member.begin(&group.turn, task, cx)
        });
    }

    #[inline]
    fn begin(
        &mut self,
        listed: ListedTask,
        begin: impl FnOnce(&MemberGroup, &TaskRef, &mut Context<'_>) -> Reached<MemberRest>,
    ) {
        let Some(slot) = self.slots.pop() else {
            self.ended.push((listed.at(), None));
            return;
        };
        let mut cx = Context::from_waker(&slot.waker);
        // Panics of the tool are caught below: this one would be a fault of ours, and is no reason to stop others.
        match catch_panic(|| begin(&self.group, &listed.task, &mut cx)) {
            Ok(Reached::Ended(outcome)) => {
                self.slots.push(slot);
                end(&self.group, &mut self.ended, listed, outcome);
            }
            Ok(Reached::Goes(rest)) => {
                // A body that waits was polled.
                if !rest.is_polled() {
                    slot.waker.wake_by_ref();
                }
                self.member = Some(WaitingMember { rest, listed, slot });
            }
            Err(_) => self.ended.push((listed.at(), None)),
        }
    }

    /// Polls the member, where it is: it is large.
    fn go_on(&mut self) {
        let Some(WaitingMember { rest, slot, .. }) = &mut self.member else {
            return;
        };
        let mut cx = Context::from_waker(&slot.waker);
        match catch_panic(|| Pin::new(&mut *rest).poll(&mut cx)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(outcome)) => {
                if let Some(WaitingMember { rest, listed, slot }) = self.member.take() {
                    drop(rest);
                    self.slots.push(slot);
                    end(&self.group, &mut self.ended, listed, outcome);
                }
            }
            Err(_) => self.lose(),
        }
    }

    /// Drops the member, if there is one: it will not end.
    fn lose(&mut self) {
        if let Some(lost) = self.member.take() {
            self.ended.push(lost.lose());
        }
    }

    pub(super) fn report(&mut self) {
        self.group.ended.report(self.ended.drain(..));
    }
}

impl Drop for GroupPoller {
    fn drop(&mut self) {
        // A panic that nobody foresaw ends the poller: what it had is lost, and its batch goes on.
        self.lose();
        self.report();
    }
}

/// Begins tasks that run the members of a group, too.
pub(super) fn spawn_all(group: &Arc<MemberGroup>) {
    for number in 1..=group.most {
        GroupPoller::new(Arc::clone(group), number).spawn();
    }
}

impl Overdue for MemberGroup {
    fn is_overdue(self: Arc<Self>) {
        spawn_all(&self);
    }
}

/// Notes the end of a member.
fn end(
    group: &MemberGroup,
    ended: &mut Vec<EndedMember>,
    listed: ListedTask,
    outcome: ToolOutcome,
) {
    let at = listed.at();
    listed.end(&outcome);
    ended.push((at, Some(outcome)));
    if group.ended.tells_each() {
        group.ended.report(ended.drain(..));
    }
}

/// A task that goes leaves nothing: it was stopped by its batch, or by the end of the runtime, where no other goes on
/// either.
struct CloseOnDrop(Arc<MemberGroup>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}
