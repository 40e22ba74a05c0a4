//! The stages of a plain call up to its body, in their order: resolve, capabilities, read (bounds, purpose,
//! parse and validate, repair), permissions. Those after it are in [`rest`](super::rest).
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
use super::body::run_now;
use super::catalogs::Pinned;
use super::course::Course;
use super::guard::guarded;
use super::in_place::{At, InPlace, Next, Start};
use super::permits::{Asked, Doubt, permit};
use super::reading::{Notes, read};
use super::rest::{Body, Rest, wait};
use super::session::Place;
use super::{Shared, ToolOutcome, WaitMode};
use crate::id::{Label, ToolName};
use crate::message::{ResultSource, ToolCall, ToolError, ToolResult};
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
    let rest = Rest::new(shared, &place.catalog, begun, notes, sent);
    // Not by way of a `Body`: that would move the context once more.
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
    *next = Some(Next::Waits(Body::new(rest, context, invocation)));
    Poll::Pending
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
    let id = place.invocation_id;
    let mut result = ToolResult::new(call.id().cloned(), id, tool, source, error.into());
    result.note(notes.purpose, notes.repairs);
    if let Some(begun) = begun {
        result = result.with_duration(begun.elapsed());
    }
    ToolOutcome::of(result)
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
    if let Some(unequipped) = &plan.unequipped
        && let Some(error) = unequipped.refusal(&place.session.resources)
    {
        return Err(refuse(error));
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
