//! The future of a call. It is moved several times before it is polled, and hosts hold thousands: what a call
//! begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::executor::call::input::{At, Start};
use crate::executor::call::pipeline::begin;
use crate::executor::call::plain::{Body, Next, wait};
use crate::executor::core::shared::Shared;
use crate::message::ToolCall;
use crate::tool::{BoxFuture, ToolOutcome};

pin_project! {
    #[project = InPlaceOf]
    pub(crate) enum InPlace<'a, W, F> {
        New {
            start: Start<'a>,
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

impl<'a, W, F> InPlace<'a, W, F>
where
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>>,
{
    /// Of a call that has yet to begin.
    pub(crate) fn new(start: Start<'a>, wait: W) -> Self {
        Self::New { start, wait }
    }
}

impl<'a, W, F> Future for InPlace<'a, W, F>
where
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>>,
{
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        loop {
            let rest = match self.as_mut().project() {
                InPlaceOf::New { start, wait } => {
                    // Handed in, so that an outcome is made where it is returned.
                    let mut next = None;
                    let ended = begin(start, &mut next);
                    match next {
                        None => {
                            self.set(Self::Ended);
                            return ended;
                        }
                        Some(Next::Waits(body)) => {
                            let body = wait(body);
                            self.set(Self::Waits { body });
                            continue;
                        }
                        Some(Next::Elsewhere(rest)) => rest,
                    }
                }
                InPlaceOf::Waits { body } => match ready!(body.poll(cx)) {
                    Ok(outcome) => {
                        self.set(Self::Ended);
                        return Poll::Ready(outcome);
                    }
                    Err(rest) => rest,
                },
                InPlaceOf::Elsewhere { rest } => return rest.as_mut().poll(cx),
                InPlaceOf::Ended => return Poll::Pending,
            };
            self.set(Self::Elsewhere { rest });
        }
    }
}

/// Runs a call through all stages.
///
/// Whatever has to wait for people leaves this way for that of a [`Course`].
pub(crate) fn run_call<'a>(
    shared: &'a Arc<Shared>,
    at: At<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    InPlace::new(Start { shared, at, call }, wait)
}
