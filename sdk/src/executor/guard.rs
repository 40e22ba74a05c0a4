//! Running a tool's code so that it takes nothing with it: panics are caught, and a body that
//! waits can be stopped.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::message::{ErrorKind, ToolError, ToolOutput};
use crate::panic::{caught, discard};
use crate::tool::{BoxFuture, Left, ToolContext};

/// Runs a tool's code that does not wait.
#[inline]
pub(super) fn guarded<T>(what: &str, code: impl FnOnce() -> T) -> Result<T, ToolError> {
    caught(code).map_err(|text| panicked(what, text))
}

/// Runs a tool's code that waits.
pub(super) async fn guarded_future<T>(
    what: &str,
    mut future: BoxFuture<'_, Result<T, ToolError>>,
) -> Result<T, ToolError> {
    poll_fn(|cx| match guarded(what, || future.as_mut().poll(cx)) {
        Ok(polled) => polled,
        Err(panicked) => Poll::Ready(Err(panicked)),
    })
    .await
}

#[cold]
fn panicked(what: &str, text: String) -> ToolError {
    ToolError::new(
        ErrorKind::Panicked,
        format!("{what} panicked: this is a fault of the tool, not of the call"),
    )
    .with_source(text)
}

/// Why a body was stopped.
enum Stop {
    Cancelled,
    TimedOut,
}

/// Why a body gave no output: who says so, and whether it may have had an effect.
pub(super) enum Fault {
    /// The tool's own error.
    Own(ToolError),
    /// The executor's: the body never began, or panicked.
    Executor(ToolError),
    /// The executor stopped the body on its way.
    Stopped(ToolError),
}

#[cold]
pub(super) fn never_began() -> Fault {
    Fault::Executor(before_it_began())
}

#[cold]
pub(super) fn before_it_began() -> ToolError {
    let message = "the call was cancelled before it began";
    ToolError::new(ErrorKind::Cancelled, message)
}

/// A body that runs in place: its panics are caught, cancellation is looked for at each poll, and
/// the timeout is armed when it first waits, so that one that never waits reads no clock.
pub(super) struct Guarded<'a> {
    body: Option<BoxFuture<'a, Result<ToolOutput, ToolError>>>,
    context: &'a ToolContext,
    timeout: Option<Duration>,
    interruption: Option<BoxFuture<'a, Stop>>,
    begun: bool,
    /// The timeout fired while the body waited for people, and some of it is left.
    is_still: bool,
}

impl<'a> Guarded<'a> {
    pub(super) fn new(
        body: BoxFuture<'a, Result<ToolOutput, ToolError>>,
        context: &'a ToolContext,
        timeout: Option<Duration>,
    ) -> Self {
        Self {
            body: Some(body),
            context,
            timeout,
            interruption: None,
            begun: false,
            is_still: false,
        }
    }

    /// Ends the body. What it drops may panic, like the body itself.
    fn end(&mut self) -> Result<(), ToolError> {
        guarded("the tool", || drop(self.body.take()))
    }

    #[cold]
    fn stop(&mut self, why: &Stop) -> Fault {
        if let Err(panicked) = self.end() {
            return Fault::Executor(panicked);
        }
        Fault::Stopped(match why {
            Stop::Cancelled if !self.begun => return never_began(),
            Stop::Cancelled => ToolError::new(ErrorKind::Cancelled, "the call was cancelled"),
            Stop::TimedOut => {
                let limit = self.timeout.unwrap_or_default();
                let message = format!("the call took longer than its timeout of {limit:?}");
                ToolError::new(ErrorKind::TimedOut, message).with_retryable(true)
            }
        })
    }

    /// Stops the body because nobody could stop it later.
    #[cold]
    fn give_up(&mut self) -> Fault {
        match self.end() {
            Ok(()) => Fault::Stopped(no_timers()),
            Err(panicked) => Fault::Executor(panicked),
        }
    }

