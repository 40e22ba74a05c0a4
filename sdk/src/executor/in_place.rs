//! The future of a call that runs in place. It is moved several times before it is polled, so it has
//! room for what a call begins with alone; what a call waits with lies elsewhere.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::pipeline::begin;
use super::session::{Place, SessionCore, Turn};
use super::{Shared, ToolOutcome};
use crate::message::ToolCall;
use crate::tool::BoxFuture;

pub(super) enum InPlace<'a> {
    New(Start<'a>),
    Waits(BoxFuture<'a, ToolOutcome>),
    Ended,
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

impl Future for InPlace<'_> {
    type Output = ToolOutcome;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        if let Self::New(start) = &mut *self {
            // Handed in, so that an outcome is made where it is returned.
            let mut rest = None;
            let ended = begin(start, &mut rest);
            *self = match rest {
                None => {
                    *self = Self::Ended;
                    return ended;
                }
                Some(rest) => Self::Waits(rest),
            };
        }
        let Self::Waits(rest) = &mut *self else {
            return Poll::Pending;
        };
        let outcome = ready!(rest.as_mut().poll(cx));
        *self = Self::Ended;
        Poll::Ready(outcome)
    }
}
