//! A call that may have to wait for people: its states, one after another. The way of a plain call, in
//! `pipeline`, knows none of them.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Map;
use serde_json::Value;

use super::asked::Asked;
use super::before::Cleared;
use super::body::perform;
use super::catalog::{Catalog, Plan};
use super::guard::guarded;
use super::held_thread::HeldThread;
use super::judging::without;
use super::permits::Doubt;
use super::reading::{Notes, read};
use super::session::Place;
use super::witness::{CallSpan, Witness, told};
use super::{Interruption, Shared, ToolOutcome, WaitMode};
use crate::id::{CallId, InvocationId, TicketId, TurnId};
use crate::interaction::cancelled;
use crate::message::{Arguments, CallStatus, ResultSource, ToolCall, ToolError, ToolOutput};
use crate::pending::{Held, Ticket};
use crate::registry::Entry;
use crate::spec::ToolSpec;
use crate::tool::{
    Answered, CallExtras, CallIds, CallWorld, Invocation, Kept, Nesting, Resumed, Seated,
    SessionScope, ToolContext, TurnScope, is_suspension,
};

/// A call on its way. It owns what it needs, so that it can be a task of its own.
pub(super) struct Course {
    pub(super) shared: Arc<Shared>,
    pub(super) catalog: Arc<Catalog>,
    pub(super) session: Arc<SessionScope>,
    pub(super) turn: Option<Arc<TurnScope>>,
    pub(super) turn_id: TurnId,
    pub(super) invocation_id: InvocationId,
    pub(super) call_id: Option<CallId>,
    pub(super) metadata: Option<Arc<Map<String, Value>>>,
    /// Of a call that a tool makes.
    pub(super) within: Option<Arc<Nesting>>,
    /// If somebody wants to know how long it takes.
    pub(super) begun: Option<Instant>,
    /// Of the tool.
    pub(super) number: usize,
    /// As they run.
    pub(super) arguments: Arguments<'static>,
    pub(super) notes: Notes,
    /// A person changed the arguments.
    pub(super) edited: bool,
    /// What people have answered so far.
    pub(super) answered: Vec<Answered>,
    /// Why the person changed them, in their words.
    pub(super) said: Option<String>,
    /// The last ticket that was answered.
    pub(super) ticket: Option<TicketId>,
    pub(super) status: CallStatus,
    /// Where only so many calls may run, or not beside each other.
    pub(super) seat: Option<Seated>,
    /// How many hooks have seen the call before it runs.
    pub(super) hooked: usize,
    /// In which state of the session the gates let the call go on.
    pub(super) gated: u64,
    /// A hook changed the arguments.
    pub(super) rewritten: bool,
    /// The tool has accepted the arguments as they are now.
    pub(super) passed: bool,
    /// If somebody wants to know of the call.
    pub(super) witness: Option<Box<Witness>>,
    /// What the call has of the time and of chance, where that is not simply the real world.
    pub(super) world: Option<Arc<CallWorld>>,
    /// If the call is recorded.
    #[cfg(feature = "journal")]
    pub(super) recorder: Option<Box<super::recorder::Recorder>>,
}

/// What a call does next.
pub(super) enum Step {
    /// Its arguments are those of before, and are parsed once more.
    Start,
    /// Its arguments are new.
    StartAnew {
        /// Whoever gave them has allowed what they ask for.
        allowed: bool,
    },
    /// Hooks have yet to see it.
    Before(Box<Cleared>),
    Run(Box<dyn Invocation>, ToolContext),
    /// Somebody is asked.
    Ask(Asked),
    /// Somebody was asked.
    Opened(Asked, Held),
    End(ResultSource, ToolOutput),
}

impl Step {
    /// The executor says why the call did not run or come to its end.
    pub(super) fn refuse(error: ToolError) -> Self {
        Self::End(ResultSource::Executor, error.into())
    }
}

impl Course {
    /// A call that was read. Its arguments are still to be told.
    pub(super) fn of(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        call: &ToolCall<'_>,
        begun: Option<Instant>,
        number: usize,
        notes: Notes,
    ) -> Self {
        Self {
            call_id: call.id().cloned(),
            metadata: call.metadata().cloned(),
            ..Self::bare(shared, place, begun, number, notes)
        }
    }

