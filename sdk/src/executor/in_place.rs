//! The future of a call that runs in place. It is moved several times before it is polled, and hosts hold
//! thousands: what a call begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::pipeline::begin;
use super::rest::Body;
use super::session::{Place, SessionCore, Turn};
use super::{Shared, ToolOutcome};
use crate::message::ToolCall;
use crate::tool::BoxFuture;

/// Where a call goes on that has not ended.
pub(super) enum Next<'a> {
    /// Its body may wait.
    Waits(Body<'a>),
    /// Where there is room for all that a call may come to.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

pin_project! {
    #[project = InPlaceOf]
    pub(super) enum InPlace<'a, W, F> {
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

/// What a call begins with.
pub(super) struct Start<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) at: At<'a>,
    pub(super) call: ToolCall<'a>,
}

/// Where a call is made. Its [`Place`] is several times as large, and made when the call begins.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    /// A turn of its own.
    Session(&'a SessionCore),
    Turn(&'a Turn),
    Place(&'a Place<'a>),
}

impl<'a> Start<'a> {
    #[inline]
    pub(super) fn place(&self) -> Place<'a> {
        match self.at {
            At::Session(session) => session.single(self.shared),
            At::Turn(turn) => turn.place(),
            At::Place(place) => place.clone(),
        }
    }
}

impl<'a, W, F> InPlace<'a, W, F>
where
    W: Fn(Body<'a>) -> F,
    F: Future<Output = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>>,
{
    /// Of a call that has yet to begin.
    pub(super) fn new(start: Start<'a>, wait: W) -> Self {
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
