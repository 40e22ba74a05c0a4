//! The limits of calls: time, size, depth and number.

use std::time::Duration;

use crate::executor::builder::ExecutorBuilder;
use crate::executor::call::nested::MAX_DEPTH;
use crate::executor::concurrency::slots;
use crate::util::nesting::DEPTH;

/// A time limit; `None` for no limit.
type TimeLimit = Option<Duration>;

/// The limits of an executor's calls, for [`ExecutorBuilder::limits`]: what is not set here stays as it is.
///
/// The setters form one expression. A struct that grows cannot be written as a literal outside of its crate, not even
/// with `..Limits::default()`.
///
/// ```
/// use std::time::Duration;
/// use toolwright::{Executor, ToolRegistry};
/// use toolwright::executor::Limits;
///
/// let limits = Limits::new().timeout(Duration::from_secs(5)).max_output_bytes(4_096);
/// let executor = Executor::builder(ToolRegistry::new()).limits(limits).build()?;
/// # let _ = executor;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "an executor takes limits by `ExecutorBuilder::limits`"]
pub struct Limits {
    timeout: Option<TimeLimit>,
    cancel_grace: Option<Duration>,
    hook_timeout: Option<TimeLimit>,
    permission_timeout: Option<Duration>,
    store_timeout: Option<TimeLimit>,
    max_input_bytes: Option<usize>,
    max_input_depth: Option<usize>,
    max_output_bytes: Option<u64>,
    max_call_depth: Option<usize>,
    max_concurrent: Vec<(String, usize)>,
}

impl Limits {
    /// Returns limits that change nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long a call may take unless its tool says otherwise; `None` for as long as it
    /// likes. Default: 60 seconds.
    ///
    /// The time counts from when the call first waits. A body that never waits cannot be stopped.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = Some(timeout.into());
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
        self.cancel_grace = Some(grace);
        self
    }

    /// Sets how long a hook may take with a call; `None` for as long as it likes. Default: 60 seconds.
    ///
    /// The time counts from when the hook first waits.
    pub fn hook_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.hook_timeout = Some(timeout.into());
        self
    }

    /// Sets how long an [`AsyncPermissionChecker`](crate::permission::AsyncPermissionChecker) may take for one
    /// answer, the executor's and those of sessions alike. Default: 5 seconds. A call whose check takes longer is
    /// denied.
    pub fn permission_timeout(mut self, timeout: Duration) -> Self {
        self.permission_timeout = Some(timeout);
        self
    }

    /// Sets how long one operation of a store may take: of the [tickets](crate::executor::Approvals::ticket_store), the
    /// [results](ExecutorBuilder::result_store), and a step of the [recorder](ExecutorBuilder::call_recorder); `None` for
    /// as long as it likes. Default: 10 seconds.
    ///
    /// A store that hangs, fails or panics takes no call with it. A write that did not end in time is
    /// unknown: it is read back, and if it is not there or cannot be read, the call that needs it ends
    /// with an error of kind [`Unavailable`](crate::content::ErrorKind::Unavailable) before its body runs. A step
    /// of the recorder that did not end in time has failed. A call may do several operations, so it takes longer than this before it gives up. Calls of pure tools that
    /// ask nobody do without the store of tickets.
    ///
    /// Operations that hold their thread cannot be stopped: a store awaits, or has a thread of its own.
    /// Without timers in the runtime there is no limit.
    pub fn store_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.store_timeout = Some(timeout.into());
        self
    }

    /// Sets how large the arguments of a call may be, in bytes of JSON: of a text those that were
    /// sent, of a tree those of its shortest text. Default: 1 MiB (1,048,576 bytes).
    ///
    /// A call whose arguments are larger ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded), and the tool does not see
    /// them.
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.max_input_bytes = Some(bytes);
        self
    }

    /// Sets how many levels of objects and lists may stand in each other in the arguments of a call;
    /// the arguments object itself is the first. Default: 64. More than 127, which is as far as JSON
    /// is read, count as 127.
    ///
    /// A call whose arguments nest deeper ends as one of [`max_input_bytes`](Self::max_input_bytes).
    pub fn max_input_depth(mut self, levels: usize) -> Self {
        self.max_input_depth = Some(levels.min(DEPTH));
        self
    }

    /// Sets how many bytes of a result the model sees at once, unless the tool says otherwise
    /// (`limits(output = ..)`). Default: 64 KiB (65,536 bytes).
    ///
    /// A larger output, errors included, is cut at the end of a character, and a last line, which does
    /// not count, says how much there was. [`ToolResult::truncated`](crate::ToolResult::truncated) tells
    /// the host. With a [store](ExecutorBuilder::result_store), the model can read on.
    pub fn max_output_bytes(mut self, bytes: u64) -> Self {
        self.max_output_bytes = Some(bytes);
        self
    }

    /// Sets how deep tools may [call each other](crate::ToolContext::call): 1 for tools that call tools
    /// which call none, 0 for tools that call none. Default: 8. More than 32 count as 32.
    ///
    /// A call that is deeper ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded).
    pub fn max_call_depth(mut self, levels: usize) -> Self {
        self.max_call_depth = Some(levels.min(MAX_DEPTH));
        self
    }

    /// Sets how many calls of a tool may run at a time in all sessions of the executor; 0 counts as 1.
    /// Default: any number. A name that no tool has keeps the executor from being built.
    ///
    /// The others wait for their turn, which does not count as time of theirs, and can be cancelled
    /// meanwhile. A call that waits for people counts as one that does not run. A tool that calls itself
    /// through its context is one call. A call that a tool with a limit makes of another tool with a
    /// limit does not wait, because the two could wait for each other: if no slot is free, it ends with
    /// [`ErrorKind::LimitExceeded`](crate::content::ErrorKind::LimitExceeded), and may be tried again.
    pub fn max_concurrent_of(mut self, tool: impl Into<String>, calls: usize) -> Self {
        self.max_concurrent.push((tool.into(), calls));
        self
    }
}

