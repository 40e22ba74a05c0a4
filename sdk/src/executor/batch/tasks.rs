//! The tasks of a batch: who has ended, and how.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use pin_project_lite::pin_project;
use tokio::task::JoinHandle;

use crate::executor::core::tasks::ListedTask;
use crate::outcome::ToolOutcome;
use crate::util::lock::Lock;

/// Tasks, each of a call. They are stopped when this is dropped.
///
/// A `JoinSet` has an entry and a waker for each task besides; here a task reports its own end.
#[derive(Default)]
pub(crate) struct BatchTasks {
    ended: Arc<Lock<EndedTasks>>,
    /// By the number of the call.
    tasks: Vec<Option<JoinHandle<()>>>,
    running: usize,
}

#[derive(Default)]
struct EndedTasks {
    /// Without an outcome where the task was stopped.
    ended: VecDeque<(usize, Option<ToolOutcome>)>,
    waker: Option<Waker>,
}

impl BatchTasks {
    /// Runs a call in a task of its own, on the runtime around.
    pub(crate) fn spawn(
        &mut self,
        at: usize,
        listed: Option<ListedTask>,
        run: impl Future<Output = ToolOutcome> + Send + 'static,
    ) {
        let task = tokio::spawn(BatchTask {
            run,
            listed,
            last: EndReport {
                ended: Arc::clone(&self.ended),
                at,
                outcome: None,
            },
        });
        if self.tasks.len() <= at {
            self.tasks.resize_with(at + 1, || None);
        }
        self.tasks[at] = Some(task);
        self.running += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running == 0
    }

    /// The next that has ended, with its outcome unless it was stopped; none where none runs.
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(usize, Option<ToolOutcome>)>> {
        if self.running == 0 {
            return Poll::Ready(None);
        }
        let mut told = self.ended.lock();
        let Some((at, outcome)) = told.ended.pop_front() else {
            match &mut told.waker {
                Some(waker) => waker.clone_from(cx.waker()),
                none => *none = Some(cx.waker().clone()),
            }
            return Poll::Pending;
        };
        drop(told);
        self.running -= 1;
        self.tasks[at] = None;
        Poll::Ready(Some((at, outcome)))
    }
}

impl Drop for BatchTasks {
    fn drop(&mut self) {
        for task in self.tasks.iter().flatten() {
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
    ended: Arc<Lock<EndedTasks>>,
    at: usize,
    outcome: Option<ToolOutcome>,
}

impl Drop for EndReport {
    fn drop(&mut self) {
        let mut told = self.ended.lock();
        told.ended.push_back((self.at, self.outcome.take()));
        let waker = told.waker.take();
        drop(told);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
