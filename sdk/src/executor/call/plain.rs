//! The body of a plain call and the stages after it, in their order: run, output check, commands, limit,
//! result.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::body::{BodyFault, GuardedBody};
use crate::executor::call::commands::apply_commands;
use crate::executor::call::perform::{failed, note_size, run_now};
use crate::executor::call::state::CallState;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::CatalogRef;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::outcome::{OutcomeOf, ResultDetails};
use crate::executor::output::large::exceeds;
use crate::message::{Arguments, ResultSource, ToolOutput};
use crate::tool::{BoxFuture, Invocation, ToolContext, ToolOutcome};

/// The continuation of a call that has not ended.
pub(crate) enum Continuation<'a> {
    /// Its body may wait.
    Waits(PlainBody<'a>),
    /// A boxed future of the stages that may wait for people.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

/// Runs a body that may wait.
pub(crate) fn wait(body: PlainBody<'_>) -> impl Future<Output = PlainEnd<'_>> + Send {
    // What is captured is used where it stands: moved to a variable it would be kept twice.
    let PlainBody {
        rest,
        context,
        invocation,
    } = body;
    // What is not looked at at each step lies apart: the future is moved, and held by the thousand.
    let held = Box::new((rest, context));
    async move {
        let ran = GuardedBody::new(|| invocation.invoke(&held.1), &held.1).await;
        let (rest, mut context) = *held;
        rest.ended(&mut context, ran)
    }
}

/// A call whose body is about to run, and may wait.
pub(crate) struct PlainBody<'a> {
    rest: PlainCall<'a>,
    context: ToolContext,
    invocation: Box<dyn Invocation>,
}

impl<'a> PlainBody<'a> {
    #[inline]
    pub(crate) fn new(
        rest: PlainCall<'a>,
        context: ToolContext,
        invocation: Box<dyn Invocation>,
    ) -> Self {
        Self {
            rest,
            context,
            invocation,
        }
    }

    #[inline]
    pub(crate) fn runs_now(&self) -> bool {
        self.invocation.runs_now()
    }

    /// Runs a body that never waits.
    pub(crate) fn run_now(mut self) -> PlainEnd<'a> {
        let ran = run_now(self.invocation, &self.context);
        self.rest.ended(&mut self.context, ran)
    }
}

/// The outcome, or what is yet to be waited for.
pub(crate) type PlainEnd<'a> = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>;

/// The data that the end of a call needs besides its context.
pub(crate) struct PlainCall<'a> {
    shared: &'a Arc<ExecutorCore>,
    aside: Option<Box<RareFields<'a>>>,
}

/// Fields that most calls do not need, boxed to keep the future of a waiting call small.
struct RareFields<'a> {
    /// The catalog, if it is not the initial one.
    catalog: Option<Arc<Catalog>>,
    begun: Option<Instant>,
    notes: ReadNotes,
    /// For people that the body may ask, where nothing else keeps them.
    sent: Option<Arguments<'a>>,
}

impl<'a> RareFields<'a> {
    #[inline]
    fn of(
        catalog: &CatalogRef<'_>,
        begun: Option<Instant>,
        notes: ReadNotes,
        sent: Option<Arguments<'a>>,
    ) -> Option<Box<Self>> {
        let is_plain = matches!(catalog, CatalogRef::First(_))
            && begun.is_none()
            && notes.purpose.is_none()
            && notes.repairs.is_none()
            && sent.is_none();
        if is_plain {
            return None;
        }
        Some(Box::new(Self {
            catalog: match catalog {
                CatalogRef::First(_) => None,
                CatalogRef::Own(catalog) => Some(Arc::clone(catalog)),
            },
            begun,
            notes,
            sent,
        }))
    }
}

impl<'a> PlainCall<'a> {
    #[inline]
    pub(crate) fn new(
        shared: &'a Arc<ExecutorCore>,
        catalog: &CatalogRef<'_>,
        begun: Option<Instant>,
        notes: ReadNotes,
        sent: Option<Arguments<'a>>,
    ) -> Self {
        Self {
            shared,
            aside: RareFields::of(catalog, begun, notes, sent),
        }
    }

