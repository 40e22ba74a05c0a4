//! When a call may run: after those before it in its batch, and when a slot is free.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::sync::Semaphore;

use super::course::Course;
use super::guard::before_it_began;
use crate::event::EventKind;
use crate::message::{CallStatus, ErrorKind, IllegalStep, ToolError, ToolOutput};
use crate::tool::{BoxFuture, Full, Seat, Seated, ToolContext, TurnScope};

/// For so many calls at a time.
pub(super) fn slots(calls: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)))
}

/// What a call is whose body or executor gave that.
pub(super) fn ended(output: &ToolOutput) -> CallStatus {
    ended_with(output.error.as_ref())
}

pub(super) fn ended_with(error: Option<&ToolError>) -> CallStatus {
    match error.map(ToolError::kind) {
        None => CallStatus::Succeeded,
        Some(ErrorKind::Cancelled) => CallStatus::Cancelled,
        Some(_) => CallStatus::Failed,
    }
}

#[cold]
pub(super) fn busy(_: Full) -> ToolError {
    ToolError::new(
        ErrorKind::LimitExceeded,
        "as many calls of the tool run as may run at a time; try again later",
    )
    .with_code("too_many_calls")
    .with_retryable(true)
    .with_source(
        "the call was made by a call of another tool with a limit of its own, which would wait for it: \
         `ExecutorBuilder::max_concurrent_of`",
    )
}

/// The body of a call that has a seat. One that gave up a wait for people, and so goes on without its
/// place, does not go far: at its next step it waits for its turn.
struct Placed<'a> {
    body: BoxFuture<'a, Result<ToolOutput, ToolError>>,
    context: &'a ToolContext,
    seat: &'a Seat,
}

/// The body, held to the place of its call.
pub(super) fn placed<'a>(
    body: BoxFuture<'a, Result<ToolOutput, ToolError>>,
    context: &'a ToolContext,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    match context.turn.as_deref().and_then(TurnScope::seat) {
        Some(seat) => Box::pin(Placed {
            body,
            context,
            seat,
        }),
        None => body,
    }
}

impl Future for Placed<'_> {
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

impl Course {
    /// Waits until the call may run.
    pub(super) async fn take_place(&mut self, context: &mut ToolContext) -> Result<(), ToolError> {
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
    pub(super) fn leave_place(&self) {
        if let Some(seated) = &self.seat {
            seated.seat().leave();
        }
    }

    /// The call goes on to another status. What cannot follow is reported and left out: it tells of a
    /// fault of ours and must not end the call.
    pub(super) fn step(&mut self, next: CallStatus) {
        let from = self.status;
        let next = match from.step(next) {
            Ok(next) => next,
            Err(illegal) => return self.report_step(illegal),
        };
        self.status = next;
        self.emit(|| EventKind::Status { from, to: next });
        let of_call = self
            .turn
            .as_ref()
            .filter(|scope| scope.is_of(self.invocation_id));
        if let Some(scope) = of_call
            && let Err(illegal) = scope.step(next)
        {
            self.report_step(illegal);
        }
    }

    #[cold]
    fn report_step(&self, illegal: IllegalStep) {
        self.emit(|| EventKind::Diagnostic {
            code: "illegal_step".to_owned(),
            message: format!("the call of `{}`: {illegal}", self.entry().name),
        });
    }
}

#[cfg(test)]
mod tests;
