//! The permit that a call needs to run, where only so many run at a time or not beside each other.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use crate::executor::call::state::{CallState, before_it_began};
use crate::executor::concurrency::busy;
use crate::message::{ToolError, ToolOutput};
use crate::tool::{BoxFuture, Seat, Seated, ToolContext, TurnScope};

/// The body of a call that has a seat. One that gave up a wait for people, and so goes on without its
/// place, does not go far: at its next step it waits for its turn.
struct PermitHolder<'a> {
    body: BoxFuture<'a, Result<ToolOutput, ToolError>>,
    context: &'a ToolContext,
    seat: &'a Seat,
}

/// The body, held to the place of its call.
pub(crate) fn placed<'a>(
    body: BoxFuture<'a, Result<ToolOutput, ToolError>>,
    context: &'a ToolContext,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    match context.turn.as_deref().and_then(TurnScope::seat) {
        Some(seat) => Box::pin(PermitHolder {
            body,
            context,
            seat,
        }),
        None => body,
    }
}

impl Future for PermitHolder<'_> {
    type Output = Result<ToolOutput, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // In its grace time a body puts in order what it has begun, wherever it is.
        if !self.context.is_to_end()
            && let Err(full) = ready!(self.seat.poll_back(cx))
        {
            return Poll::Ready(Err(busy(full)));
        }
        self.body.as_mut().poll(cx)
    }
}

impl CallState {
    /// Waits until the call may run.
    pub(crate) async fn take_place(&mut self, context: &mut ToolContext) -> Result<(), ToolError> {
        if self.seat.is_none() {
            self.find_seat(context);
        }
        let Some(seated) = &self.seat else {
            return Ok(());
        };
        let entering = seated.seat().enter();
        match context
            .cancel_scope()
            .token()
            .run_until_cancelled(entering)
            .await
        {
            Some(Ok(())) => Ok(()),
            Some(Err(full)) => Err(busy(full)),
            None => Err(before_it_began()),
        }
    }

    /// A seat for a call outside of a batch, where only so many may run.
    fn find_seat(&mut self, context: &mut ToolContext) {
        let of_session = self.session.slots.clone();
        let of_tool = self.plan().slots.clone();
        if of_session.is_none() && of_tool.is_none() {
            return;
        }
        let above = self.turn.as_ref().and_then(|turn| turn.seat().cloned());
        let Some(seat) = Seat::new(None, of_session, of_tool, above) else {
            return;
        };
        let scope = Arc::new(TurnScope::of_call(
            self.turn_id,
            self.invocation_id,
            context.cancel_scope().clone(),
            self.turn.take(),
            self.status,
            Some(Arc::clone(&seat)),
        ));
        context.turn = Some(Arc::clone(&scope));
        self.turn = Some(scope);
        self.seat = Some(Seated::new(seat));
    }

    /// Gives up the place, until the call goes on.
    pub(crate) fn leave_place(&self) {
        if let Some(seated) = &self.seat {
            seated.seat().leave();
        }
    }
}