    pub(super) fn bare(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        begun: Option<Instant>,
        number: usize,
        notes: Notes,
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            catalog: Arc::clone(&place.catalog),
            session: Arc::clone(place.session),
            turn: place.turn.cloned(),
            turn_id: place.turn_id,
            invocation_id: place.invocation_id,
            within: place.within.cloned(),
            call_id: None,
            metadata: None,
            begun,
            number,
            arguments: Arguments::empty(),
            notes,
            edited: false,
            said: None,
            answered: Vec::new(),
            ticket: None,
            status: CallStatus::New,
            seat: None,
            hooked: 0,
            gated: 0,
            rewritten: false,
            passed: false,
            witness: None,
            #[cfg(feature = "journal")]
            recorder: None,
            world: None,
        }
    }

    /// A call that may perhaps not run as it is.
    pub(super) async fn doubted(
        mut self: Box<Self>,
        invocation: Box<dyn Invocation>,
        doubt: Doubt,
    ) -> ToolOutcome {
        self.arguments = doubt.arguments;
        let step = self.judge(invocation, doubt.weighed, false).await;
        self.drive(step).await
    }

    /// A call whose body has waited, or has ended because it has to.
    pub(super) async fn waited(
        mut self: Box<Self>,
        sent: Option<Arguments<'_>>,
        context: ToolContext,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        self.status = CallStatus::Running;
        let step = match self.arguments_again(sent, &context) {
            Ok(arguments) => {
                self.arguments = arguments;
                self.passed = true;
                self.ran(source, output)
            }
            // They were read a moment ago.
            Err(error) => Step::refuse(error),
        };
        self.drive(step).await
    }

    fn arguments_again(
        &self,
        sent: Option<Arguments<'_>>,
        context: &ToolContext,
    ) -> Result<Arguments<'static>, ToolError> {
        if let Some(kept) = context.call.kept() {
            return Ok(kept.arguments.clone());
        }
        let Some(sent) = sent else {
            return Err(ToolError::internal("the arguments of the call are gone"));
        };
        let mut changed = None;
        let notes = &mut Notes::default();
        read(
            &self.shared,
            &self.catalog,
            self.entry(),
            &sent,
            &mut changed,
            notes,
        )?;
        Ok(changed.unwrap_or_else(|| sent.into_owned()))
    }

    pub(super) fn entry(&self) -> &Entry {
        self.catalog.entry(self.number)
    }

    pub(super) fn spec(&self) -> Result<&ToolSpec, ToolError> {
        guarded("the tool", || self.entry().tool.spec())
    }

    pub(super) fn plan(&self) -> &Plan {
        self.catalog.plan(self.number)
    }

    /// Goes on until the call has ended, or waits in a ticket.
    pub(super) fn drive(
        self: Box<Self>,
        step: Step,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        let span = CallSpan::of(self.witness.as_deref());
        span.cover(self.go_on(step))
    }

    /// What few calls come to is boxed: the future of a call has no room for it.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` keeps its arguments twice in its future"
    )]
    fn go_on(
        mut self: Box<Self>,
        mut step: Step,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        async move {
            loop {
                step = match step {
                    Step::Start | Step::StartAnew { .. } => Box::pin(self.start(step)).await,
                    Step::Before(cleared) => self.before(cleared).await,
                    Step::Run(invocation, context) => self.run(invocation, context).await,
                    Step::Ask(asked) => {
                        self.leave_place();
                        Box::pin(self.ask(asked)).await
                    }
                    Step::Opened(asked, held) => {
                        self.leave_place();
                        self.emit(|| asked.told(held.ticket().id()));
                        self.step(CallStatus::Suspended);
                        match self.shared.base.people.mode {
                            WaitMode::Blocking => Box::pin(self.settle(asked, held)).await,
                            WaitMode::Unattended | WaitMode::Suspending => {
                                // Connected first: whoever blocks the turn now finds this call or
                                // its ticket.
                                self.connect_turn();
                                if let Some(refusal) = self.refused_by_block() {
                                    step = refusal;
                                    continue;
                                }
                                #[cfg(feature = "journal")]
                                if let Err(error) =
                                    Box::pin(self.record_interruption(&asked, &held)).await
                                {
                                    // What is held here is dropped, and nobody can answer it.
                                    step = Step::refuse(error);
                                    continue;
                                }
                                return self.interrupted(&asked, held.let_go());
                            }
                        }
                    }
                    Step::End(source, mut output) => {
                        if self.is_blocked() {
                            output = Box::pin(self.ended_by_block(source, output)).await;
                        }
                        return self.finish(source, output).await;
                    }
                };
            }
        }
    }

    /// The context of a run of the tool.
    pub(super) fn context(&self) -> ToolContext {
        let resumed = self.ticket.map(|ticket| {
            Arc::new(Resumed {
                ticket,
                answered: self.answered.clone(),
                edited: self.edited,
            })
        });
        let extras = CallExtras {
            metadata: self.metadata.clone(),
            kept: Some(Arc::new(Kept {
                arguments: self.arguments.clone(),
                purpose: self.notes.purpose.clone(),
                watched: self.watched(),
            })),
            resumed,
            within: self.within.clone(),
            specs: Some(Arc::<Catalog>::clone(&self.catalog)),
            world: self.world.clone(),
            ..CallExtras::default()
        };
        ToolContext::new(
            Arc::clone(&self.session),
            self.turn.clone(),
            CallIds {
                turn: self.turn_id,
                invocation: self.invocation_id,
                call: self.call_id.clone(),
            },
            self.number,
            Some(Arc::new(extras)),
        )
    }

    async fn run(&mut self, invocation: Box<dyn Invocation>, mut context: ToolContext) -> Step {
        if let Err(error) = self.take_place(&mut context).await {
            return without(invocation, Step::refuse(error));
        }
        if let Some(refusal) = self.refused_by_block() {
            return without(invocation, refusal);
        }
        // The call may have waited since it was judged.
        context.state = self.session.state.snapshot();
        if let Some(step) = self.gates_again(&context) {
            return without(invocation, step);
        }
        #[cfg(feature = "tracing")]
        self.trace_arguments();
        if let Some(world) = context.call.world() {
            world.begin();
        }
        #[cfg(feature = "journal")]
        if let Err(error) = self.record_request().await {
            return without(invocation, Step::refuse(error));
        }
        self.step(CallStatus::Running);
        if let Some(witness) = &mut self.witness {
            witness.start();
        }
        let holds = HeldThread::of(self, &*invocation);
        let (source, output) = perform(&self.catalog, self.number, invocation, &context).await;
        if let Some(holds) = holds {
            holds.tell(self);
        }
        self.ran(source, output)
    }

    /// What comes after the body: the end, or what the body has asked for.
    pub(super) fn ran(&mut self, source: ResultSource, output: ToolOutput) -> Step {
        let (noted, answered) = self.session.desk.take(self.invocation_id);
        self.answered.extend(answered);
        let is_suspended = |error: &ToolError| is_suspension(error, self.invocation_id);
        if output.error.as_ref().is_some_and(is_suspended)
            && let Some(asked) = Asked::by_body(noted)
        {
            return Step::Ask(asked);
        }
        Step::End(source, output)
    }

    /// Opens a ticket.
    async fn ask(&mut self, asked: Asked) -> Step {
        let draft = match self.draft(&asked) {
            Ok(draft) => draft,
            Err(error) => return Step::refuse(error),
        };
        let context = self.context();
        let opening = self.shared.base.people.broker.open(vec![draft]);
        let token = context.cancel_scope().token();
        match token.run_until_cancelled(opening).await {
            Some(Ok(tickets)) => self.opened(asked, tickets.into_iter().next()),
            Some(Err(error)) => Step::refuse(no_tickets(error)),
            None => Step::refuse(cancelled()),
        }
    }

    pub(super) fn opened(&self, asked: Asked, ticket: Option<Arc<Ticket>>) -> Step {
        match ticket {
            Some(ticket) => {
                let broker = self.shared.base.people.broker.clone();
                Step::Opened(asked, Held::new(broker, ticket))
            }
            None => Step::refuse(ToolError::internal("the call cannot be made to wait")),
        }
    }

    pub(super) fn interrupted(
        mut self: Box<Self>,
        asked: &Asked,
        ticket: Arc<Ticket>,
    ) -> ToolOutcome {
        let id = ticket.id();
        let output = asked.waiting(&ticket);
        let witness = self.let_go();
        let result = self.result(ResultSource::Executor, output).with_ticket(id);
        told(
            witness,
            ToolOutcome::Interrupted(Interruption::new(ticket, result)),
        )
    }
}

/// What a call ends with whose ticket cannot be kept or read.
#[cold]
pub(super) fn no_tickets(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ToolError {
    ToolError::unavailable("somebody has to be asked about the call, and now that is not possible")
        .with_code("tickets_unavailable")
        .with_source(error)
}
