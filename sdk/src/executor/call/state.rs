//! The data of one call that may have to wait for people, and its next stage. A plain call does without: its
//! data is in `future`.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

use crate::arguments::Arguments;
use crate::content::{
    CallStatus, ErrorKind, IllegalStep, ResultSource, ToolCall, ToolError, ToolOutput,
};
use crate::context::CallEnvironment;
use crate::context::{
    AnsweredRequest, ArgumentsInFlight, CallExtras, CallIds, CallStack, ResumeInfo, SessionScope,
    ToolContext, TurnScope,
};
use crate::event::{EventCall, EventKind, illegal_step};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::catalog::tools::{Catalog, ToolPlan};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::observer::CallObserver;
use crate::executor::observe::recorder::Recorder;
use crate::id::{CallIdentity, TicketId};
use crate::outcome::ToolOutcome;
use crate::registry::ToolEntry;
use crate::schedule::PermitGuard;
use crate::spec::ToolSpec;
use crate::ticket::{ClaimGuard, Wait, WaitKind, WaitingTicket};
use crate::tool::Invocation;
use crate::util::lock::Lock;

/// A call on its way. It owns what it needs, so that it can be a task of its own.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own about the call"
)]
pub(crate) struct CallState {
    pub(crate) shared: Arc<ExecutorCore>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) session: Arc<SessionScope>,
    pub(crate) turn: Option<Arc<TurnScope>>,
    pub(crate) identity: CallIdentity,
    pub(crate) metadata: Option<Arc<Map<String, Value>>>,
    /// The calls above, if a tool makes this one.
    pub(crate) call_stack: Option<Arc<CallStack>>,
    /// If somebody wants to know how long it takes.
    pub(crate) begun: Option<Instant>,
    /// The number of the tool in the catalog.
    pub(crate) number: usize,
    /// The call as it was parsed, until its body runs. It is kept while people are asked, so that nothing is
    /// parsed twice.
    pub(crate) parsed: ParsedCall,
    /// As they run.
    pub(crate) arguments: Arguments<'static>,
    pub(crate) notes: ReadNotes,
    /// A person changed the arguments.
    pub(crate) edited: bool,
    /// The answers of people so far.
    pub(crate) answered: Vec<AnsweredRequest>,
    /// The reason, in the person's words, why they changed the arguments.
    pub(crate) said: Option<String>,
    /// The last ticket that was answered.
    pub(crate) ticket: Option<TicketId>,
    /// The claim of the ticket that the call was resumed with.
    pub(crate) claim: Option<ClaimGuard>,
    pub(crate) status: CallStatus,
    /// The permit, if only so many calls may run, or not beside each other.
    pub(crate) permit: Option<PermitGuard>,
    /// The number of hooks that have seen the call before it runs.
    pub(crate) hooked: usize,
    /// The version of the session's state in which the gates let the call go on.
    pub(crate) gated: u64,
    /// A hook changed the arguments.
    pub(crate) rewritten: bool,
    /// The tool has accepted the arguments as they are now.
    pub(crate) passed: bool,
    /// If somebody wants to know of the call.
    pub(crate) observer: Option<Box<CallObserver>>,
    /// The call's clock and randomness, if they are not those of the system.
    pub(crate) environment: Option<Arc<CallEnvironment>>,
    /// If the call is recorded.
    pub(crate) recorder: Option<Recorder>,
    /// The call was dispatched to here: whoever has dispatched it cuts its output.
    pub(crate) is_hosted: bool,
}

/// The next stage of a call.
pub(crate) enum Stage {
    /// Its arguments are those of before, and are parsed unless that was done.
    Start,
    /// Its arguments are new.
    StartAnew {
        /// Whoever gave them has allowed what they ask for.
        allowed: bool,
    },
    /// Hooks have yet to see it.
    Before(Box<Authorized>),
    Run(ToolContext),
    /// Somebody is asked.
    Ask(Wait),
    /// Somebody was asked.
    Opened(Wait, WaitingTicket),
    End(ResultSource, ToolOutput),
}

