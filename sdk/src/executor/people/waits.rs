//! The waits of a session's bodies for people.

use std::sync::Arc;
use std::time::SystemTime;

use crate::arguments::Arguments;
use crate::content::{CallStatus, ToolError};
use crate::context::{ToolContext, TurnScope, Waits, suspension};
use crate::event::illegal_step;
use crate::executor::concurrency::busy;
use crate::executor::people::asked::{cannot_wait, pause_parents, would_suspend};
use crate::executor::people::mode::WaitMode;
use crate::executor::people::service::{ApprovalService, CallDraft, answers, no_tickets};
use crate::id::CallIdentity;
use crate::permission::{GrantQuery, GrantRuling, PermissionRequest, arguments_digest};
use crate::question::{cancelled, unavailable};
use crate::spec::ToolSpec;
use crate::ticket::{Answer, KeyedDigest, ResumeMode, SuspendedCall, Wait, WaitingTicket};
use crate::util::future::BoxFuture;

/// A session's way to people.
pub(crate) struct SessionWaits {
    people: Arc<ApprovalService>,
}

impl SessionWaits {
    pub(crate) fn new(people: Arc<ApprovalService>) -> Self {
        Self { people }
    }

    /// Asks while the body waits.
    async fn ask(&self, ctx: &ToolContext, wait: Wait) -> Result<Vec<Answer>, ToolError> {
        let id = ctx.invocation_id();
        // The guards stop the time of this call and of the calls around it until the wait is over.
        let _waiting = ctx.session.wait_tracker.begin(id);
        let _still = pause_parents(
            &ctx.session.wait_tracker,
            ctx.call.call_stack().map(|call_stack| &**call_stack),
        );
        let none = Arguments::empty();
        let kept = ctx.call.kept();
        let identity = CallIdentity {
            turn: ctx.turn_id(),
            invocation: id,
            parent: ctx.call.call_stack().map(|call_stack| call_stack.parent),
            call_id: ctx.call_id().cloned(),
            tool: ctx.tool_name().label(),
        };
        let call = CallDraft {
            session: ctx.session_id(),
            identity: &identity,
            arguments: kept.map_or(&none, |kept| &kept.arguments),
            purpose: kept.and_then(|kept| kept.purpose.as_deref()),
            suspended: SuspendedCall {
                metadata: ctx.metadata().cloned(),
                edited: ctx.resumed().is_some_and(|resumed| resumed.edited),
                earlier: ctx.all_answered(),
                ..SuspendedCall::default()
            },
            after: None,
        };
        let (tool, spec) = (ctx.tool_name(), ctx.spec()?);
        let draft = self.people.draft(tool, spec, call, &wait)?;
        let opened = self.people.broker.open(vec![draft]).await;
        let Some(ticket) = opened.map_err(no_tickets)?.into_iter().next() else {
            return Err(ToolError::internal("nobody could be asked"));
        };
        let id_of_ticket = ticket.id();
        ctx.emit(|| wait.told(id_of_ticket));
        let waiting = WaitingTicket::new(self.people.broker.clone(), ticket);
        let stepped = SteppedOut::new(ctx);
        let answers = answers(waiting, &self.people, ctx.cancel_scope().token()).await;
        stepped.back().await?;
        let answers = answers?;
        ctx.emit(|| wait.told_answers(id_of_ticket, &answers));
        let answered = wait.with_answers(answers);
        let said = answered.iter().map(|(_, _, answer)| answer.clone());
        let said = said.collect();
        ctx.session.wait_tracker.keep(id, answered);
        Ok(said)
    }
}

/// A body that waits for people, without its permit: the calls behind it may go on meanwhile.
struct SteppedOut<'c> {
    ctx: &'c ToolContext,
    scope: Option<&'c TurnScope>,
    is_back: bool,
}

impl<'c> SteppedOut<'c> {
    fn new(ctx: &'c ToolContext) -> Self {
        let turn = ctx.turn.as_deref();
        if let Some(permit) = turn.and_then(TurnScope::permit) {
            permit.release_while_waiting();
        }
        // If a body has several waits at a time, only the first is reported.
        let scope = turn.filter(|scope| {
            scope.is_of(ctx.invocation_id()) && scope.status().0 != CallStatus::Suspended
        });
        let stepped = Self {
            ctx,
            scope,
            is_back: false,
        };
        stepped.step(CallStatus::Suspended);
        stepped
    }