/// Sets a field of the builder where a group has a value for it.
pub(super) fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

impl ExecutorBuilder {
    /// Sets limits of the executor's calls: see [`Limits`], which has the defaults. Limits that were set before and are
    /// not set again stay.
    pub fn limits(mut self, limits: Limits) -> Self {
        let Limits {
            timeout,
            cancel_grace,
            hook_timeout,
            permission_timeout,
            store_timeout,
            max_input_bytes,
            max_input_depth,
            max_output_bytes,
            max_call_depth,
            max_concurrent,
        } = limits;
        set(&mut self.planner.timeout, timeout);
        set(&mut self.cancel_grace, cancel_grace);
        set(&mut self.hooks.timeout, hook_timeout);
        set(&mut self.store_timeout, store_timeout);
        set(&mut self.reading.max_bytes, max_input_bytes);
        set(&mut self.reading.max_depth, max_input_depth);
        set(&mut self.planner.excess.limit, max_output_bytes);
        set(&mut self.max_call_depth, max_call_depth);
        if let Some(timeout) = permission_timeout {
            self.judge().set_patience(timeout);
        }
        for (tool, calls) in max_concurrent {
            self.planner.slots.insert(tool, slots(calls));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Executor;
    use crate::executor::builder::approvals::Approvals;
    use crate::executor::people::mode::WaitMode;
    use crate::registry::ToolRegistry;
    use crate::ticket::TicketKey;

    #[test]
    fn what_a_group_does_not_set_stays() {
        let builder = Executor::builder(ToolRegistry::new())
            .limits(Limits::new().timeout(None).max_input_depth(9))
            .limits(
                Limits::new()
                    .max_input_bytes(5)
                    .max_concurrent_of("t", 2)
                    .max_input_depth(7),
            )
            .limits(Limits::new());
        assert_eq!(builder.planner.timeout, None);
        assert_eq!(
            (builder.reading.max_bytes, builder.reading.max_depth),
            (5, 7)
        );
        assert_eq!(builder.planner.slots["t"].available_permits(), 2);

        let builder = builder
            .approvals(
                Approvals::new()
                    .ticket_key(TicketKey::from_bytes([7; 32]))
                    .ticket_lifetime(Duration::ZERO),
            )
            .approvals(WaitMode::Blocking);
        assert_eq!(builder.mode, WaitMode::Blocking);
        assert_eq!(builder.lifetime, Duration::ZERO);
        assert!(builder.key.is_some());
    }
}
