//! The calls of one message, side by side.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::runtime::Handle;

use crate::content::ToolCall;
use crate::executor::batch::member::{BeginningMember, MemberStart, ReadyMember};
use crate::executor::batch::spawn::TaskRegistration;
use crate::executor::batch::tasks::BatchTasks;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::catalog::tools::Concurrency;
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::{ListedTask, Task};
use crate::executor::guard::catch_tool_panic;
use crate::outcome::ToolOutcome;
use crate::schedule::BatchLock;
use crate::ticket::{Ticket, TicketError, Wait};
use crate::util::future::BoxFuture;

/// The number of bodies that never wait which run before others may.
const IN_A_ROW: u8 = 8;

/// Runs the calls of one message, and gives their outcomes in the order of the calls.
pub(crate) async fn call_all(turn: &Turn, calls: Vec<ToolCall<'_>>) -> Vec<ToolOutcome> {
    let batch = Batch::new(turn, calls);
    let mut outcomes: Vec<Option<ToolOutcome>> = Vec::new();
    outcomes.resize_with(batch.tasks.len(), || None);
    Box::pin(batch.run(|at, outcome| outcomes[at] = Some(outcome))).await;
    outcomes.into_iter().flatten().collect()
}

/// The next event of a batch.
enum BatchEvent {
    Preparing(usize, Box<CallState>, Stage),
    Ready(usize, ReadyMember),
    Shown(Vec<StartedMember>),
    Opened(Opened),
    Ended(usize, ToolOutcome),
}