impl Stage {
    /// The executor says why the call did not run or come to its end.
    pub(crate) fn refuse(error: ToolError) -> Self {
        Self::End(ResultSource::Executor, error.into())
    }
}

/// A call with its arguments parsed, that has yet to run.
///
/// A person may be asked while it is held, and the host may drop the call meanwhile. What it holds may panic when
/// it goes; that harms neither. The lock makes it one that threads may share; it is never waited for.
#[derive(Default)]
pub(crate) struct ParsedCall(Lock<Option<Box<dyn Invocation>>>);

impl ParsedCall {
    pub(crate) fn new(invocation: Box<dyn Invocation>) -> Self {
        Self(Lock::new(Some(invocation)))
    }

    /// `None` if the arguments are yet to be parsed.
    pub(crate) fn get(&mut self) -> Option<&dyn Invocation> {
        self.0.get_mut().as_deref()
    }

    pub(crate) fn take(&mut self) -> Option<Box<dyn Invocation>> {
        self.0.get_mut().take()
    }

    /// Lets go of a call that does not run as it was parsed.
    pub(crate) fn clear(&mut self) {
        if let Some(invocation) = self.take() {
            let _ = catch_tool_panic("the tool", || drop(invocation));
        }
    }
}

impl Drop for ParsedCall {
    fn drop(&mut self) {
        self.clear();
    }
}

impl CallState {
    /// A call that was read. Its arguments are still to be told.
    pub(crate) fn of(
        shared: &Arc<ExecutorCore>,
        place: &CallSite<'_>,
        call: &ToolCall<'_>,
        begun: Option<Instant>,
        number: usize,
        notes: ReadNotes,
    ) -> Box<Self> {
        let tool = place.catalog.entry(number).name.label();
        let identity = place.identity(call.id().cloned(), tool);
        let mut call_state = Self::new(shared, place, identity, begun, number, notes);
        call_state.metadata = call.metadata().cloned();
        call_state
    }

    pub(crate) fn new(
        shared: &Arc<ExecutorCore>,
        place: &CallSite<'_>,
        identity: CallIdentity,
        begun: Option<Instant>,
        number: usize,
        notes: ReadNotes,
    ) -> Box<Self> {
        // Made in its box, as invocations are.
        Box::write(
            Box::new_uninit(),
            Self {
                shared: Arc::clone(shared),
                catalog: Arc::clone(&place.catalog),
                session: Arc::clone(place.session),
                turn: place.turn.scope().cloned(),
                identity,
                call_stack: place.call_stack.cloned(),
                metadata: None,
                begun,
                number,
                parsed: ParsedCall::default(),
                arguments: Arguments::empty(),
                notes,
                edited: false,
                said: None,
                answered: Vec::new(),
                ticket: None,
                claim: None,
                status: CallStatus::New,
                permit: None,
                hooked: 0,
                gated: 0,
                rewritten: false,
                passed: false,
                observer: None,
                recorder: None,
                environment: None,
                is_hosted: false,
            },
        )
    }

    pub(crate) fn entry(&self) -> &ToolEntry {
        self.catalog.entry(self.number)
    }

    pub(crate) fn spec(&self) -> Result<&ToolSpec, ToolError> {
        catch_tool_panic("the tool", || self.entry().tool.spec())
    }

    pub(crate) fn plan(&self) -> &ToolPlan {
        self.catalog.plan(self.number)
    }

    /// The context of a run of the tool, with the arguments for whoever asks about them.
    pub(crate) fn context(&self) -> ToolContext {
        self.context_with(Some(Arc::new(ArgumentsInFlight {
            arguments: self.arguments.clone(),
            purpose: self.notes.purpose.clone(),
        })))
    }

