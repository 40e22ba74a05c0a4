//! The two things that stop a body that waits: its timeout, and the cancellation of its call. Its polls are in `run`.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use crate::content::{ErrorKind, ToolError, ToolOutput};
use crate::context::RemainingTime;
use crate::executor::call::body_scope::BodyScope;
use crate::executor::guard::{catch_tool_panic, no_timers, shutting_down};
use crate::schedule::{BodyStage, Deadline, DeadlineQueue, TimerFault};
use crate::util::future::BoxFuture;

/// The reason why a body was stopped.
enum StopReason {
    Cancelled,
    TimedOut,
}

/// The error of the executor about a body.
pub(crate) enum BodyFault {
    /// The body never began, or panicked.
    Executor(ToolError),
    /// The executor stopped the body on its way; it may have had an effect.
    Stopped(ToolError),
}

/// The end of a body, in the place where it stays until the outcome of the call is made of it. It is written and read
/// within nanoseconds, and each move of it would have to wait for the one before.
pub(crate) struct BodyEnd {
    /// The return of the body; pending until it has ended.
    pub(crate) ran: Poll<Result<ToolOutput, ToolError>>,
    /// The fault that goes before what the body returned.
    pub(crate) fault: Option<BodyFault>,
}

impl BodyEnd {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            ran: Poll::Pending,
            fault: None,
        }
    }

    /// Notes the fault of a body that has ended, in place of what it returned. To drop that runs code of the tool,
    /// which may panic.
    #[cold]
    pub(crate) fn fail(&mut self, fault: BodyFault) {
        let ran = std::mem::replace(&mut self.ran, Poll::Pending);
        let _ = catch_tool_panic("the tool", || drop(ran));
        self.fault = Some(fault);
    }
}

/// A body that runs in place: its panics are caught, cancellation is looked for at each poll, and
/// the timeout is armed when it first waits, so that one that never waits reads no clock.
pub(crate) struct GuardedBody<'a, 'b> {
    /// `None` once it has ended.
    pub(crate) body: Option<BodyFuture<'b>>,
    pub(crate) scope: BodyScope<'a>,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) stage: BodyStage,
}

pub(crate) type BodyFuture<'a> = BoxFuture<'a, Result<ToolOutput, ToolError>>;

