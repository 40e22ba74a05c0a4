//! The stage that judges a call before it runs: gates, grants, the permission checker.

use std::sync::Arc;

use crate::executor::arguments::read::{parse, read_anew};
use crate::executor::call::permission;
use crate::executor::call::permission::Assessment;
use crate::executor::call::state::{Authorized, CallState, Stage, before_it_began, without};
use crate::executor::people::asked::AskedRequests;
use crate::executor::people::mode::WaitMode;
use crate::message::ToolError;
use crate::tool::{Invocation, ToolContext, pending};

impl CallState {
    /// Returns the next stage of a call that gates and checker let run.
    pub(crate) fn authorized(&mut self, authorized: Authorized) -> Stage {
        if self.hooked < self.shared.hooks.before.len() {
            return Stage::Before(Box::new(authorized));
        }
        let Authorized {
            invocation,
            context,
            asked,
            allowed,
        } = authorized;
        match asked {
            None => Stage::Run(invocation, context),
            Some(asked) if allowed => {
                // By whoever gave the arguments, once and for all of this call.
                self.answered.extend(asked.allowed());
                Stage::Run(invocation, self.context())
            }
            Some(asked) => without(invocation, Stage::Ask(asked)),
        }
    }

    /// Parses the arguments, and judges the call.
    pub(crate) async fn start(&mut self, step: Stage) -> Stage {
        if let Some(unequipped) = &self.plan().unequipped
            && let Some(error) = unequipped.refusal(&self.session.resources)
        {
            return Stage::refuse(error);
        }
        let (invocation, allowed) = match step {
            Stage::StartAnew { allowed } => {
                self.passed = false;
                // Other arguments are another call to them.
                self.hooked = 0;
                let shared = Arc::clone(&self.shared);
                let catalog = Arc::clone(&self.catalog);
                let entry = catalog.entry(self.number);
                let repairs = &mut self.notes.repairs;
                let read = read_anew(&shared.reading, entry, &mut self.arguments, repairs);
                (read, allowed)
            }
            _ => (
                match parse(self.entry(), &self.arguments) {
                    Ok(parsed) => parsed.map_err(ToolError::from),
                    Err(panicked) => Err(panicked),
                },
                false,
            ),
        };
        match invocation {
            Ok(invocation) => self.judge(invocation, None, allowed).await,
            Err(error) => Stage::refuse(error),
        }
    }

    /// Judges the call, unless that was done, and asks whom it has to.
    pub(crate) async fn judge(
        &mut self,
        mut invocation: Box<dyn Invocation>,
        mut assessment: Option<Assessment>,
        allowed: bool,
    ) -> Stage {
        self.passed = true;
        let grants = &self.session.grants;
        let foreknown = &self.plan().foreknown;
        let mut reads = allowed || !foreknown.goes_without_store(&self.shared, grants);
        loop {
            let mut context = self.context();
            let read = if reads {
                self.read_grants(&context).await
            } else {
                Ok(())
            };
            if read.is_ok()
                && let Some(step) = self.gates(&context, allowed)
            {
                if reads || !matches!(step, Stage::Ask(_)) {
                    return without(invocation, step);
                }
                reads = true;
                continue;
            }
            if allowed {
                // The context is made anew, because the requests of gates are allowed by now.
                context = self.context();
            }
            let asked = match (read, assessment.take()) {
                (Err(error), _) => Err(error),
                (Ok(()), Some(assessment)) => self.ask_about(&context, assessment, allowed),
                (Ok(()), None) => match self.assess(&mut invocation, &context).await {
                    Ok(assessment) => self.ask_about(&context, assessment, allowed),
                    Err(error) => Err(error),
                },
            };
            match asked {
                // Somebody may have answered it for more than one call.
                Ok(Some(_)) | Err(_) if !reads => reads = true,
                Ok(asked) => {
                    return self.authorized(Authorized {
                        invocation,
                        context,
                        asked,
                        allowed,
                    });
                }
                Err(error) => return without(invocation, Stage::refuse(error)),
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

    /// Returns what a person is asked about the call, if anything.
    fn ask_about(
        &self,
        context: &ToolContext,
        assessment: Assessment,
        allowed: bool,
    ) -> Result<Option<AskedRequests>, ToolError> {
        let asks = permission::left_to_ask(&self.to_ask(), assessment, context)?;
        if asks.is_empty() {
            return Ok(None);
        }
        let base = &self.shared.base;
        if base.people.mode == WaitMode::Unattended && !allowed {
            return Err(self.session.judge.nobody_here(&self.entry().name, &asks));
        }
        let requests = pending(context, self.spec()?, &asks);
        Ok(Some(AskedRequests::approval(requests)))
    }

    async fn assess(
        &self,
        invocation: &mut Box<dyn Invocation>,
        context: &ToolContext,
    ) -> Result<Assessment, ToolError> {
        permission::assess_awaited(&self.to_ask(), invocation, context).await
    }

    fn to_ask(&self) -> permission::PermissionCheck<'_> {
        permission::PermissionCheck {
            entry: self.entry(),
            foreknown: &self.plan().foreknown,
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
        }
    }
}