    /// Polls what can stop the body, and arms it first if this is the first wait.
    fn poll_interruption(&mut self, cx: &mut Context<'_>) -> Poll<Fault> {
        loop {
            if self.is_still {
                self.go_on();
            }
            let interruption = match &mut self.interruption {
                Some(armed) => armed,
                None => match interruption(self.context.cancellation(), self.timeout) {
                    Some(armed) => self.interruption.insert(armed),
                    None => return Poll::Ready(self.give_up()),
                },
            };
            // A runtime without timers panics when one is armed.
            match catch_unwind(AssertUnwindSafe(|| interruption.as_mut().poll(cx))) {
                Ok(Poll::Pending) => return Poll::Pending,
                Ok(Poll::Ready(Stop::TimedOut)) if self.stands_still() => {}
                Ok(Poll::Ready(stop)) => return Poll::Ready(self.stop(&stop)),
                Err(payload) => {
                    discard(payload);
                    return Poll::Ready(self.give_up());
                }
            }
        }
    }

    /// Whether the timeout, which has fired, counted time that the body waited for people. What is
    /// left of it then is armed, now or when that wait is over.
    #[cold]
    fn stands_still(&mut self) -> bool {
        let id = self.context.invocation_id();
        let Some(left) = self.context.session.desk.time_is_up(id) else {
            return false;
        };
        let timeout = match left {
            Left::Later => None,
            Left::Now(left) => Some(left),
        };
        self.is_still = timeout.is_none();
        self.interruption = interruption(self.context.cancellation(), timeout);
        true
    }

    /// Arms what is left of the timeout, if the body no longer waits for people.
    #[cold]
    fn go_on(&mut self) {
        let id = self.context.invocation_id();
        if let Some(left) = self.context.session.desk.time_goes_on(id) {
            self.is_still = false;
            self.interruption = interruption(self.context.cancellation(), Some(left));
        }
    }
}

/// What can stop a body; nothing where there are no timers to keep a timeout with.
fn interruption(
    cancellation: &CancellationToken,
    timeout: Option<Duration>,
) -> Option<BoxFuture<'_, Stop>> {
    let Some(timeout) = timeout else {
        return Some(Box::pin(async move {
            cancellation.cancelled().await;
            Stop::Cancelled
        }));
    };
    Handle::try_current().ok()?;
    // A body that has used up Tokio's budget for this poll would keep the timer from being looked at.
    Some(Box::pin(tokio::task::coop::unconstrained(async move {
        match tokio::time::timeout(timeout, cancellation.cancelled()).await {
            Ok(()) => Stop::Cancelled,
            Err(_) => Stop::TimedOut,
        }
    })))
}

#[cold]
pub(super) fn no_timers() -> ToolError {
    ToolError::internal("the host cannot keep the tool's timeout").with_source(
        "a call that waits and has a timeout needs a Tokio runtime with timers: \
         `Builder::enable_time`, or `ExecutorBuilder::timeout(None)`",
    )
}

impl Future for Guarded<'_> {
    type Output = Result<ToolOutput, Fault>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.context.was_told_to_cancel() {
            return Poll::Ready(Err(this.stop(&Stop::Cancelled)));
        }
        let Some(body) = &mut this.body else {
            return Poll::Pending;
        };
        this.begun = true;
        let polled = guarded("the tool", || body.as_mut().poll(cx));
        match polled {
            Ok(Poll::Pending) => this.poll_interruption(cx).map(Err),
            Ok(Poll::Ready(output)) => Poll::Ready(match this.end() {
                Ok(()) => output.map_err(Fault::Own),
                Err(panicked) => Err(Fault::Executor(panicked)),
            }),
            Err(panicked) => {
                // What is left of the body may panic once more; the first panic is told.
                let _ = this.end();
                Poll::Ready(Err(Fault::Executor(panicked)))
            }
        }
    }
}

impl Drop for Guarded<'_> {
    fn drop(&mut self) {
        // A host that drops the call must not be unwound by the tool.
        if self.body.is_some() {
            let _ = self.end();
            self.context
                .session
                .desk
                .leave(self.context.invocation_id());
        }
    }
}
