//! The stages 3 and 4 of a call that may have to wait: gates, grants, the permission checker; and what follows from
//! them.

use std::mem::take;
use std::sync::Arc;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::content::{ToolCall, ToolError};
use crate::context::{ToolContext, pending};
use crate::executor::arguments::read::{ReadNotes, parse, read_anew};
use crate::executor::call::authorize::{
    Assessment, JudgedSoFar, NeedsReview, PermissionCheck, assess_awaited, left_to_ask,
};
use crate::executor::call::prepare::Admitted;
use crate::executor::call::state::{Authorized, CallState, ParsedCall, Stage, before_it_began};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::people::mode::WaitMode;
use crate::permission::Asking;
use crate::ticket::Wait;

/// A plain call that has to wait for its permission: its state from here on, and what is done of its stages.
#[cold]
#[inline(never)]
pub(crate) fn reviewed(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, notes): (Option<Instant>, ReadNotes),
    (admitted, review): (Admitted, NeedsReview),
) -> (Box<CallState>, JudgedSoFar) {
    let parts = (begun, notes, review.arguments);
    let (mut call_state, context) = CallState::admitted(shared, site, call, parts, admitted);
    if call_state.turn.is_none() {
        call_state.turn = context.turn.or_else(|| site.turn_to_block(shared));
    }
    (call_state, review.done)
}

