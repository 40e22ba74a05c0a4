//! Members of a batch that nothing has to decide on, and that run in the batch's own future: they need no more than their
//! call until they begin.

use std::task::{Context, Poll};

use crate::executor::batch::poller::{GroupPoller, IN_A_ROW};
use crate::executor::batch::run::Batch;
use crate::executor::batch::tasks::BatchTasks;
use crate::executor::call::reached::Reached;
use crate::util::panic::catch_panic;

impl Batch<'_> {
    /// Runs members whose bodies never wait. Ready when none is left.
    pub(super) fn run_direct(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        for _ in 0..IN_A_ROW {
            let Some((at, member)) = self.direct.pop_front() else {
                return Poll::Ready(());
            };
            let Some(listed) = self.ends.take(at) else {
                continue;
            };
            // Panics of the tool are caught below, as in a poller. A member that is not told has lost its run.
            match catch_panic(|| member.begin(&self.turn, &listed.task, cx)) {
                Ok(Reached::Ended(outcome)) => self.ends.end_of(listed, outcome),
                Ok(Reached::Goes(rest)) => {
                    self.ends.put(listed);
                    self.go(at, rest);
                }
                Err(_) => drop(listed),
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Begins members whose bodies may wait, where there is one thread in any case. They go on in a group,
    /// with any others there.
    pub(super) fn begin_lent(&mut self, mut own: GroupPoller, cx: &mut Context<'_>) {
        for _ in 0..IN_A_ROW {
            let Some((at, member)) = self.lent.pop_front() else {
                break;
            };
            if let Some(listed) = self.ends.take(at) {
                own.begin_lent(listed, member);
            }
        }
        if self.lent.is_empty() {
            BatchTasks::go_on_here(own, cx);
        } else {
            own.report();
            cx.waker().wake_by_ref();
            self.begins = Some(own);
        }
    }
}
