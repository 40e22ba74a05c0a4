//! The future of a call that runs in place. What a call begins with and what it waits with lie in one
//! room: an `async` block would keep both for as long as it lives, and hosts hold thousands of them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::pipeline::Body;
use super::session::Place;
use super::{Shared, ToolOutcome};
use crate::message::ToolCall;
use crate::tool::BoxFuture;

/// Where a call goes on.
pub(super) enum Next<'a> {
    Ended(ToolOutcome),
    /// Its body may wait.
    Waits(Body<'a>),
    /// Where there is room for all that a call may come to.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

pin_project! {
    #[project = InPlaceOf]
    pub(super) enum InPlace<'a, B, W, F> {
        New {
            start: Start<'a>,
            begin: B,
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

/// What a call begins with.
pub(super) struct Start<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) place: Place<'a>,
    pub(super) call: ToolCall<'a>,
}

impl<'a, B, W, F> InPlace<'a, B, W, F>
where
    B: Fn(&mut Start<'a>) -> Next<'a>,
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Next<'a>>,
{
    /// Of a call that has yet to begin.
    pub(super) fn new(start: Start<'a>, begin: B, wait: W) -> Self {
        Self::New { start, begin, wait }
    }
}

impl<'a, B, W, F> Future for InPlace<'a, B, W, F>
where
    B: Fn(&mut Start<'a>) -> Next<'a>,
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Next<'a>>,
{
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        loop {
            let next = match self.as_mut().project() {
                InPlaceOf::New { start, begin, wait } => match begin(start) {
                    Next::Waits(body) => {
                        let body = wait(body);
                        self.set(Self::Waits { body });
                        continue;
                    }
                    next => next,
                },
                InPlaceOf::Waits { body } => ready!(body.poll(cx)),
                InPlaceOf::Elsewhere { rest } => return rest.as_mut().poll(cx),
                InPlaceOf::Ended => return Poll::Pending,
            };
            match next {
                Next::Elsewhere(rest) => self.set(Self::Elsewhere { rest }),
                // A body waits once.
                Next::Waits(_) => return Poll::Pending,
                Next::Ended(outcome) => {
                    self.set(Self::Ended);
                    return Poll::Ready(outcome);
                }
            }
        }
    }
}
