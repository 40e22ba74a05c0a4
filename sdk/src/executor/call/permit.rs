//! The permit that a call needs to run, where only so many run at a time or not beside each other.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::content::{ToolError, ToolOutput};
use crate::context::{SessionScope, ToolContext, TurnScope};
use crate::executor::call::body::BodyFuture;
use crate::executor::call::state::{CallState, before_it_began};
use crate::executor::catalog::tools::ToolPlan;
use crate::executor::concurrency::busy;
use crate::executor::core::shared::ExecutorCore;
use crate::schedule::{ConcurrencyPermit, PermitGuard};
use crate::util::cold::cold_path;

/// The body of a call that holds a permit. One that cancelled a wait for people has lost it, and acquires one
/// again on the next poll.
pub(crate) struct PermitHolder<'a> {
    pub(crate) body: BodyFuture<'a>,
    pub(crate) context: &'a ToolContext,
    pub(crate) permit: Arc<ConcurrencyPermit>,
}

impl Future for PermitHolder<'_> {
    type Output = Result<ToolOutput, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // In its grace time a body puts in order what it has begun, wherever it is.
        if !self.context.is_to_end()
            && let Err(full) = ready!(self.permit.poll_reacquire(cx))
        {
            return Poll::Ready(Err(busy(full)));
        }
        self.body.as_mut().poll(cx)
    }
}

/// The slots of a call that holds them where it stands.
#[derive(Default)]
pub(crate) struct HeldSlots<'s> {
    _of_session: Option<SemaphorePermit<'s>>,
    _of_tool: Option<SemaphorePermit<'s>>,
}

/// Takes the slots that a plain call needs, if all of them are free. `None` means that the call has to wait, or needs
/// a permit of its own, because its body may wait or make calls, hooks see it before it ends, or it is part of a call
/// that has one.
#[inline]
pub(crate) fn slots_at_once<'s>(
    shared: &ExecutorCore,
    plan: &'s ToolPlan,
    session: &'s SessionScope,
    context: &ToolContext,
) -> Option<HeldSlots<'s>> {
    if plan.slots.is_none() && session.slots.is_none() {
        return Some(HeldSlots::default());
    }
    cold_path();
    let parent = context.turn.as_deref().and_then(TurnScope::permit);
    let holds_longer = !plan.arguments_only || !shared.hooks.after.is_empty();
    if holds_longer || parent.is_some() || context.is_cancelled() {
        return None;
    }
    let slot = |slots: &'s Option<Arc<Semaphore>>| match slots {
        Some(slots) => slots.try_acquire().ok().map(Some),
        None => Some(None),
    };
    Some(HeldSlots {
        _of_session: slot(&session.slots)?,
        _of_tool: slot(&plan.slots)?,
    })
}

impl CallState {
    /// Waits until the call may run.
    pub(crate) async fn take_permit(&mut self, context: &mut ToolContext) -> Result<(), ToolError> {
        if self.permit.is_none() {
            self.find_seat(context);
        }
        let Some(permit_guard) = &self.permit else {
            return Ok(());
        };
        let entering = permit_guard.permit().acquire();
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

    /// Takes the permit of a call that was not cancelled, if nobody has to be waited for. Returns true if it has it.
    pub(crate) fn has_permit_at_once(&mut self, context: &mut ToolContext) -> bool {
        if context.is_cancelled() {
            return false;
        }
        if self.permit.is_none() {
            self.find_seat(context);
        }
        let permit_guard = self.permit.as_ref();
        permit_guard.is_none_or(|permit_guard| permit_guard.permit().try_acquire())
    }

    /// A permit for a call outside of a batch, where only so many may run.
    fn find_seat(&mut self, context: &mut ToolContext) {
        let of_session = self.session.slots.clone();
        let of_tool = self.plan().slots.clone();
        let parent = self.turn.as_ref().and_then(|turn| turn.permit().cloned());
        let Some(permit) = ConcurrencyPermit::new(None, of_session, of_tool, parent) else {
            return;
        };
        let scope = Arc::new(TurnScope::of_call(
            self.identity.turn,
            self.identity.invocation,
            context.cancel_scope().clone(),
            self.turn.take(),
            self.status,
            Some(Arc::clone(&permit)),
        ));
        context.turn = Some(Arc::clone(&scope));
        self.turn = Some(scope);
        self.permit = Some(PermitGuard::new(permit));
    }
}
