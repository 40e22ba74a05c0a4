//! The calls of one message, side by side.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::content::ToolCall;
use crate::context::CallTurn;
use crate::executor::batch::ended::EndedMember;
use crate::executor::batch::member::{
    BeginningMember, DirectMember, MemberStart, ReadMember, ReadyMember,
};
use crate::executor::batch::poller::GroupPoller;
use crate::executor::batch::queue::{MemberQueue, reserve};
use crate::executor::batch::spawn::{EnlistedCall, TaskRegistrations};
use crate::executor::batch::tasks::BatchTasks;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::{ListedTask, TaskList};
use crate::outcome::ToolOutcome;
use crate::ticket::{Ticket, TicketError, Wait};
use crate::util::future::BoxFuture;

/// Runs the calls of one message, and gives their outcomes in the order of the calls.
pub(crate) async fn call_all(turn: &Turn, calls: Vec<ToolCall<'_>>) -> Vec<ToolOutcome> {
    let mut outcomes: Vec<Option<ToolOutcome>> = Vec::new();
    outcomes.resize_with(calls.len(), || None);
    let batch = Batch::new(turn, calls, false);
    Box::pin(batch.run(|at, outcome| outcomes[at] = Some(outcome))).await;
    let mut all = Vec::with_capacity(outcomes.len());
    all.extend(outcomes.into_iter().flatten());
    all
}

