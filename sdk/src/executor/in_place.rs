//! The future of a call that runs in place. What a call begins with and what it waits with lie in one
//! room: an `async` block would keep both for as long as it lives, and hosts hold thousands of them.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::ToolOutcome;
use super::pipeline::{Body, wait};
use crate::tool::BoxFuture;

/// Where a call goes on.
pub(super) enum Next<'a> {
    Ended(ToolOutcome),
    /// Its body may wait.
    Waits(Body<'a>),
    /// Where there is room for all that a call may come to.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

impl<'a> Next<'a> {
    /// Goes on to the end of the call.
    pub(super) fn end(self) -> BoxFuture<'a, ToolOutcome> {
        match self {
            Self::Ended(outcome) => Box::pin(std::future::ready(outcome)),
            Self::Waits(body) => Box::pin(async move { wait(body).await.end().await }),
            Self::Elsewhere(rest) => rest,
        }
    }
}

pin_project! {
    #[project = InPlaceOf]
    pub(super) enum InPlace<'a, C, B, W, F> {
        New {
            call: Option<C>,
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
    }
}

impl<'a, C, B, W, F> InPlace<'a, C, B, W, F>
where
    B: Fn(C) -> Next<'a>,
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Next<'a>>,
{
    /// Of a call that has yet to begin.
    pub(super) fn new(call: C, begin: B, wait: W) -> Self {
        Self::New {
            call: Some(call),
            begin,
            wait,
        }
    }
}

impl<'a, C, B, W, F> Future for InPlace<'a, C, B, W, F>
where
    B: Fn(C) -> Next<'a>,
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Next<'a>>,
{
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        loop {
            let next = match self.as_mut().project() {
                InPlaceOf::New { call, begin, wait } => {
                    let Some(call) = call.take() else {
                        return Poll::Pending;
                    };
                    match begin(call) {
                        Next::Waits(body) => {
                            let body = wait(body);
                            self.set(Self::Waits { body });
                            continue;
                        }
                        next => next,
                    }
                }
                InPlaceOf::Waits { body } => ready!(body.poll(cx)),
                InPlaceOf::Elsewhere { rest } => return rest.as_mut().poll(cx),
            };
            match next {
                Next::Ended(outcome) => return Poll::Ready(outcome),
                Next::Elsewhere(rest) => self.set(Self::Elsewhere { rest }),
                // A body waits once.
                Next::Waits(_) => return Poll::Pending,
            }
        }
    }
}