/// The calls of one message on their way.
pub(crate) struct Batch<'a> {
    pub(crate) turn: Turn,
    /// All of them, each until its outcome was returned.
    pub(crate) tasks: Vec<Option<Arc<Task>>>,
    /// All of them, each until it runs in a task of its own.
    pub(crate) listed: Vec<Option<ListedTask>>,
    /// Those that are read and judged, in their order.
    pub(crate) beginning: VecDeque<(usize, BeginningMember<'a>)>,
    /// Those that are to be shown to hooks, or to ask somebody, together.
    pub(crate) begun: Vec<StartedMember>,
    pub(crate) showing: Option<BoxFuture<'static, Vec<StartedMember>>>,
    pub(crate) opening: Option<BoxFuture<'static, Opened>>,
    /// Those whose bodies never wait: they run here, when all have begun.
    pub(crate) here: VecDeque<(usize, ReadyMember)>,
    /// The number of them that have run since others could.
    pub(crate) in_a_row: u8,
    pub(crate) running: BatchTasks,
    /// The runs of calls if there is no runtime.
    pub(crate) in_turn: VecDeque<(usize, BoxFuture<'static, ToolOutcome>)>,
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
        let listed = self.listed[at].take();
        if Handle::try_current().is_ok() {
            self.running.spawn(at, listed, run);
        } else {
            let run = async move {
                let outcome = run.await;
                if let Some(listed) = listed {
                    listed.end(&outcome);
                }
                outcome
            };
            self.in_turn.push_back((at, Box::pin(run)));
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        // A host that drops the batch must not be unwound by what a tool holds.
        for (_, ready) in self.here.drain(..) {
            let _ = catch_tool_panic("the tool", || drop(ready));
        }
    }
}

impl<'a> Batch<'a> {
    /// Each call has its place among the others before the first is looked at.
    pub(crate) fn new(turn: &Turn, calls: Vec<ToolCall<'a>>) -> Self {
        let batch_lock = turn.batch_lock_of(&calls);
        let is_plain = batch_lock.is_none() && !turn.is_watched();
        let mut tasks = Vec::with_capacity(calls.len());
        let mut all = Vec::with_capacity(calls.len());
        let mut beginning = VecDeque::with_capacity(calls.len());
        for (at, call) in calls.into_iter().enumerate() {
            let TaskRegistration {
                listed,
                permit_guard,
            } = turn.enlist(&call, batch_lock.as_ref());
            let begin = match permit_guard {
                None if is_plain => BeginningMember::Plain(Arc::clone(&listed.task), call),
                permit_guard => {
                    BeginningMember::Full(turn.begin(&listed.task, permit_guard, call.into_owned()))
                }
            };
            tasks.push(Some(Arc::clone(&listed.task)));
            all.push(Some(listed));
            beginning.push_back((at, begin));
        }
        Self {
            turn: turn.clone(),
            tasks,
            listed: all,
            beginning,
            begun: Vec::new(),
            showing: None,
            opening: None,
            here: VecDeque::new(),
            in_a_row: 0,
            running: BatchTasks::default(),
            in_turn: VecDeque::new(),
        }
    }

    /// Tells of each call, when it has ended, which it was and how.
    pub(crate) async fn run(mut self, mut tell: impl FnMut(usize, ToolOutcome) + Send) {
        while let Some(event) = poll_fn(|cx| self.poll_event(cx)).await {
            match event {
                BatchEvent::Preparing(at, call_state, step) => self.begun(at, call_state, step),
                BatchEvent::Ready(at, ready) => self.ready(at, ready),
                BatchEvent::Shown(shown) => self.shown(shown),
                BatchEvent::Opened((asking, tickets)) => self.opened(asking, tickets),
                BatchEvent::Ended(at, outcome) => {
                    self.tasks[at] = None;
                    tell(at, outcome);
                }
            }
        }
        // The calls that are left have lost their tasks, because the runtime stopped them.
        for (at, task) in self.tasks.iter().enumerate() {
            if let Some(task) = task {
                tell(at, task.lost());
            }
        }
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<BatchEvent>> {
        for place in 0..self.beginning.len() {
            let (at, begin) = &mut self.beginning[place];
            if let Poll::Ready(start) = begin.poll(&self.turn, cx) {
                let at = *at;
                drop(self.beginning.remove(place));
                return Poll::Ready(Some(match start {
                    MemberStart::Ended(outcome) => self.ended(at, *outcome),
                    MemberStart::Goes(call_state, step) => {
                        BatchEvent::Preparing(at, call_state, step)
                    }
                    MemberStart::Ready(ready) => BatchEvent::Ready(at, ready),
                }));
            }
        }
        if self.beginning.is_empty() && !self.begun.is_empty() {
            self.go_on_together();
        }
        if let Some(shown) = arrived(&mut self.showing, cx) {
            return Poll::Ready(Some(BatchEvent::Shown(shown)));
        }
        if let Some(opened) = arrived(&mut self.opening, cx) {
            return Poll::Ready(Some(BatchEvent::Opened(opened)));
        }
        if self.beginning.is_empty()
            && let Some(event) = ready!(self.poll_here(cx))
        {
            return Poll::Ready(Some(event));
        }
        if let Some((at, run)) = self.in_turn.front_mut()
            && let Poll::Ready(outcome) = run.as_mut().poll(cx)
        {
            let at = *at;
            drop(self.in_turn.pop_front());
            return Poll::Ready(Some(self.ended(at, outcome)));
        }
        while let Poll::Ready(Some(ended)) = self.running.poll_next(cx) {
            // A task that was stopped is reported at the end.
            if let (at, Some(outcome)) = ended {
                return Poll::Ready(Some(BatchEvent::Ended(at, outcome)));
            }
        }
        let goes_on = !self.beginning.is_empty()
            || self.showing.is_some()
            || self.opening.is_some()
            || !self.in_turn.is_empty()
            || !self.running.is_empty();
        if goes_on {
            Poll::Pending
        } else {
            Poll::Ready(None)
        }
    }

    /// Runs the next body that never waits.
    fn poll_here(&mut self, cx: &mut Context<'_>) -> Poll<Option<BatchEvent>> {
        if self.here.is_empty() {
            return Poll::Ready(None);
        }
        if self.in_a_row == IN_A_ROW {
            self.in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.in_a_row += 1;
        let Some((at, ready)) = self.here.pop_front() else {
            return Poll::Ready(None);
        };
        let mut run = Box::pin(ready.run(self.turn.clone()));
        match run.as_mut().poll(cx) {
            Poll::Ready(outcome) => Poll::Ready(Some(self.ended(at, outcome))),
            // The output is larger than its model may see, and is being stored.
            Poll::Pending => {
                self.go(at, run);
                self.poll_here(cx)
            }
        }
    }

    /// A call that has no task of its own has ended.
    fn ended(&mut self, at: usize, outcome: ToolOutcome) -> BatchEvent {
        if let Some(listed) = self.listed[at].take() {
            listed.end(&outcome);
        }
        BatchEvent::Ended(at, outcome)
    }

    fn begun(&mut self, at: usize, call_state: Box<CallState>, step: Stage) {
        // A gate that blocks one of them keeps all of them from running, and hooks see them together.
        if self.turn.shared().hooks.look_before() {
            self.begun.push((at, call_state, step));
        } else {
            self.go_or_ask(at, call_state, step);
        }
    }

    fn ready(&mut self, at: usize, ready: ReadyMember) {
        if ready.never_waits {
            self.here.push_back((at, ready));
        } else {
            let run = ready.run(self.turn.clone());
            self.go(at, run);
        }
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

impl Turn {
    /// Returns the lock that keeps calls in order, if one of them must not run beside others.
    fn batch_lock_of(&self, calls: &[ToolCall<'_>]) -> Option<BatchLock> {
        // Without a runtime they run one after another anyway.
        if calls.len() < 2 || Handle::try_current().is_err() {
            return None;
        }
        let place = self.place();
        let catalog = place.catalog;
        let runs_alone = |call: &ToolCall<'_>| {
            let found = catalog.snapshot.find(call.name());
            found.is_some_and(|(number, _)| {
                let plan = catalog.plan(number);
                plan.beside == Concurrency::Nobody
            })
        };
        calls.iter().any(runs_alone).then(BatchLock::default)
    }
}