/// The calls of one message on their way.
pub(crate) struct Batch<'a> {
    pub(crate) turn: Turn,
    list: Arc<TaskList>,
    pub(super) ends: MemberEnds,
    /// Those that are read and judged, in their order.
    beginning: Vec<(usize, BeginningMember<'a>)>,
    /// Members that nothing has to decide on and whose bodies never wait: they run here, when all others have begun.
    pub(super) direct: VecDeque<(usize, DirectMember<'a>)>,
    /// Members that nothing has to decide on, and that begin here and run apart, because there is one thread.
    pub(super) lent: VecDeque<(usize, DirectMember<'a>)>,
    /// The poller that begins these, until all have begun.
    pub(super) begins: Option<GroupPoller>,
    /// Those that are to be shown to hooks, or to ask somebody, together.
    pub(crate) begun: Vec<StartedMember>,
    pub(crate) showing: Option<BoxFuture<'static, Vec<StartedMember>>>,
    pub(crate) opening: Option<BoxFuture<'static, Opened>>,
    /// The members whose bodies may wait: they run together, in tasks if they take longer than a moment.
    pub(super) apart: MemberQueue,
    /// The others whose bodies never wait: they run here, when all have begun.
    here: MemberQueue,
    /// The pollers of groups that are polled here.
    pollers: Vec<GroupPoller>,
    pub(super) running: BatchTasks,
    /// The runs of calls if there is no runtime.
    in_turn: VecDeque<(usize, BoxFuture<'static, ToolOutcome>)>,
}

/// The ends of members that have no task of their own.
pub(super) struct MemberEnds {
    /// All members, each until it has ended or runs in a task.
    listed: Vec<Option<ListedTask>>,
    /// Those that have ended and were not told.
    ended: Vec<EndedMember>,
}

impl MemberEnds {
    /// Takes a member that runs.
    pub(super) fn take(&mut self, at: usize) -> Option<ListedTask> {
        self.listed[at].take()
    }

    /// Gives back a member that was taken.
    pub(super) fn put(&mut self, listed: ListedTask) {
        let at = listed.at();
        self.listed[at] = Some(listed);
    }

    /// A call that has no task of its own has ended.
    fn end(&mut self, at: usize, outcome: ToolOutcome) {
        match self.take(at) {
            Some(listed) => self.end_of(listed, outcome),
            None => self.ended.push((at, Some(outcome))),
        }
    }

    /// The same of a call that was taken.
    pub(super) fn end_of(&mut self, listed: ListedTask, outcome: ToolOutcome) {
        let at = listed.at();
        listed.end(&outcome);
        self.ended.push((at, Some(outcome)));
    }
}

/// A member that has begun, and what it does next.
pub(crate) type StartedMember = (usize, Box<CallState>, Stage);

/// The members that asked, what they asked, and their tickets.
pub(crate) type Opened = (
    Vec<(usize, Box<CallState>, Wait)>,
    Result<Vec<Arc<Ticket>>, TicketError>,
);

impl Batch<'_> {
    pub(crate) fn go(
        &mut self,
        at: usize,
        run: impl Future<Output = ToolOutcome> + Send + 'static,
    ) {
        if Handle::try_current().is_ok() {
            let listed = self.ends.take(at);
            self.running.spawn(at, listed, run);
        } else {
            self.in_turn.push_back((at, Box::pin(run)));
        }
    }
}

impl<'a> Batch<'a> {
    /// Each call has its place among the others before the first is looked at.
    pub(crate) fn new(turn: &Turn, calls: Vec<ToolCall<'a>>, tells_each: bool) -> Self {
        let TaskRegistrations {
            list,
            enlisted,
            keeps_order,
        } = turn.enlist(&calls);
        let is_plain = !keeps_order && !turn.is_watched();
        let site = turn.place_of(CallTurn::Scope(&turn.scope), turn.invocation(0));
        let has_one_thread = Handle::try_current()
            .is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::CurrentThread);
        let mut listed = Vec::with_capacity(calls.len());
        let mut beginning = Vec::new();
        let (mut direct, mut lent) = (VecDeque::new(), VecDeque::new());
        let mut apart = MemberQueue::default();
        let count = calls.len();
        for (at, (call, enlisted)) in calls.into_iter().zip(enlisted).enumerate() {
            let hold = list.listed(at);
            let begin = match enlisted {
                EnlistedCall { tool, permit: None } if is_plain => {
                    match DirectMember::of(turn.shared(), &site, call, tool) {
                        Ok(member) if member.never_waits(&site) => {
                            reserve(&mut direct, count - at);
                            direct.push_back((at, member));
                            listed.push(Some(hold));
                            continue;
                        }
                        Ok(member) if has_one_thread => {
                            reserve(&mut lent, count - at);
                            lent.push_back((at, member));
                            listed.push(Some(hold));
                            continue;
                        }
                        // To copy a tree takes longer than to read it.
                        Ok(DirectMember { call, .. }) if call.arguments().is_lent_tree() => {
                            BeginningMember::Plain(call, tool)
                        }
                        Ok(member) => {
                            apart.push_lent(hold, member, count - at);
                            listed.push(None);
                            continue;
                        }
                        Err(call) => BeginningMember::Plain(call, tool),
                    }
                }
                EnlistedCall { permit, .. } => {
                    BeginningMember::Full(turn.begin(&hold.task, permit, call.into_owned()))
                }
            };
            listed.push(Some(hold));
            beginning.push((at, begin));
        }
        Self {
            turn: turn.clone(),
            list,
            ends: MemberEnds {
                listed,
                ended: Vec::new(),
            },
            beginning,
            direct,
            lent,
            begins: None,
            begun: Vec::new(),
            showing: None,
            opening: None,
            apart,
            here: MemberQueue::default(),
            pollers: Vec::new(),
            running: BatchTasks::new(tells_each),
            in_turn: VecDeque::new(),
        }
    }

    /// Tells of each call, when it has ended, which it was and how.
    pub(crate) async fn run(mut self, mut tell: impl FnMut(usize, ToolOutcome) + Send) {
        let mut is_told = vec![false; self.ends.listed.len()];
        poll_fn(|cx| {
            let polled = self.poll(cx);
            for (at, outcome) in self.ends.ended.drain(..) {
                // A task that was stopped is told at the end.
                if let Some(outcome) = outcome {
                    is_told[at] = true;
                    tell(at, outcome);
                }
            }
            polled
        })
        .await;
        // The calls that are left have lost their tasks, because the runtime stopped them.
        for (at, is_told) in is_told.into_iter().enumerate() {
            if !is_told {
                tell(at, self.list.task(at).lost());
            }
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_beginning(cx);
        self.run_apart(cx);
        if self.beginning.is_empty() && !self.begun.is_empty() {
            self.go_on_together();
        }
        if let Some(shown) = arrived(&mut self.showing, cx) {
            self.shown(shown);
        }
        if let Some((asking, tickets)) = arrived(&mut self.opening, cx) {
            self.opened(asking, tickets);
        }
        if self.poll_here(cx).is_ready() && self.beginning.is_empty() {
            self.poll_in_turn(cx);
        }
        let are_tasks_over = self
            .running
            .ended
            .poll_take(&mut self.ends.ended, cx)
            .is_ready();
        let goes_on = !self.beginning.is_empty()
            || !self.direct.is_empty()
            || !self.lent.is_empty()
            || self.showing.is_some()
            || self.opening.is_some()
            || !self.in_turn.is_empty()
            || !are_tasks_over;
        if goes_on {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }

    fn poll_beginning(&mut self, cx: &mut Context<'_>) {
        let mut beginning = mem::take(&mut self.beginning);
        beginning.retain_mut(|(at, begin)| {
            let task = self.list.task(*at);
            let Poll::Ready(start) = begin.poll(&self.turn, task, cx) else {
                return true;
            };
            match start {
                MemberStart::Ended(outcome) => self.ends.end(*at, *outcome),
                MemberStart::Goes(call_state, step) => self.begun(*at, call_state, step),
                MemberStart::Ready(ready) => self.ready(*at, ready),
            }
            false
        });
        self.beginning = beginning;
    }

    fn run_apart(&mut self, cx: &mut Context<'_>) {
        // The batch may be polled outside of its runtime later.
        if let Some(begins) = self.begins.take() {
            self.begin_lent(begins, cx);
        }
        if self.begins.is_some() || self.apart.is_empty() && self.lent.is_empty() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            return self.run_in_turn();
        };
        let members = mem::take(&mut self.apart);
        if self.lent.is_empty() {
            let running = &mut self.running;
            let own = running.run_together(&self.turn, members, &runtime, cx);
            self.pollers.extend(own);
        } else {
            self.running.ended.begin(self.lent.len());
            let begins = self.running.group(&self.turn, members, Some(runtime));
            self.begin_lent(begins, cx);
        }
    }

    /// Has members run one after another, because there is no runtime.
    fn run_in_turn(&mut self) {
        let lent = mem::take(&mut self.lent);
        let count = lent.len();
        for (at, member) in lent {
            if let Some(listed) = self.ends.take(at) {
                self.apart.push_lent(listed, member, count);
            }
        }
        let mut members = mem::take(&mut self.apart);
        let texts = members.take_texts();
        while let Some((listed, ready)) = members.pop() {
            let (at, task) = (listed.at(), listed.task.clone());
            self.ends.put(listed);
            self.go(at, ready.run(&texts, self.turn.clone(), task));
        }
    }

    /// Polls groups here: that of bodies that never wait, and those of others. Ready when they have nothing to do.
    fn poll_here(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut polled = Poll::Ready(());
        if self.beginning.is_empty() && !self.direct.is_empty() {
            polled = self.run_direct(cx);
        }
        if self.beginning.is_empty() && !self.here.is_empty() {
            let members = mem::take(&mut self.here);
            let own = self.running.group(&self.turn, members, None);
            self.pollers.push(own);
        }
        for poller in &mut self.pollers {
            if poller.poll(cx).is_pending() {
                polled = Poll::Pending;
            }
        }
        polled
    }

    /// Runs calls one after another.
    fn poll_in_turn(&mut self, cx: &mut Context<'_>) {
        while let Some((at, run)) = self.in_turn.front_mut()
            && let Poll::Ready(outcome) = run.as_mut().poll(cx)
        {
            let at = *at;
            drop(self.in_turn.pop_front());
            self.ends.end(at, outcome);
        }
    }

    fn begun(&mut self, at: usize, call_state: Box<CallState>, step: Stage) {
        // A gate that blocks one of them keeps all of them from running, and hooks see them together.
        if self.turn.shared().hooks.look_before() {
            self.begun.push((at, call_state, step));
        } else {
            self.go_or_ask(at, call_state, step);
        }
    }

    #[inline]
    fn ready(&mut self, at: usize, read: Box<ReadMember>) {
        let Some(listed) = self.ends.take(at) else {
            return;
        };
        let queue = if read.never_waits {
            &mut self.here
        } else {
            &mut self.apart
        };
        queue.push(listed, ReadyMember::Read(read));
    }
}

/// Returns the output of a future once, when it is ready.
fn arrived<T>(future: &mut Option<BoxFuture<'static, T>>, cx: &mut Context<'_>) -> Option<T> {
    let Poll::Ready(ready) = future.as_mut()?.as_mut().poll(cx) else {
        return None;
    };
    *future = None;
    Some(ready)
}
