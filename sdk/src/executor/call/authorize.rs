//! The stage that judges a call before it runs: gates, grants, the permission checker.

use std::sync::Arc;

use crate::executor::arguments::read::{parse, read_anew};
use crate::executor::call::permission;
use crate::executor::call::permission::Weighed;
use crate::executor::call::state::{Cleared, Course, Step, before_it_began, without};
use crate::executor::people::asked::Asked;
use crate::executor::people::mode::WaitMode;
use crate::message::ToolError;
use crate::tool::{Invocation, ToolContext, pending};

impl Course {
    /// What a call does next that may run as far as gates and checker are concerned.
    pub(crate) fn cleared(&mut self, cleared: Cleared) -> Step {
        if self.hooked < self.shared.hooks.before.len() {
            return Step::Before(Box::new(cleared));
        }
        let Cleared {
            invocation,
            context,
            asked,
            allowed,
        } = cleared;
        match asked {
            None => Step::Run(invocation, context),
            Some(asked) if allowed => {
                // By whoever gave the arguments, once and for all of this call.
                self.answered.extend(asked.allowed());
                Step::Run(invocation, self.context())
            }
            Some(asked) => without(invocation, Step::Ask(asked)),
        }
    }

    /// Parses the arguments, and judges the call.
    pub(crate) async fn start(&mut self, step: Step) -> Step {
        if let Some(unequipped) = &self.plan().unequipped
            && let Some(error) = unequipped.refusal(&self.session.resources)
        {
            return Step::refuse(error);
        }
        let (invocation, allowed) = match step {
            Step::StartAnew { allowed } => {
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
            Err(error) => Step::refuse(error),
        }
    }

    /// Judges the call, unless that was done, and asks whom it has to.
    pub(crate) async fn judge(
        &mut self,
        mut invocation: Box<dyn Invocation>,
        mut weighed: Option<Weighed>,
        allowed: bool,
    ) -> Step {
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
                if reads || !matches!(step, Step::Ask(_)) {
                    return without(invocation, step);
                }
                reads = true;
                continue;
            }
            if allowed {
                // The context is made anew, because the requests of gates are allowed by now.
                context = self.context();
            }
            let asked = match (read, weighed.take()) {
                (Err(error), _) => Err(error),
                (Ok(()), Some(weighed)) => self.ask_about(&context, weighed, allowed),
                (Ok(()), None) => match self.weigh(&mut invocation, &context).await {
                    Ok(weighed) => self.ask_about(&context, weighed, allowed),
                    Err(error) => Err(error),
                },
            };
            match asked {
                // Somebody may have answered it for more than one call.
                Ok(Some(_)) | Err(_) if !reads => reads = true,
                Ok(asked) => {
                    return self.cleared(Cleared {
                        invocation,
                        context,
                        asked,
                        allowed,
                    });
                }
                Err(error) => return without(invocation, Step::refuse(error)),
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

    /// What a person is asked about the call, if one is.
    fn ask_about(
        &self,
        context: &ToolContext,
        weighed: Weighed,
        allowed: bool,
    ) -> Result<Option<Asked>, ToolError> {
        let asks = permission::left_to_ask(&self.to_ask(), weighed, context)?;
        if asks.is_empty() {
            return Ok(None);
        }
        let base = &self.shared.base;
        if base.people.mode == WaitMode::Unattended && !allowed {
            return Err(self.session.judge.nobody_here(&self.entry().name, &asks));
        }
        let requests = pending(context, self.spec()?, &asks);
        Ok(Some(Asked::approval(requests)))
    }

    async fn weigh(
        &self,
        invocation: &mut Box<dyn Invocation>,
        context: &ToolContext,
    ) -> Result<Weighed, ToolError> {
        permission::weigh_awaited(&self.to_ask(), invocation, context).await
    }

    fn to_ask(&self) -> permission::Asked<'_> {
        permission::Asked {
            entry: self.entry(),
            foreknown: &self.plan().foreknown,
            arguments: &self.arguments,
            purpose: self.notes.purpose.as_deref(),
        }
    }
}