impl<'a> GuardedBody<'a, '_> {
    #[cold]
    pub(crate) fn cancel(&mut self) -> BodyFault {
        self.stop(&StopReason::Cancelled)
    }

    /// The host has dropped the call before its body ended.
    #[cold]
    pub(crate) fn left_behind(&mut self) {
        self.scope.stop_what_it_started();
        let _ = self.end();
        let session = self.scope.session;
        session.wait_tracker.leave(self.scope.invocation);
    }

    #[cold]
    fn stop(&mut self, why: &StopReason) -> BodyFault {
        self.deadlines().note_dropped();
        self.scope.stop_what_it_started();
        let ended = self.end();
        let stopped = match why {
            StopReason::Cancelled => self.scope.cancelled(),
            StopReason::TimedOut => {
                let limit = self.scope.timeout().unwrap_or_default();
                let message = format!("the call took longer than its timeout of {limit:?}");
                ToolError::new(ErrorKind::TimedOut, message).with_retryable(true)
            }
        };
        self.stopped(stopped, ended)
    }

    /// The fault of a body that was stopped. What it left may have panicked: that is for the log, and
    /// changes nothing about why it was stopped.
    #[cold]
    fn stopped(&self, error: ToolError, ended: Result<(), ToolError>) -> BodyFault {
        BodyFault::Stopped(match ended {
            Ok(()) => error,
            Err(panicked) => {
                self.scope.tell_of_panic();
                error.with_source(panicked)
            }
        })
    }

    /// Stops the body because nobody could stop it later.
    #[cold]
    fn give_up(&mut self, why: TimerFault) -> BodyFault {
        self.scope.stop_what_it_started();
        let ended = self.end();
        let error = match why {
            TimerFault::NoTimers => no_timers(),
            TimerFault::ShuttingDown => shutting_down(),
        };
        self.stopped(error, ended)
    }

    pub(crate) fn is_to_end(&self) -> bool {
        match &self.deadline {
            None => self.scope.was_told_to_cancel(),
            Some(_) => self.scope.is_to_end(),
        }
    }

    pub(crate) fn deadlines(&self) -> &'a Arc<DeadlineQueue> {
        self.scope.session.cancellation.deadlines()
    }

    fn add(&mut self, until: Option<Instant>, cx: &Context<'_>) -> Result<(), TimerFault> {
        self.remove();
        let wake_group = self.scope.session.cancellation.wake_group();
        self.deadline = Some(self.deadlines().add(wake_group, until, cx.waker())?);
        Ok(())
    }

    fn add_for(&mut self, time: Option<Duration>, cx: &Context<'_>) -> Result<(), TimerFault> {
        // A timeout beyond the range of the clock means no timeout.
        let until = time.and_then(|time| Instant::now().checked_add(time));
        self.add(until, cx)
    }

    /// Lets a body that was told to end go on for the grace time. Returns true if it may.
    #[cold]
    pub(crate) fn begin_grace(&mut self, cx: &Context<'_>) -> bool {
        let grace = self.deadlines().grace();
        if grace.is_zero() {
            return false;
        }
        self.stage = BodyStage::Grace;
        self.add_for(Some(grace), cx).is_ok()
    }

    /// Returns the fault of a body that has ended in its grace time, whose output was dropped.
    #[cold]
    pub(crate) fn ended_in_grace(&mut self, ended: Result<(), ToolError>) -> BodyFault {
        self.scope.stop_what_it_started();
        let panicked = match ended {
            Ok(()) => {
                self.deadlines().note_late();
                self.end().err()
            }
            Err(panicked) => {
                let _ = self.end();
                Some(panicked)
            }
        };
        BodyFault::Stopped(match panicked {
            Some(panicked) => self.scope.cancelled().with_source(panicked),
            None => self.scope.cancelled(),
        })
    }

    /// Waits, until the time is up or the call is cancelled.
    pub(crate) fn wait(&mut self, cx: &Context<'_>) -> Poll<BodyFault> {
        match self.try_wait(cx) {
            Ok(polled) => polled,
            Err(why) => Poll::Ready(match self.stage {
                BodyStage::Grace => self.stop(&StopReason::Cancelled),
                _ => self.give_up(why),
            }),
        }
    }

    fn try_wait(&mut self, cx: &Context<'_>) -> Result<Poll<BodyFault>, TimerFault> {
        if self.stage == BodyStage::Still {
            self.go_on(cx)?;
        }
        match &self.deadline {
            None => self.add_for(self.scope.timeout(), cx)?,
            Some(deadline) => {
                let deadlines = self.deadlines();
                if deadlines.go_on(deadline, cx.waker()) {
                    return Ok(Poll::Pending);
                }
                if !deadlines.is_due(deadline) {
                    let until = deadlines.until(deadline);
                    self.add(until, cx)?;
                } else if self.stage == BodyStage::Grace {
                    return Ok(Poll::Ready(self.stop(&StopReason::Cancelled)));
                } else if !self.stands_still(cx)? {
                    return Ok(Poll::Ready(self.stop(&StopReason::TimedOut)));
                }
            }
        }
        // A cancellation may have come between the poll and the deadline.
        if self.stage != BodyStage::Grace && self.scope.is_to_end() {
            cx.waker().wake_by_ref();
        }
        Ok(Poll::Pending)
    }

    /// Returns true if the timeout, which has fired, counted time that the body waited for people. The rest of it is
    /// then armed, now or when that wait is over.
    #[cold]
    fn stands_still(&mut self, cx: &Context<'_>) -> Result<bool, TimerFault> {
        let id = self.scope.invocation;
        let Some(left) = self.scope.session.wait_tracker.time_is_up(id) else {
            return Ok(false);
        };
        match left {
            RemainingTime::Later => {
                self.stage = BodyStage::Still;
                self.add(None, cx)?;
            }
            RemainingTime::Now(left) => self.add_for(Some(left), cx)?,
        }
        Ok(true)
    }

    /// Arms what is left of the timeout, if the body no longer waits for people.
    #[cold]
    fn go_on(&mut self, cx: &Context<'_>) -> Result<(), TimerFault> {
        let id = self.scope.invocation;
        if let Some(left) = self.scope.session.wait_tracker.time_goes_on(id) {
            self.stage = BodyStage::Running;
            self.add_for(Some(left), cx)?;
        }
        Ok(())
    }
}
