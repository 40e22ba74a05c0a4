//! The future of a call. It is moved several times before it is polled, and hosts hold thousands: what a call
//! begins with and what it waits with have one room, and that is small.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::content::ToolCall;
use crate::executor::call::reached::{Begun, DirectWait, Reached};
use crate::executor::core::origin::{CallOrigin, LentSource};
use crate::outcome::ToolOutcome;
use crate::util::cold::cold_path;
use crate::util::future::BoxFuture;

/// The input of a call that has not begun.
pub(crate) struct CallInput<'a> {
    pub(crate) at: CallOrigin<'a>,
    pub(crate) call: ToolCall<'a>,
}

/// The first stages of a call, which are listed above this file. No closure: the call of one moves an outcome once
/// more.
pub(crate) trait Begin {
    /// Runs the call up to where it has to wait, or to its end.
    fn begin<'a>(input: &mut CallInput<'a>, cx: &mut Context<'_>) -> Reached<Begun<'a>>;
}

pin_project! {
    #[project = CallFutureProjection]
    pub(crate) enum CallFuture<'a, B> {
        New {
            input: CallInput<'a>,
            begin: PhantomData<fn() -> B>,
        },
        Waits {
            body: DirectWait<LentSource<'a>>,
        },
        Elsewhere {
            rest: BoxFuture<'a, ToolOutcome>,
        },
        Ended,
    }
}

impl<'a, B: Begin> CallFuture<'a, B> {
    /// Makes the future of a call that has not begun, from its first stages.
    pub(crate) fn new(input: CallInput<'a>) -> Self {
        Self::New {
            input,
            begin: PhantomData,
        }
    }
}

impl<B: Begin> Future for CallFuture<'_, B> {
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        let reached = match self.as_mut().project() {
            CallFutureProjection::New { input, .. } => B::begin(input, cx),
            CallFutureProjection::Waits { body } => ready!(body.go_on(cx)),
            CallFutureProjection::Elsewhere { rest } => return rest.as_mut().poll(cx),
            CallFutureProjection::Ended => return Poll::Pending,
        };
        // Before the outcome is taken out, so that it is moved once.
        if matches!(reached, Reached::Ended(_)) {
            self.set(Self::Ended);
        }
        let (rest, is_polled): (BoxFuture<'_, ToolOutcome>, bool) = match reached {
            Reached::Ended(outcome) => return Poll::Ready(outcome),
            Reached::Goes(Begun::Waits(body)) => {
                cold_path();
                self.set(Self::Waits { body });
                return Poll::Pending;
            }
            Reached::Goes(Begun::Boxed(body)) => (Box::into_pin(body), true),
            Reached::Goes(Begun::Elsewhere(rest)) => (rest, false),
        };
        cold_path();
        self.set(Self::Elsewhere { rest });
        match self.project() {
            CallFutureProjection::Elsewhere { rest } if !is_polled => rest.as_mut().poll(cx),
            // Whoever wakes it knows the waker.
            _ => Poll::Pending,
        }
    }
}