    fn step(&self, next: CallStatus) {
        if let Some(scope) = self.scope
            && let Err(illegal) = scope.step(next)
        {
            let tool = self.ctx.tool_name();
            self.ctx
                .emit(|| illegal_step(format_args!("the call of `{tool}`"), illegal));
        }
    }

    /// Waits for its turn once more.
    async fn back(mut self) -> Result<(), ToolError> {
        let Some(permit) = self.ctx.turn.as_deref().and_then(TurnScope::permit) else {
            return Ok(());
        };
        match self
            .ctx
            .cancel_scope()
            .token()
            .run_until_cancelled(permit.acquire())
            .await
        {
            Some(Ok(())) => {
                self.is_back = true;
                Ok(())
            }
            Some(Err(full)) => Err(busy(full)),
            None => Err(cancelled()),
        }
    }
}

impl Drop for SteppedOut<'_> {
    fn drop(&mut self) {
        let turn = self.ctx.turn.as_deref();
        if !self.is_back
            && let Some(permit) = turn.and_then(TurnScope::permit)
        {
            // The body gave up the wait, and goes on without its permit until its next poll.
            permit.note_lost_permit();
        }
        // A call that has ended meanwhile stays as it is.
        let waits = |scope: &&TurnScope| scope.status().0 == CallStatus::Suspended;
        if self.scope.as_ref().is_some_and(waits) {
            self.step(CallStatus::Resuming);
            self.step(CallStatus::Running);
        }
    }
}

impl Waits for SessionWaits {
    fn is_attended(&self) -> bool {
        self.people.mode != WaitMode::Unattended
    }

    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>> {
        Box::pin(async move {
            match self.people.mode {
                WaitMode::Unattended => Err(unavailable(wait.kind, wait.summary())),
                mode if would_suspend(
                    mode,
                    ctx.call.call_stack().map(|call_stack| &**call_stack),
                ) =>
                {
                    Err(cannot_wait(ctx.tool_name(), &wait))
                }
                WaitMode::Blocking if wait.resume == ResumeMode::RunAgain => {
                    self.ask(ctx, wait).await
                }
                // The body ends here: its call is suspended, or goes on with the answer as its result or arguments.
                WaitMode::Blocking | WaitMode::Suspending => {
                    ctx.session.wait_tracker.note(ctx.invocation_id(), wait);
                    Err(suspension(ctx.invocation_id()))
                }
            }
        })
    }

    fn has_to_refresh(&self, ctx: &ToolContext) -> bool {
        // Another process may have revoked a grant that would answer for a person.
        !(self.people.is_own_store && ctx.session.grants.are_current(&self.people.broker))
    }

    fn refresh<'a>(&'a self, ctx: &'a ToolContext) -> Option<BoxFuture<'a, Result<(), ToolError>>> {
        if !self.has_to_refresh(ctx) {
            return None;
        }
        let (grants, broker) = (&ctx.session.grants, &self.people.broker);
        Some(Box::pin(async move {
            grants.refresh(broker).await.map_err(no_tickets)
        }))
    }

    fn granted(
        &self,
        ctx: &ToolContext,
        spec: &ToolSpec,
        request: &PermissionRequest,
    ) -> Option<GrantRuling> {
        let grants = &ctx.session.grants;
        if grants.is_empty() {
            return None;
        }
        let digest = || self.digest(ctx, spec);
        let query = GrantQuery::new(ctx.tool_name(), request).with_arguments(&digest);
        let judge = &ctx.session.judge;
        grants.decide(judge, &query, ctx.turn_id(), SystemTime::now())
    }

    fn digest(&self, ctx: &ToolContext, spec: &ToolSpec) -> Option<KeyedDigest> {
        let kept = ctx.call.kept()?;
        arguments_digest(&self.people.rules.key, spec, &kept.arguments)
    }
}
