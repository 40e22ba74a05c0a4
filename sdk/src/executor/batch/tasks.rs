//! The tasks of a batch.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::JoinHandle;

use crate::executor::batch::ended::EndedMembers;
use crate::executor::batch::group::MemberGroup;
use crate::executor::batch::poller::{GroupPoller, spawn_all};
use crate::executor::batch::queue::MemberQueue;
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::ListedTask;
use crate::outcome::ToolOutcome;
use crate::schedule::Overdue;

/// Tasks, each of one call or of several. They are stopped when this is dropped.
///
/// A `JoinSet` has an entry and a waker for each task besides; here a task reports its own end.
pub(crate) struct BatchTasks {
    pub(crate) ended: Arc<EndedMembers>,
    tasks: Vec<JoinHandle<()>>,
    groups: Vec<Arc<MemberGroup>>,
}

impl BatchTasks {
    /// No tasks yet. The batch is told of each end as soon as it comes, or of all together.
    pub(crate) fn new(tells_each: bool) -> Self {
        Self {
            ended: Arc::new(EndedMembers::new(tells_each)),
            tasks: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Runs a call in a task of its own, on the runtime around.
    pub(crate) fn spawn(
        &mut self,
        at: usize,
        listed: Option<ListedTask>,
        run: impl Future<Output = ToolOutcome> + Send + 'static,
    ) {
        self.ended.begin(1);
        self.tasks.push(tokio::spawn(BatchTask {
            run,
            listed,
            last: EndReport {
                ended: Arc::clone(&self.ended),
                at,
                outcome: None,
            },
        }));
    }

    /// Makes a group of calls, and the batch's own poller of it.
    pub(crate) fn group(
        &mut self,
        turn: &Turn,
        members: MemberQueue,
        runtime: Option<Handle>,
    ) -> GroupPoller {
        let group = MemberGroup::new(turn, members, &self.ended, runtime);
        self.groups.push(Arc::clone(&group));
        GroupPoller::new(group, 0)
    }

    /// Runs a group where there is one thread. A first poll here holds up nobody longer than one in a task would, and a few
    /// calls that are ready at once need no task.
    pub(crate) fn go_on_here(mut own: GroupPoller, cx: &mut Context<'_>) {
        if own.poll(cx).is_pending() || !own.group().is_empty() {
            own.spawn();
        }
    }

    /// Runs calls whose bodies may wait. Returns the poller that the batch is to poll, if there is one.
    pub(crate) fn run_together(
        &mut self,
        turn: &Turn,
        members: MemberQueue,
        runtime: &Handle,
        cx: &mut Context<'_>,
    ) -> Option<GroupPoller> {
        let own = self.group(turn, members, Some(runtime.clone()));
        if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
            Self::go_on_here(own, cx);
            return None;
        }
        if self.ended.tells_each() {
            // Nothing may hold up what the batch tells.
            spawn_all(own.group());
            own.spawn();
            return None;
        }
        // A thread takes longer to wake than many a batch takes. So the batch runs its members itself for a moment,
        // and a body that holds its thread here holds up the others for no longer.
        let group: Weak<MemberGroup> = Arc::downgrade(own.group());
        let group: Weak<dyn Overdue> = group;
        if turn.shared().timers.arm(runtime, &group).is_err() {
            spawn_all(own.group());
        }
        Some(own)
    }
}

impl Drop for BatchTasks {
    fn drop(&mut self) {
        // A member begins only as long as the batch is there, also in a group that is being polled now.
        for group in &self.groups {
            group.stop();
        }
        for task in &self.tasks {
            task.abort();
        }
    }
}

pin_project! {
    /// Fields are dropped in their order: the end is reported last, when nothing of the call is left.
    struct BatchTask<F> {
        #[pin]
        run: F,
        listed: Option<ListedTask>,
        last: EndReport,
    }
}

impl<F: Future<Output = ToolOutcome>> Future for BatchTask<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        let outcome = ready!(this.run.poll(cx));
        if let Some(listed) = this.listed.take() {
            listed.end(&outcome);
        }
        this.last.outcome = Some(outcome);
        Poll::Ready(())
    }
}

/// Tells that a task is over, when it goes.
struct EndReport {
    ended: Arc<EndedMembers>,
    at: usize,
    outcome: Option<ToolOutcome>,
}

impl Drop for EndReport {
    fn drop(&mut self) {
        let ended = (self.at, self.outcome.take());
        self.ended.report([ended].into_iter());
    }
}
