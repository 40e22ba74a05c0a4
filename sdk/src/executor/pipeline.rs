//! The stages of a plain call, in their order: resolve, capabilities, read (bounds, purpose, parse and
//! validate, repair), permissions, run, output check, commands, limit, result.
//!
//! Where gates, hooks, sinks or slots are installed, a call is a [`Course`] from its beginning: gates
//! come after reading, hooks after permissions, then people, the place in a batch and the gates once
//! more if the state has changed, and hooks again before the output check.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use super::begin::watched;
use super::body::{failed, note_size, run_now, timeout};
use super::catalogs::Pinned;
use super::commands::obeyed;
use super::course::Course;
use super::excess::exceeds;
use super::guard::{Fault, Guarded, guarded};
use super::permits::{Asked, Doubt, permit};
use super::reading::{Notes, read};
use super::session::Place;
use super::{FailedCall, Shared, ToolOutcome, WaitMode};
use crate::id::{Label, ToolName};
use crate::message::{ResultSource, ToolCall, ToolError, ToolOutput, ToolResult};
use crate::registry::Entry;
use crate::tool::{BoxFuture, CallScope, CallWorld, Invocation, Kept, ToolContext};

/// Runs a call through all stages.
///
/// Whatever has to wait for people leaves this way for that of a [`Course`].
#[expect(
    clippy::manual_async_fn,
    reason = "an `async fn` keeps its arguments twice in its future"
)]
pub(super) fn run<'a>(
    shared: &'a Arc<Shared>,
    place: Place<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    async move {
        if shared.is_watched() || place.is_watched() {
            return watched(shared, place, call).await;
        }
        let begun = shared.measures_time.then(Instant::now);
        let id = place.invocation_id;
        let mut notes = Notes::default();
        // Taken apart here: what stands in one value over an `await` is kept twice by its future.
        let (
            Admitted {
                number,
                entry,
                invocation,
                context,
            },
            doubt,
        ) = match admit(shared, &place, &call, &mut notes, |asked, body, context| {
            permit(shared, asked, body, context)
        }) {
            Ok(admitted) => admitted,
            Err(refusal) => return refused(&call, &place, begun, notes, refusal),
        };
        if let Some(doubt) = doubt {
            let so_far = (begun, number, notes);
            let world = context.call.world;
            return doubted(shared, &place, &call, so_far, world, invocation, *doubt).await;
        }
        if let Some(world) = &context.call.world {
            world.begin();
        }
        let plan = place.catalog.plan(number);
        let ran = if invocation.runs_now() {
            run_now(invocation, &context)
        } else {
            match guarded("the tool", || invocation.invoke(&context)) {
                Ok(body) => Guarded::new(body, &context, timeout(plan, &context)).await,
                Err(panicked) => Err(Fault::Executor(panicked)),
            }
        };
        // In its place from the start: each move of an output waits for the one before.
        let mut source;
        let mut output;
        match ran {
            Ok(ran) => {
                note_size(&place.catalog, number, &ran);
                (source, output) = (ResultSource::Tool, plan.checked(ran));
            }
            Err(fault) => (source, output) = failed(plan.repeatable, fault),
        }
        if context.session.desk.has(id) {
            let so_far = (begun, number, notes);
            let catalog = &place.catalog;
            return waited(shared, catalog, &call, so_far, context, source, output).await;
        }
        if !output.commands().is_empty() {
            (source, output) = obeyed(&context, source, output);
        }
        // What the executor says is short, and no output of the tool.
        if source == ResultSource::Tool && exceeds(&output, plan.output) {
            let of = (&context.session.id, id);
            let excess = &shared.excess;
            // Boxed, so that the future of a call whose output is small has no room for it.
            let tool = (&**place.catalog, number);
            output = Box::pin(excess.cut(tool, of, output, plan.output)).await;
        }
        let tool = entry.name.label();
        let fatal = match &output.error {
            Some(error) if error.is_fatal() => Some(error.clone()),
            _ => None,
        };
        let mut result = ToolResult::new(call.id().cloned(), id, tool, source, output);
        result.note(notes.purpose, notes.repairs);
        if let Some(begun) = begun {
            result = result.with_duration(begun.elapsed());
        }
        match fatal {
            Some(error) => ToolOutcome::Failed(FailedCall::new(error, result)),
            None => ToolOutcome::Completed(result),
        }
    }
}

/// Goes on with a call that may perhaps not run as it is. Boxed here, so that the future of a plain
/// call has no room for it.
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
    let mut course = Course::boxed(shared, place, call, begun, number, notes);
    course.world = world;
    Box::pin(course.doubted(invocation, doubt))
}

/// Goes on with a call whose body has waited, or has ended because it has to.
#[cold]
#[inline(never)]
fn waited<'a>(
    shared: &Arc<Shared>,
    catalog: &Pinned<'_>,
    call: &'a ToolCall<'_>,
    (begun, number, notes): (Option<Instant>, usize, Notes),
    context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'a, ToolOutcome> {
    let place = Place {
        catalog: catalog.clone(),
        session: &context.session,
        turn: context.turn.as_ref(),
        turn_id: context.turn_id(),
        invocation_id: context.invocation_id(),
        within: context.call.within.as_ref(),
        #[cfg(feature = "journal")]
        replay: None,
    };
    let mut course = Course::boxed(shared, &place, call, begun, number, notes);
    course.world.clone_from(&context.call.world);
    Box::pin(course.waited(call, context, source, output))
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
pub(super) struct Admitted<'e> {
    pub(super) number: usize,
    pub(super) entry: &'e Entry,
    pub(super) invocation: Box<dyn Invocation>,
    pub(super) context: ToolContext,
}

/// The stages before the tool runs, of which the last, `permit`, is the caller's. The notes are told
/// whether the call may run or not.
#[inline]
pub(super) fn admit<'e, T>(
    shared: &Shared,
    place: &'e Place<'_>,
    call: &ToolCall<'_>,
    notes: &mut Notes,
    permit: impl FnOnce(&Asked<'_>, &dyn Invocation, &ToolContext) -> Result<T, ToolError>,
) -> Result<(Admitted<'e>, T), (Label, ToolError)> {
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
    let context = ToolContext::new(
        Arc::clone(session),
        turn.cloned(),
        CallScope {
            turn_id,
            call_id: call.id().cloned(),
            invocation_id,
            tool: entry.name.clone(),
            metadata: call.metadata().cloned(),
            kept,
            resumed: None,
            output_hint: place.catalog.output_hint(number),
            within: within.cloned(),
            specs: place.catalog.specs(number),
            world: session.world.of_call(invocation_id, within),
        },
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
        number,
        entry,
        invocation,
        context,
    };
    Ok((admitted, permitted))
}
