//! The calls of one message on their way.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::executor::batch::member::{BeginningMember, ReadyMember};
use crate::executor::batch::tasks::BatchTasks;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::core::handles::Turn;
use crate::executor::core::tasks::{ListedTask, Task};
use crate::executor::guard::catch_tool_panic;
use crate::outcome::ToolOutcome;
use crate::ticket::{Ticket, TicketError, Wait};
use crate::util::future::BoxFuture;

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