    #[inline]
    fn catalog(&self) -> &Arc<Catalog> {
        let own = self.aside.as_ref().and_then(|aside| aside.catalog.as_ref());
        own.unwrap_or_else(|| self.shared.catalogs.first())
    }

    /// The stages after the body.
    #[expect(
        clippy::inline_always,
        reason = "an outcome is moved once more for each call between"
    )]
    #[inline(always)]
    pub(crate) fn ended(
        self,
        context: &mut ToolContext,
        ran: Result<ToolOutput, BodyFault>,
    ) -> PlainEnd<'a> {
        let number = context.call.number;
        let plan = self.catalog().plan(number);
        // In its place from the start: each move of an output waits for the one before.
        let mut source;
        let mut output;
        match ran {
            Ok(ran) => {
                note_size(self.catalog(), number, &ran);
                (source, output) = (ResultSource::Tool, plan.checked(ran));
            }
            Err(fault) => (source, output) = failed(plan.repeatable, fault),
        }
        if context.session.desk.has(context.invocation_id()) {
            return Err(self.waited(context.clone(), source, output));
        }
        if !output.commands().is_empty() {
            (source, output) = apply_commands(context, source, output);
        }
        // What the executor says is short, and no output of the tool.
        if source == ResultSource::Tool && exceeds(&output, plan.output) {
            return Err(self.cut(context.clone(), output));
        }
        Ok(self.outcome(context, source, output))
    }

    /// What it takes from the context it takes from its place: contexts are large.
    #[expect(clippy::inline_always, reason = "as `ended`")]
    #[inline(always)]
    fn outcome(
        self,
        context: &mut ToolContext,
        source: ResultSource,
        output: ToolOutput,
    ) -> ToolOutcome {
        let invocation_id = context.invocation_id();
        let call_id = context.call.call_id.take();
        let tool = self.catalog().entry(context.call.number).name.label();
        let of = OutcomeOf {
            call_id,
            invocation_id,
            tool,
        };
        let details = self.aside.map(|aside| ResultDetails {
            notes: aside.notes,
            begun: aside.begun,
            ..ResultDetails::default()
        });
        of.ended(source, output, details)
    }

    /// Cuts an output that is larger than the model may see.
    #[cold]
    #[inline(never)]
    fn cut(self, mut context: ToolContext, output: ToolOutput) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            let of = (&*context.session, context.invocation_id());
            let excess = &self.shared.excess;
            let number = context.call.number;
            let tool = (&*self.catalog().snapshot, number);
            let limit = self.catalog().plan(number).output;
            let output = excess.cut(tool, of, output, limit).await;
            self.outcome(&mut context, ResultSource::Tool, output)
        })
    }

    /// Goes on with a call whose body has waited for people, or has ended because it has to.
    #[cold]
    #[inline(never)]
    fn waited(
        self,
        context: ToolContext,
        source: ResultSource,
        output: ToolOutput,
    ) -> BoxFuture<'a, ToolOutcome> {
        let (catalog, begun, notes, sent) = match self.aside {
            Some(aside) => (aside.catalog, aside.begun, aside.notes, aside.sent),
            None => (None, None, ReadNotes::default(), None),
        };
        let first = || CatalogRef::First(self.shared.catalogs.first());
        let place = CallSite {
            catalog: catalog.map_or_else(first, CatalogRef::Own),
            session: &context.session,
            turn: context.turn.as_ref(),
            turn_id: context.turn_id(),
            invocation_id: context.invocation_id(),
            within: context.call.within(),
            source: None,
        };
        let mut call_state =
            CallState::bare(self.shared, &place, begun, context.call.number, notes);
        call_state.call_id = context.call_id().cloned();
        call_state.metadata = context.call.metadata().cloned();
        call_state.world = context.call.world().cloned();
        Box::pin(Box::new(call_state).waited(sent, context, source, output))
    }
}
