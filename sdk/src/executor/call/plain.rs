//! The body of a plain call and the stages after it, in their order: run, output check, commands, limit,
//! result.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::Notes;
use crate::executor::call::body::{Fault, Guarded};
use crate::executor::call::commands::obeyed;
use crate::executor::call::perform::{failed, note_size, run_now};
use crate::executor::call::state::Course;
use crate::executor::catalog::tools::Catalog;
use crate::executor::catalog::versions::Pinned;
use crate::executor::core::shared::Shared;
use crate::executor::core::site::Place;
use crate::executor::output::large::exceeds;
use crate::message::{Arguments, ResultSource, ToolOutput, ToolResult};
use crate::tool::{BoxFuture, Invocation, ToolContext, ToolOutcome};

/// Where a call goes on that has not ended.
pub(crate) enum Next<'a> {
    /// Its body may wait.
    Waits(Body<'a>),
    /// Where there is room for all that a call may come to.
    Elsewhere(BoxFuture<'a, ToolOutcome>),
}

/// Runs a body that may wait.
pub(crate) fn wait(body: Body<'_>) -> impl Future<Output = Ended<'_>> + Send {
    // What is captured is used where it stands: moved to a variable it would be kept twice.
    let Body {
        rest,
        context,
        invocation,
    } = body;
    // What is not looked at at each step lies apart: the future is moved, and held by the thousand.
    let held = Box::new((rest, context));
    async move {
        let ran = Guarded::new(|| invocation.invoke(&held.1), &held.1).await;
        let (rest, mut context) = *held;
        rest.ended(&mut context, ran)
    }
}

/// A call whose body is about to run, and may wait.
pub(crate) struct Body<'a> {
    rest: Rest<'a>,
    context: ToolContext,
    invocation: Box<dyn Invocation>,
}

impl<'a> Body<'a> {
    #[inline]
    pub(crate) fn new(
        rest: Rest<'a>,
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
    pub(crate) fn run_now(mut self) -> Ended<'a> {
        let ran = run_now(self.invocation, &self.context);
        self.rest.ended(&mut self.context, ran)
    }
}

/// The outcome, or what is yet to be waited for.
pub(crate) type Ended<'a> = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>;

/// What the end of a call needs besides its context.
pub(crate) struct Rest<'a> {
    shared: &'a Arc<Shared>,
    aside: Option<Box<Aside<'a>>>,
}

/// What few calls have. Boxed, because each call that waits holds it.
struct Aside<'a> {
    /// Where it is not that which the executor was built with.
    catalog: Option<Arc<Catalog>>,
    begun: Option<Instant>,
    notes: Notes,
    /// For people that the body may ask, where nothing else keeps them.
    sent: Option<Arguments<'a>>,
}

impl<'a> Aside<'a> {
    #[inline]
    fn of(
        catalog: &Pinned<'_>,
        begun: Option<Instant>,
        notes: Notes,
        sent: Option<Arguments<'a>>,
    ) -> Option<Box<Self>> {
        let is_plain = matches!(catalog, Pinned::First(_))
            && begun.is_none()
            && notes.purpose.is_none()
            && notes.repairs.is_none()
            && sent.is_none();
        if is_plain {
            return None;
        }
        Some(Box::new(Self {
            catalog: match catalog {
                Pinned::First(_) => None,
                Pinned::Own(catalog) => Some(Arc::clone(catalog)),
            },
            begun,
            notes,
            sent,
        }))
    }
}

impl<'a> Rest<'a> {
    #[inline]
    pub(crate) fn new(
        shared: &'a Arc<Shared>,
        catalog: &Pinned<'_>,
        begun: Option<Instant>,
        notes: Notes,
        sent: Option<Arguments<'a>>,
    ) -> Self {
        Self {
            shared,
            aside: Aside::of(catalog, begun, notes, sent),
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
        ran: Result<ToolOutput, Fault>,
    ) -> Ended<'a> {
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
            (source, output) = obeyed(context, source, output);
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
        let mut result = ToolResult::new(call_id, invocation_id, tool, source, output);
        if let Some(aside) = self.aside {
            let Aside { begun, notes, .. } = *aside;
            result.note(notes.purpose, notes.repairs);
            if let Some(begun) = begun {
                result = result.with_duration(begun.elapsed());
            }
        }
        ToolOutcome::of(result)
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
            None => (None, None, Notes::default(), None),
        };
        let first = || Pinned::First(self.shared.catalogs.first());
        let place = Place {
            catalog: catalog.map_or_else(first, Pinned::Own),
            session: &context.session,
            turn: context.turn.as_ref(),
            turn_id: context.turn_id(),
            invocation_id: context.invocation_id(),
            within: context.call.within(),
            #[cfg(feature = "journal")]
            replay: None,
        };
        let mut course = Course::bare(self.shared, &place, begun, context.call.number, notes);
        course.call_id = context.call_id().cloned();
        course.metadata = context.call.metadata().cloned();
        course.world = context.call.world().cloned();
        Box::pin(Box::new(course).waited(sent, context, source, output))
    }
}
