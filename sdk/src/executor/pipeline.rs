//! The stages of a plain call, in their order: resolve, capabilities, read (bounds, purpose, parse and
//! validate, repair), permissions, run, output check, commands, limit, result.
//!
//! Where gates, hooks, sinks or slots are installed, a call is a [`Course`] from its beginning: gates
//! come after reading, hooks after permissions, then people, the place in a batch and the gates once
//! more if the state has changed, and hooks again before the output check.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use super::begin::watched;
use super::body::{failed, note_size, run_now};
use super::catalog::Catalog;
use super::catalogs::Pinned;
use super::commands::obeyed;
use super::course::Course;
use super::excess::exceeds;
use super::guard::{Fault, Guarded, guarded};
use super::in_place::{At, InPlace, Next, Start};
use super::permits::{Asked, Doubt, permit};
use super::reading::{Notes, read};
use super::session::Place;
use super::{FailedCall, Shared, ToolOutcome, WaitMode};
use crate::id::{Label, ToolName};
use crate::message::{Arguments, ResultSource, ToolCall, ToolError, ToolOutput, ToolResult};
use crate::tool::{BoxFuture, CallExtras, CallIds, CallWorld, Invocation, Kept, ToolContext};

/// Runs a call through all stages.
///
/// Whatever has to wait for people leaves this way for that of a [`Course`].
pub(super) fn run<'a>(
    shared: &'a Arc<Shared>,
    at: At<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    InPlace::new(Start { shared, at, call }, wait)
}

/// Everything up to where a body may wait, and all of a call whose body never does.
#[expect(
    clippy::inline_always,
    reason = "an outcome is moved once more for each call between"
)]
#[inline(always)]
pub(super) fn begin<'a>(start: &mut Start<'a>, next: &mut Option<Next<'a>>) -> Poll<ToolOutcome> {
    let place = start.place();
    let Start { shared, call, .. } = start;
    if shared.is_watched() || place.is_watched() {
        *next = Some(Next::Elsewhere(watched(shared, place, call.take())));
        return Poll::Pending;
    }
    let begun = shared.measures_time.then(Instant::now);
    let mut notes = Notes::default();
    let (admitted, doubt) = match admit(shared, &place, call, &mut notes, |asked, body, context| {
        permit(shared, asked, body, context)
    }) {
        Ok(admitted) => admitted,
        Err(refusal) => return Poll::Ready(refused(call, &place, begun, notes, refusal)),
    };
    let Admitted {
        invocation,
        mut context,
    } = admitted;
    if let Some(doubt) = doubt {
        let so_far = (begun, context.call.number, notes);
        let world = context.call.world().cloned();
        let doubted = doubted(shared, &place, call, so_far, world, invocation, *doubt);
        *next = Some(Next::Elsewhere(doubted));
        return Poll::Pending;
    }
    if let Some(world) = context.call.world() {
        world.begin();
    }
    // Without people nobody waits for them.
    let people = shared.base.people.mode != WaitMode::Unattended;
    let sent = (people && context.call.kept().is_none()).then(|| call.take_arguments());
    let rest = Rest {
        shared,
        aside: Aside::of(&place.catalog, begun, notes, sent),
    };
    if invocation.runs_now() {
        let ran = run_now(invocation, &context);
        return match rest.ended(&mut context, ran) {
            Ok(outcome) => Poll::Ready(outcome),
            Err(elsewhere) => {
                *next = Some(Next::Elsewhere(elsewhere));
                Poll::Pending
            }
        };
    }
    *next = Some(Next::Waits(Body {
        rest,
        context,
        invocation,
    }));
    Poll::Pending
}

/// Runs a body that may wait.
pub(super) fn wait(body: Body<'_>) -> impl Future<Output = Ended<'_>> + Send {
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
pub(super) struct Body<'a> {
    rest: Rest<'a>,
    context: ToolContext,
    invocation: Box<dyn Invocation>,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        shared: &'a Arc<Shared>,
        catalog: &Pinned<'_>,
        (begun, notes): (Option<Instant>, Notes),
        sent: Option<Arguments<'a>>,
        context: ToolContext,
        invocation: Box<dyn Invocation>,
    ) -> Self {
        Self {
            rest: Rest {
                shared,
                aside: Aside::of(catalog, begun, notes, sent),
            },
            context,
            invocation,
        }
    }

    #[inline]
    pub(super) fn runs_now(&self) -> bool {
        self.invocation.runs_now()
    }

    /// Runs a body that never waits.
    pub(super) fn run_now(mut self) -> Ended<'a> {
        let ran = run_now(self.invocation, &self.context);
        self.rest.ended(&mut self.context, ran)
    }
}

/// The outcome, or what is yet to be waited for.
pub(super) type Ended<'a> = Result<ToolOutcome, BoxFuture<'a, ToolOutcome>>;

