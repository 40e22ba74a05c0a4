//! The run of a hook: it takes nothing with it and holds nobody up for ever, it is listed while it runs, and its
//! start and its end are events.

use std::task::Poll;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::content::{ErrorKind, ToolError};
use crate::context::ToolContext;
use crate::event::{EventKind, HookStage};
use crate::executor::call::reached::PlainCall;
use crate::executor::catalog::tools::ToolPlan;
use crate::executor::core::hold::CoreHold;
use crate::executor::guard::{catch_tool_panic, no_timers, shutting_down};
use crate::executor::hooks::{HookedCalls, Hooks};
use crate::executor::observe::observer::CallObserver;
use crate::hook::HookCall;
use crate::id::{HookRunId, InvocationId};
use crate::question::cancelled;
use crate::registry::ToolEntry;
use crate::util::cold::rarely;
use crate::util::future::BoxFuture;
use crate::util::port::{PortFailure, bounded};

/// The parts of a call that hooks and those who hear of hooks see.
#[derive(Clone, Copy)]
pub(crate) struct SeenCall<'c> {
    pub(crate) entry: &'c ToolEntry,
    pub(crate) plan: &'c ToolPlan,
    pub(crate) arguments: &'c Arguments<'c>,
    pub(crate) purpose: Option<&'c str>,
    pub(crate) invocation: InvocationId,
    pub(crate) observer: Option<&'c CallObserver>,
}

impl<'c> SeenCall<'c> {
    /// The call as a hook sees it.
    pub(crate) fn shown(&self, context: &'c ToolContext) -> Result<HookCall<'c>, ToolError> {
        let spec = catch_tool_panic("the tool", || self.entry.tool.spec())?;
        let call = HookCall::new(spec, self.arguments, context);
        let call = call.with_tool(self.entry, self.plan.explicit_only);
        Ok(call.with_purpose(self.purpose))
    }
}

impl<C: CoreHold> PlainCall<'_, C> {
    /// The parts of the call that hooks see. `apart` are the arguments that run, if nothing keeps them.
    ///
    /// # Errors
    ///
    /// Fails if there are no arguments, which is a bug in this crate: hooks are there from the start.
    #[inline]
    pub(crate) fn seen<'c>(
        &'c self,
        context: &'c ToolContext,
        apart: Option<&'c Arguments<'c>>,
    ) -> Result<SeenCall<'c>, ToolError> {
        let number = context.call.number;
        let arguments = self.arguments(context).or(apart);
        let gone = || ToolError::internal("the arguments of the call are gone");
        Ok(SeenCall {
            entry: self.catalog().entry(number),
            plan: self.catalog().plan(number),
            arguments: arguments.ok_or_else(gone)?,
            purpose: self.purpose(),
            invocation: context.invocation_id(),
            observer: self.observer.as_deref(),
        })
    }
}

/// A run of a hook, which is listed until this is dropped.
pub(crate) struct HookRun<'c> {
    hooks: &'c Hooks,
    calls: &'c [SeenCall<'c>],
    id: HookRunId,
    stage: HookStage,
    /// The place of the hook among those of its stage.
    number: usize,
    /// The start of the run. `None` if nobody observes its time.
    began: Option<Instant>,
    ended: bool,
}