/// A plain call that has to wait for its permit to run: its state from here on, and its next stage.
#[cold]
#[inline(never)]
pub(crate) fn held_up(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    parts: (Option<Instant>, ReadNotes, Arguments<'static>),
    admitted: Admitted,
) -> (Box<CallState>, Stage) {
    let (mut call_state, context) = CallState::admitted(shared, site, call, parts, admitted);
    call_state.turn = call_state.turn.or_else(|| context.turn.clone());
    call_state.gated = context.state.version();
    let context = call_state.context_to_run(context);
    (call_state, Stage::Run(context))
}

impl CallState {
    /// The state of a call that was read and may run, and its context.
    pub(crate) fn admitted(
        shared: &Arc<ExecutorCore>,
        site: &CallSite<'_>,
        call: &ToolCall<'_>,
        (begun, notes, arguments): (Option<Instant>, ReadNotes, Arguments<'static>),
        admitted: Admitted,
    ) -> (Box<Self>, ToolContext) {
        let Admitted {
            invocation,
            context,
        } = admitted;
        let number = context.call.number;
        let mut call_state = Self::of(shared, site, call, begun, number, notes);
        call_state.environment = context.call.environment().cloned();
        call_state.parsed = ParsedCall::new(invocation);
        call_state.arguments = arguments;
        call_state.passed = true;
        (call_state, context)
    }

    /// Returns the context for the body. One that may wait may ask, and whoever is asked sees the arguments.
    pub(crate) fn context_to_run(&self, context: ToolContext) -> ToolContext {
        if self.plan().never_waits {
            context
        } else {
            self.context()
        }
    }

    /// Returns the next stage of a call that gates and checker let run.
    pub(crate) fn authorized(&mut self, authorized: Authorized) -> Stage {
        if self.hooked < self.shared.hooks.before.len() {
            return Stage::Before(Box::new(authorized));
        }
        let Authorized {
            context,
            asked,
            allowed,
        } = authorized;
        match asked {
            None => Stage::Run(context),
            Some(asked) if allowed => {
                // The person who gave the arguments has allowed this call as a whole.
                self.answered.extend(asked.allowed());
                Stage::Run(self.context())
            }
            Some(asked) => Stage::Ask(asked),
        }
    }

    /// Parses the arguments, unless that was done, and judges the call.
    pub(crate) async fn start(&mut self, stage: Stage) -> Stage {
        if let Some(unequipped) = &self.plan().unequipped
            && let Some(error) = unequipped.refusal(&self.session.resources)
        {
            return Stage::refuse(error);
        }
        let mut allowed = false;
        if let Stage::StartAnew { allowed: by_whom } = stage {
            allowed = by_whom;
            // Other arguments are another call to hooks.
            self.hooked = 0;
            if let Err(error) = self.read_anew() {
                return Stage::refuse(error);
            }
        } else if self.parsed.get().is_none() {
            match parse(self.entry(), &self.arguments) {
                Ok(parsed) => self.parsed = ParsedCall::new(parsed),
                Err(error) => return Stage::refuse(error),
            }
        }
        self.judge(None, JudgedSoFar::default(), allowed).await
    }

    /// Reads arguments that somebody gave in place of those of before.
    pub(crate) fn read_anew(&mut self) -> Result<(), ToolError> {
        self.parsed.clear();
        self.passed = false;
        let (shared, catalog) = (Arc::clone(&self.shared), Arc::clone(&self.catalog));
        let entry = catalog.entry(self.number);
        let repairs = &mut self.notes.repairs;
        let invocation = read_anew(&shared.reading, entry, &mut self.arguments, repairs)?;
        self.parsed = ParsedCall::new(invocation);
        Ok(())
    }

    /// Returns true if [`judge`](Self::judge) waits for nobody and needs no more than the context of a call that was
    /// just read.
    pub(crate) fn is_judged_in_place(&self, context: &ToolContext) -> bool {
        let session = &self.session;
        session.grants.is_empty()
            && !session.judge.is_async()
            && !session.waits.has_to_refresh(context)
    }

    /// Judges the call, unless that was done, and asks whom it has to. Its context is made here if there is none.
    pub(crate) async fn judge(
        &mut self,
        mut context: Option<ToolContext>,
        mut done: JudgedSoFar,
        allowed: bool,
    ) -> Stage {
        self.passed = true;
        let grants = &self.session.grants;
        let foreknown = &self.plan().foreknown;
        let mut reads = allowed || !foreknown.goes_without_store(&self.shared, grants);
        loop {
            let mut context = context.take().unwrap_or_else(|| self.context());
            let read = if reads {
                self.read_grants(&context).await
            } else {
                Ok(())
            };
            if read.is_ok()
                && self.has_gates()
                && let Some(stage) = self.gates(&context, take(&mut done.gates), allowed)
            {
                if reads || !matches!(stage, Stage::Ask(_)) {
                    return stage;
                }
                reads = true;
                continue;
            }
            if allowed {
                // The context is made anew, because the requests of gates are allowed by now.
                context = self.context();
            }
            let asked = match (read, done.assessment.take()) {
                (Err(error), _) => Err(error),
                (Ok(()), Some(assessment)) => self.ask_about(&context, assessment, allowed),
                (Ok(()), None) => match self.assess(&context).await {
                    Ok(assessment) => self.ask_about(&context, assessment, allowed),
                    Err(error) => Err(error),
                },
            };
            match asked {
                // Somebody may have answered it for more than one call.
                Ok(Some(_)) | Err(_) if !reads => reads = true,
                Ok(asked) => {
                    return self.authorized(Authorized {
                        context,
                        asked,
                        allowed,
                    });
                }
                Err(error) => return Stage::refuse(error),
            }
        }
    }

    /// Reads what was granted and refused, unless that is known.
    async fn read_grants(&self, context: &ToolContext) -> Result<(), ToolError> {
        let Some(refresh) = self.session.waits.refresh(context) else {
            return Ok(());
        };
        let token = context.cancel_scope().token();
        let read = token.run_until_cancelled(refresh).await;
        read.unwrap_or_else(|| Err(before_it_began()))
    }

    /// Returns the requests to a person about the call, if there are any.
    fn ask_about(
        &self,
        context: &ToolContext,
        assessment: Assessment,
        allowed: bool,
    ) -> Result<Option<Wait>, ToolError> {
        let asks = left_to_ask(&self.check(), assessment, context)?;
        self.wait_for_approval(&asks, allowed)
    }

    /// Returns the wait for the approval of these asks, if there are any.
    pub(crate) fn wait_for_approval(
        &self,
        asks: &[Asking],
        allowed: bool,
    ) -> Result<Option<Wait>, ToolError> {
        if asks.is_empty() {
            return Ok(None);
        }
        if self.shared.base.people.mode == WaitMode::Unattended && !allowed {
            return Err(self.session.judge.nobody_here(&self.entry().name, asks));
        }
        let requests = pending(&self.context(), self.spec()?, asks);
        Ok(Some(Wait::approval(requests)))
    }

    async fn assess(&mut self, context: &ToolContext) -> Result<Assessment, ToolError> {
        let mut parsed = take(&mut self.parsed);
        let assessed = assess_awaited(&self.check(), &mut parsed, context).await;
        self.parsed = parsed;
        assessed
    }

    pub(crate) fn check(&self) -> PermissionCheck<'_> {
        PermissionCheck {
            entry: self.entry(),
            foreknown: &self.plan().foreknown,
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
        }
    }
}
