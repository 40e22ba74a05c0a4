//! The future of a call. It is moved several times before it is polled, and hosts hold thousands: what a call
//! begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::executor::call;
use crate::executor::call::body::GuardedBody;
use crate::executor::call::plain::{Continuation, PlainBody, PlainEnd};
use crate::executor::core::handles::Turn;
use crate::executor::core::session::SessionCore;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::message::ToolCall;
use crate::tool::{BoxFuture, ToolOutcome};

/// The input of a call that has not begun.
pub(crate) struct CallInput<'a> {
    shared: &'a Arc<ExecutorCore>,
    at: CallOrigin<'a>,
    call: ToolCall<'a>,
}

/// The origin of a call. Its [`CallSite`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(crate) enum CallOrigin<'a> {
    /// A turn of its own.
    Session(&'a SessionCore),
    Turn(&'a Turn),
    CallSite(&'a CallSite<'a>),
}

impl<'a> CallInput<'a> {
    #[inline]
    fn site(&self) -> CallSite<'a> {
        match self.at {
            CallOrigin::Session(session) => session.single(self.shared),
            CallOrigin::Turn(turn) => turn.place(),
            CallOrigin::CallSite(site) => site.clone(),
        }
    }
}

pin_project! {
    #[project = CallFutureProjection]
    pub(crate) enum CallFuture<'a, W, F> {
        New {
            input: CallInput<'a>,
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
    F: Future<Output = PlainEnd<'a>>,
{
    /// Makes the future of a call that has not begun.
    fn new(input: CallInput<'a>, wait: W) -> Self {
        Self::New { input, wait }
    }
}

impl<'a, W, F> Future for CallFuture<'a, W, F>
where
    W: Fn(PlainBody<'a>) -> F,
    F: Future<Output = PlainEnd<'a>>,
{
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        loop {
            let rest = match self.as_mut().project() {
                CallFutureProjection::New { input, wait } => {
                    // Handed in, so that an outcome is made where it is returned.
                    let mut next = None;
                    let site = input.site();
                    let ended = call::begin(input.shared, site, &mut input.call, &mut next);
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
pub(crate) fn run_call<'a>(
    shared: &'a Arc<ExecutorCore>,
    at: CallOrigin<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    CallFuture::new(CallInput { shared, at, call }, wait)
}

/// Runs a body that may wait, and ends its call.
pub(crate) fn wait(body: PlainBody<'_>) -> impl Future<Output = PlainEnd<'_>> + Send {
    // What is captured is used where it stands: moved to a variable it would be kept twice.
    let PlainBody {
        rest,
        context,
        invocation,
    } = body;
    // What is not looked at at each step lies apart: the future is moved, and held by the thousand.
    let held = Box::new((rest, context));
    async move {
        let ran = GuardedBody::new(invocation, &held.1).await;
        let (rest, mut context) = *held;
        call::ended(rest, &mut context, ran)
    }
}
