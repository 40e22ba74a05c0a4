//! The future of a call. It is moved several times before it is polled, and hosts hold thousands: what a call
//! begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::executor::call::input::{CallInput, CallOrigin};
use crate::executor::call::pipeline::begin;
use crate::executor::call::plain::{Continuation, PlainBody, wait};
use crate::executor::core::shared::ExecutorCore;
use crate::message::ToolCall;
use crate::tool::{BoxFuture, ToolOutcome};

pin_project! {
    #[project = CallFutureProjection]
    pub(crate) enum CallFuture<'a, W, F> {
        New {
            start: CallInput<'a>,
            wait: W,
        },
        Waits {
            #[pin]
            body: F,
        },
        Elsewhere {
            rest: BoxFuture<'a, ToolOutcome>,
        },
        Ended,
    }
}

impl<'a, W, F> CallFuture<'a, W, F>
where
    W: Fn(PlainBody<'a>) -> F,
    F: Future<Output = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>>,
{
    /// Makes the future of a call that has not begun.
    pub(crate) fn new(start: CallInput<'a>, wait: W) -> Self {
        Self::New { start, wait }
    }
}

impl<'a, W, F> Future for CallFuture<'a, W, F>
where
    W: Fn(PlainBody<'a>) -> F,
    F: Future<Output = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>>,
{
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        loop {
            let rest = match self.as_mut().project() {
                CallFutureProjection::New { start, wait } => {
                    // Handed in, so that an outcome is made where it is returned.
                    let mut next = None;
                    let ended = begin(start, &mut next);
                    match next {
                        None => {
                            self.set(Self::Ended);
                            return ended;
                        }
                        Some(Continuation::Waits(body)) => {
                            let body = wait(body);
                            self.set(Self::Waits { body });
                            continue;
                        }
                        Some(Continuation::Elsewhere(rest)) => rest,
                    }
                }
                CallFutureProjection::Waits { body } => match ready!(body.poll(cx)) {
                    Ok(outcome) => {
                        self.set(Self::Ended);
                        return Poll::Ready(outcome);
                    }
                    Err(rest) => rest,
                },
                CallFutureProjection::Elsewhere { rest } => return rest.as_mut().poll(cx),
                CallFutureProjection::Ended => return Poll::Pending,
            };
            self.set(Self::Elsewhere { rest });
        }
    }
}

/// Runs a call through all stages.
///
/// Whatever has to wait for people leaves this way for that of a [`CallState`].
pub(crate) fn run_call<'a>(
    shared: &'a Arc<ExecutorCore>,
    at: CallOrigin<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    CallFuture::new(CallInput { shared, at, call }, wait)
}
