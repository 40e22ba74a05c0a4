//! The settings of time, size, depth and number.

use std::time::Duration;

use crate::executor::builder::ExecutorBuilder;
use crate::executor::call::nested::MAX_DEPTH;
use crate::executor::concurrency::slots;
use crate::nesting::DEPTH;

impl ExecutorBuilder {
    /// Sets how long a call may take unless its tool says otherwise; `None` for as long as it
    /// likes. Default: 60 seconds.
    ///
    /// The time counts from when the call first waits. A body that never waits cannot be stopped.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// Sets how long a body may go on after its call was cancelled, to put in order what it has begun:
    /// it learns of it by [`ToolContext::cancelled`](crate::ToolContext::cancelled), and is dropped when
    /// that time is over. Default: 100 milliseconds; with zero, and where there are no timers, it is
    /// dropped at once.
    ///
    /// The call ends as cancelled, whatever the body gives in that time: that is thrown away and
    /// [counted](crate::Executor::counts). A timeout drops the body at once: it was known from the start, and
    /// a body that needs time to end keeps some of it.
    pub fn cancel_grace(mut self, grace: Duration) -> Self {
        self.cancel_grace = grace;
        self
    }

    /// Sets how large the arguments of a call may be, in bytes of JSON: of a text those that were
    /// sent, of a tree those of its shortest text. Default: 1 MiB (1,048,576 bytes).
    ///
    /// A call whose arguments are larger ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded), and the tool does not see
    /// them.
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.reading.max_bytes = bytes;
        self
    }

    /// Sets how many levels of objects and lists may stand in each other in the arguments of a call;
    /// the arguments object itself is the first. Default: 64. More than 127, which is as far as JSON
    /// is read, count as 127.
    ///
    /// A call whose arguments nest deeper ends as one of [`ExecutorBuilder::max_input_bytes`].
    pub fn max_input_depth(mut self, levels: usize) -> Self {
        self.reading.max_depth = levels.min(DEPTH);
        self
    }

    /// Sets how deep tools may [call each other](crate::ToolContext::call): 1 for tools that call tools
    /// which call none, 0 for tools that call none. Default: 8. More than 32 count as 32.
    ///
    /// A call that is deeper ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded).
    pub fn max_call_depth(mut self, levels: usize) -> Self {
        self.max_call_depth = levels.min(MAX_DEPTH);
        self
    }

    /// Sets how many calls of a tool may run at a time in all sessions of the executor; 0 counts as 1.
    /// Default: any number. A tool that there is not keeps the executor from being built.
    ///
    /// The others wait for their turn, which does not count as time of theirs, and can be cancelled
    /// meanwhile. A call that waits for people counts as one that does not run. A tool that calls itself
    /// through its context is one call. A call that a tool with a limit makes of another tool with a
    /// limit does not wait, because the two could wait for each other: if no slot is free, it ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded), and may be tried again.
    pub fn max_concurrent_of(mut self, tool: impl Into<String>, calls: usize) -> Self {
        self.slots.insert(tool.into(), slots(calls));
        self
    }
}