    /// The context for code that does not look at arguments by it.
    pub(crate) fn context_with(&self, kept: Option<Arc<ArgumentsInFlight>>) -> ToolContext {
        let resumed = self.ticket.map(|ticket| {
            Arc::new(ResumeInfo {
                ticket,
                answered: self.answered.clone(),
                edited: self.edited,
            })
        });
        let extras = CallExtras {
            metadata: self.metadata.clone(),
            kept,
            watched: self.watched(),
            resumed,
            call_stack: self.call_stack.clone(),
            specs: Some(Arc::<Catalog>::clone(&self.catalog)),
            environment: self.environment.clone(),
            ..CallExtras::default()
        };
        ToolContext::new(
            Arc::clone(&self.session),
            self.turn.clone(),
            CallIds {
                turn: self.identity.turn,
                invocation: self.identity.invocation,
                call: self.identity.call_id.as_ref(),
            },
            self.number,
            Some(Arc::new(extras)),
        )
    }
}

/// A call that may run as far as gates and checker are concerned.
pub(crate) struct Authorized {
    pub(crate) context: ToolContext,
    /// The requests that people are asked about first.
    pub(crate) asked: Option<Wait>,
    /// Whoever gave the arguments has allowed what they ask for.
    pub(crate) allowed: bool,
}

/// A call that has begun.
pub(crate) enum Preparing {
    Ended(Box<ToolOutcome>),
    Goes(Box<CallState>, Stage),
}

#[cold]
pub(crate) fn before_it_began() -> ToolError {
    let message = "the call was cancelled before it began";
    ToolError::new(ErrorKind::Cancelled, message)
}

impl CallState {
    /// The call goes on to another status. What cannot follow is reported and left out: it tells of a
    /// fault of ours and must not end the call.
    pub(crate) fn step(&mut self, next: CallStatus) {
        let from = self.status;
        let next = match from.step(next) {
            Ok(next) => next,
            Err(illegal) => return self.report_step(illegal),
        };
        self.status = next;
        if let Some(observer) = &mut self.observer {
            observer.step(from, next);
        }
        let of_call = self
            .turn
            .as_ref()
            .filter(|scope| scope.is_of(self.identity.invocation));
        if let Some(scope) = of_call
            && let Err(illegal) = scope.step(next)
        {
            self.report_step(illegal);
        }
    }

    #[cold]
    fn report_step(&self, illegal: IllegalStep) {
        let tool = &self.entry().name;
        self.emit(|| illegal_step(format_args!("the call of `{tool}`"), illegal));
    }

    /// Drops the approvals, which were for other arguments: only refusals still count.
    pub(crate) fn forget_approvals(&mut self) {
        self.answered
            .retain(|(kind, _, answer)| *kind != WaitKind::Approval || answer.is_refusal());
    }

    /// Has the span of the call show its arguments, if that was asked for.
    pub(crate) fn trace_arguments(&mut self) {
        let Some(mut observer) = self.observer.take() else {
            return;
        };
        if let Some(trace) = &mut observer.trace {
            trace.arguments(|| {
                let canonical = self.arguments.canonical(self.spec().ok()?).ok()?;
                Some(canonical.to_string())
            });
        }
        self.observer = Some(observer);
    }

    /// The call ends: who is to be told.
    pub(crate) fn let_go(&mut self) -> Option<Box<CallObserver>> {
        self.trace_arguments();
        self.observer.take()
    }

    pub(crate) fn watched(&self) -> Option<Arc<EventCall>> {
        self.observer
            .as_ref()
            .map(|observer| Arc::clone(&observer.call))
    }

    pub(crate) fn has_gates(&self) -> bool {
        !self.shared.hooks.gates.is_empty()
    }

    /// Returns true if a gate has ended the call's turn.
    pub(crate) fn is_blocked(&self) -> bool {
        self.turn
            .as_deref()
            .is_some_and(|turn| turn.block().is_some())
    }

    /// Returns true if the call needs a permit to run.
    pub(crate) fn needs_permit(&self) -> bool {
        self.permit.is_some() || self.session.slots.is_some() || self.plan().slots.is_some()
    }

    /// Gives the permit back, until the call goes on.
    pub(crate) fn leave_permit(&self) {
        if let Some(permit_guard) = &self.permit {
            permit_guard.permit().release();
        }
    }

    /// Tells of something that happens to the call, if somebody wants to know.
    #[inline]
    pub(crate) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        if let Some(observer) = &self.observer {
            observer.emit(kind);
        }
    }
}

#[cfg(test)]
mod tests;