/// What the end of a call needs besides its context.
struct Rest<'a> {
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
    fn catalog(&self) -> &Arc<Catalog> {
        let own = self.aside.as_ref().and_then(|aside| aside.catalog.as_ref());
        own.unwrap_or_else(|| self.shared.catalogs.first())
    }

    /// The stages after the body.
    #[expect(clippy::inline_always, reason = "as `begin`")]
    #[inline(always)]
    fn ended(self, context: &mut ToolContext, ran: Result<ToolOutput, Fault>) -> Ended<'a> {
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
    #[expect(clippy::inline_always, reason = "as `begin`")]
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
        let fatal = match &output.error {
            Some(error) if error.is_fatal() => Some(error.clone()),
            _ => None,
        };
        let mut result = ToolResult::new(call_id, invocation_id, tool, source, output);
        if let Some(aside) = self.aside {
            let Aside { begun, notes, .. } = *aside;
            result.note(notes.purpose, notes.repairs);
            if let Some(begun) = begun {
                result = result.with_duration(begun.elapsed());
            }
        }
        match fatal {
            Some(error) => ToolOutcome::Failed(FailedCall::new(error, result)),
            None => ToolOutcome::Completed(result),
        }
    }

    /// Cuts an output that is larger than the model may see.
    #[cold]
    #[inline(never)]
    fn cut(self, mut context: ToolContext, output: ToolOutput) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            let of = (&*context.session, context.invocation_id());
            let excess = &self.shared.excess;
            let number = context.call.number;
            let tool = (&**self.catalog(), number);
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

/// Goes on with a call that may perhaps not run as it is.
#[cold]
#[inline(never)]
fn doubted<'a>(
    shared: &Arc<Shared>,
    place: &Place<'_>,
    call: &ToolCall<'_>,
    (begun, number, notes): (Option<Instant>, usize, Notes),
    world: Option<Arc<CallWorld>>,
    invocation: Box<dyn Invocation>,
    doubt: Doubt,
) -> BoxFuture<'a, ToolOutcome> {
    let mut course = Box::new(Course::of(shared, place, call, begun, number, notes));
    course.world = world;
    Box::pin(course.doubted(invocation, doubt))
}

/// The outcome of a call that was not admitted.
#[cold]
pub(super) fn refused(
    call: &ToolCall<'_>,
    place: &Place<'_>,
    begun: Option<Instant>,
    notes: Notes,
    (tool, error): (Label, ToolError),
) -> ToolOutcome {
    let source = ResultSource::Executor;
    let fatal = error.is_fatal().then(|| error.clone());
    let id = place.invocation_id;
    let mut result = ToolResult::new(call.id().cloned(), id, tool, source, error.into());
    result.note(notes.purpose, notes.repairs);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    match fatal {
        Some(error) => ToolOutcome::Failed(FailedCall::new(error, result)),
        None => ToolOutcome::Completed(result),
    }
}

/// A call that may run.
pub(super) struct Admitted {
    pub(super) invocation: Box<dyn Invocation>,
    pub(super) context: ToolContext,
}

/// The stages before the tool runs, of which the last, `permit`, is the caller's. The notes are told
/// whether the call may run or not.
#[inline]
pub(super) fn admit<T>(
    shared: &Shared,
    place: &Place<'_>,
    call: &ToolCall<'_>,
    notes: &mut Notes,
    permit: impl FnOnce(&Asked<'_>, &dyn Invocation, &ToolContext) -> Result<T, ToolError>,
) -> Result<(Admitted, T), (Label, ToolError)> {
    let found = place.catalog.snapshot.find(call.name());
    // What a model is not told of is not there for it.
    let reachable = found
        .filter(|(_, entry)| entry.is_advertised() || call.is_by_host() || place.within.is_some());
    let Some((number, entry)) = reachable else {
        let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
        let error = place.catalog.not_there(call.name(), &name);
        return Err((Label::from(Cow::Owned(name)), error));
    };
    let refuse = |error: ToolError| (entry.name.label(), error);
    let plan = place.catalog.plan(number);
    if let Some(within) = place.within {
        shared.check_nesting(within, entry).map_err(refuse)?;
    }
    if let Some(unequipped) = &plan.unequipped {
        return Err(refuse(unequipped.clone()));
    }
    let mut changed = None;
    let sent = call.arguments();
    let invocation =
        read(shared, &place.catalog, entry, sent, &mut changed, notes).map_err(refuse)?;
    let Place {
        catalog: _,
        session,
        turn,
        turn_id,
        invocation_id,
        within,
        #[cfg(feature = "journal")]
            replay: _,
    } = *place;
    // A body that may ask while it runs needs them for its ticket.
    let keeps = plan.foreknown.looks_at_arguments()
        || (shared.base.people.mode == WaitMode::Blocking && !invocation.runs_now());
    let kept = keeps.then(|| {
        let running = changed.as_ref().unwrap_or(sent);
        Arc::new(Kept {
            arguments: running.clone().into_owned(),
            purpose: notes.purpose.clone(),
            watched: None,
        })
    });
    let world = session.world.of_call(invocation_id, within);
    let is_plain = call.metadata().is_none()
        && kept.is_none()
        && within.is_none()
        && world.is_none()
        && matches!(place.catalog, Pinned::First(_));
    let extras = if is_plain {
        None
    } else {
        Some(Arc::new(CallExtras {
            metadata: call.metadata().cloned(),
            kept,
            within: within.cloned(),
            specs: place.catalog.specs(),
            world,
            ..CallExtras::default()
        }))
    };
    let context = ToolContext::new(
        Arc::clone(session),
        turn.cloned(),
        CallIds {
            turn: turn_id,
            invocation: invocation_id,
            call: call.id().cloned(),
        },
        number,
        extras,
    );
    let asked = Asked {
        entry,
        foreknown: &plan.foreknown,
        arguments: changed.as_ref().unwrap_or(sent),
        purpose: notes.purpose.as_deref(),
    };
    let permitted = match permit(&asked, &*invocation, &context) {
        Ok(permitted) => permitted,
        Err(denied) => {
            // What the call holds may panic when it goes; it was denied all the same.
            let _ = guarded("the tool", || drop(invocation));
            return Err(refuse(denied));
        }
    };
    let admitted = Admitted {
        invocation,
        context,
    };
    Ok((admitted, permitted))
}
