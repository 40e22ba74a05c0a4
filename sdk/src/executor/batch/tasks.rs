//! The tasks of a batch.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::JoinHandle;

use crate::executor::batch::ended::EndedMembers;
use crate::executor::batch::group::{MemberQueue, SharedQueue, run_group};
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::ListedTask;
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// The number of calls up to which each has a task of its own, so that one that holds its thread holds up no other, where
/// the runtime has several threads.
const TASKS: usize = 8;

/// Tasks, each of one call or of several. They are stopped when this is dropped.
///
/// A `JoinSet` has an entry and a waker for each task besides; here a task reports its own end.
pub(crate) struct BatchTasks {
    pub(crate) ended: Arc<EndedMembers>,
    tasks: Vec<JoinHandle<()>>,
    /// The members that the groups have yet to begin.
    queue: Weak<SharedQueue>,
}

impl BatchTasks {
    /// No tasks yet. The batch is told of each end as soon as it comes, or of all together.
    pub(crate) fn new(tells_each: bool) -> Self {
        Self {
            ended: Arc::new(EndedMembers::new(tells_each)),
            tasks: Vec::new(),
            queue: Weak::new(),
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

    /// Goes on with a group in a task of its own, on the runtime around.
    pub(crate) fn spawn_group(&mut self, group: BoxFuture<'static, ()>) {
        self.tasks.push(tokio::spawn(group));
    }

    /// Runs calls whose bodies may wait.
    pub(crate) fn run_together(
        &mut self,
        turn: &Turn,
        members: MemberQueue,
        runtime: &Handle,
        cx: &mut Context<'_>,
    ) {
        let count = members.len();
        self.ended.begin(count);
        let queue = SharedQueue::new(members, Arc::clone(&self.ended));
        self.queue = Arc::downgrade(&queue);
        if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
            // There is one thread in any case, so a first poll here holds up nobody longer than one in a task would,
            // and a few calls that are ready at once need no task.
            let mut group: BoxFuture<'static, ()> = Box::pin(run_group(turn.clone(), queue, count));
            if group.as_mut().poll(cx).is_pending() {
                self.spawn_group(group);
            }
            return;
        }
        // A body may hold its thread for a while before it first waits, so that what is polled here would run alone.
        // More tasks than threads would not run at the same time, and a task for each of a hundred short calls costs
        // more than they do. As many as models make at once have one each all the same.
        let threads = runtime.metrics().num_workers();
        let groups = threads.max(TASKS).min(count);
        let most = count.div_ceil(groups.max(1));
        for _ in 0..groups {
            let group = run_group(turn.clone(), Arc::clone(&queue), most);
            self.tasks.push(tokio::spawn(group));
        }
    }
}

impl Drop for BatchTasks {
    fn drop(&mut self) {
        // A member begins only as long as the batch is there, also in a group that is being polled now.
        if let Some(queue) = self.queue.upgrade() {
            queue.close();
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
