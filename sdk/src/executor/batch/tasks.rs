//! The tasks of a batch.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
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

/// The number of calls up to which each has a task of its own once it waits, so that one that holds its thread then
/// holds up no other, where the runtime has several threads.
const TASKS: usize = 8;

/// Tasks, each of one call or of several. They are stopped when this is dropped.
///
/// A `JoinSet` has an entry and a waker for each task besides; here a task reports its own end.
pub(crate) struct BatchTasks {
    pub(crate) ended: Arc<EndedMembers>,
    tasks: Vec<JoinHandle<()>>,
    /// The members that groups have yet to begin, and the tasks of these.
    queues: Vec<Arc<SharedQueue>>,
}

/// A group that the batch polls itself, and its queue.
pub(crate) type OwnGroup = (BoxFuture<'static, ()>, Arc<SharedQueue>);

impl BatchTasks {
    /// No tasks yet. The batch is told of each end as soon as it comes, or of all together.
    pub(crate) fn new(tells_each: bool) -> Self {
        Self {
            ended: Arc::new(EndedMembers::new(tells_each)),
            tasks: Vec::new(),
            queues: Vec::new(),
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

    /// Makes a group of calls, of which so many wait at a time.
    pub(crate) fn group(&mut self, turn: &Turn, members: MemberQueue, most: usize) -> OwnGroup {
        let queue = SharedQueue::new(members, most, &self.ended);
        self.queues.push(Arc::clone(&queue));
        (run_group(turn.clone(), Arc::clone(&queue)), queue)
    }

    /// Runs calls whose bodies may wait. Returns the group that the batch is to poll, if there is one.
    pub(crate) fn run_together(
        &mut self,
        turn: &Turn,
        members: MemberQueue,
        runtime: &Handle,
        cx: &mut Context<'_>,
    ) -> Option<OwnGroup> {
        let count = members.len();
        if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
            // There is one thread in any case, so a first poll here holds up nobody longer than one in a task would,
            // and a few calls that are ready at once need no task.
            let (mut group, queue) = self.group(turn, members, count);
            if group.as_mut().poll(cx).is_ready() {
                return None;
            }
            return queue.spawn(group).zip(Some(queue));
        }
        let threads = runtime.metrics().num_workers();
        let most = count.div_ceil(threads.max(TASKS));
        let (own, queue) = self.group(turn, members, most);
        // More tasks than threads would not run at the same time, and a task costs more than a short call does. A
        // group whose members wait begins the next one. A worker may keep the last of those that it spawns for
        // itself, so two calls have two tasks besides the group here.
        if count > 1 {
            for _ in 0..threads.min(count) {
                queue.spawn(run_group(turn.clone(), Arc::clone(&queue)));
            }
        }
        if self.ended.tells_each() {
            // Nothing may hold up what the batch tells.
            return queue.spawn(own).zip(Some(queue));
        }
        // A thread takes longer to wake than many a call takes, so the batch begins members too. A body that holds its
        // thread here holds up none that the tasks can take.
        Some((own, queue))
    }
}

impl Drop for BatchTasks {
    fn drop(&mut self) {
        // A member begins only as long as the batch is there, also in a group that is being polled now.
        for queue in &self.queues {
            queue.stop();
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