impl<'c> HookRun<'c> {
    #[inline]
    pub(crate) fn begin(
        hooks: &'c Hooks,
        calls: &'c [SeenCall<'c>],
        (stage, number): (HookStage, usize),
    ) -> Self {
        let listed = match calls {
            [one] => HookedCalls::One(one.invocation),
            several => HookedCalls::Several(several.iter().map(|call| call.invocation).collect()),
        };
        let id = hooks.running.add((stage, number), listed);
        let is_told = calls.iter().any(|call| call.observer.is_some());
        let began = rarely(is_told, || {
            tell_start(hooks, calls, (stage, number), id);
            Instant::now()
        });
        Self {
            hooks,
            calls,
            id,
            stage,
            number,
            began,
            ended: false,
        }
    }

    /// Runs the hook, once, and puts what it says in its place, where it stays. One that never waits reads no clock.
    pub(crate) async fn run<'h, T: 'h>(
        &mut self,
        context: &ToolContext,
        hook: impl FnOnce() -> BoxFuture<'h, Result<T, ToolError>> + Send,
        said: &mut Poll<Result<T, ToolError>>,
    ) -> Result<(), ToolError> {
        let name = || self.hooks.name(self.stage, self.number);
        let is_cancelled = context.is_to_end();
        let ended = if is_cancelled && self.stage == HookStage::Before {
            Err(PortFailure::Cancelled)
        } else {
            // Hooks see the end of a cancelled call as well, and have their time for it.
            let token = (!is_cancelled).then(|| context.cancel_scope().token());
            bounded(self.hooks.timeout.as_ref(), true, token, hook, said).await
        };
        let ran = match (ended, &*said) {
            (_, Poll::Ready(Err(error))) => Err(error.clone()),
            (Ok(()), _) => Ok(()),
            (Err(PortFailure::Panicked(text)), _) => Err(panicked("hook", name(), &text)),
            (Err(PortFailure::TimedOut(limit)), _) => Err(too_long(name(), limit)),
            (Err(PortFailure::NoTimers), _) => Err(no_timers()),
            (Err(PortFailure::ShuttingDown), _) => Err(shutting_down()),
            (Err(PortFailure::Cancelled), _) => Err(cancelled()),
        };
        self.tell_end(ran.as_ref().err().map(ToolError::kind));
        ran
    }

    /// The observer of the first of the calls, if it has one.
    pub(crate) fn observer(&self) -> Option<&'c CallObserver> {
        self.calls.first()?.observer
    }

    /// Returns true if somebody hears of the start and the end of the run.
    pub(crate) fn is_observed(&self) -> bool {
        self.began.is_some()
    }

    /// Begins once more, for the next question to the hook about the same calls. Where nobody hears of the two, they
    /// are listed as one.
    pub(crate) fn again(&mut self) {
        if self.is_observed() {
            self.hooks.running.remove(self.id);
            *self = Self::begin(self.hooks, self.calls, (self.stage, self.number));
        }
    }

    #[inline]
    fn tell_end(&mut self, error: Option<ErrorKind>) {
        self.ended = true;
        if let Some(began) = self.began {
            self.tell_end_after(began.elapsed(), error);
        }
    }

    #[cold]
    fn tell_end_after(&self, duration: Duration, error: Option<ErrorKind>) {
        for observer in self.calls.iter().filter_map(|call| call.observer) {
            observer.emit(|| EventKind::HookFinished {
                id: self.id,
                hook: self.hooks.name(self.stage, self.number).to_string(),
                stage: self.stage,
                duration,
                error,
            });
        }
    }
}

#[cold]
fn tell_start(
    hooks: &Hooks,
    calls: &[SeenCall<'_>],
    (stage, number): (HookStage, usize),
    id: HookRunId,
) {
    for observer in calls.iter().filter_map(|call| call.observer) {
        observer.emit(|| EventKind::HookStarted {
            id,
            hook: hooks.name(stage, number).to_string(),
            stage,
        });
    }
}

/// A hook whose call is dropped has ended too.
impl Drop for HookRun<'_> {
    fn drop(&mut self) {
        self.hooks.running.remove(self.id);
        if !self.ended {
            self.tell_end(Some(ErrorKind::Cancelled));
        }
    }
}

/// A gate or hook has panicked.
#[cold]
pub(crate) fn panicked(what: &str, name: &str, text: &str) -> ToolError {
    ToolError::new(
        ErrorKind::Panicked,
        format!("a {what} of the app panicked: this is a fault of the app, not of the call"),
    )
    .with_code(format!("{what}_panicked"))
    .with_source(format!("`{name}`: {text}"))
}

#[cold]
fn too_long(name: &str, limit: Duration) -> ToolError {
    let message = format!("a hook of the app took longer than {limit:?}");
    ToolError::new(ErrorKind::TimedOut, message)
        .with_code("hook_timed_out")
        .with_source(format!("`{name}` took too long"))
}
