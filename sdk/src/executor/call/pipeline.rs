//! The stages of a plain call up to its body, in their order: resolve, capabilities, read (bounds, purpose,
//! parse and validate, repair), permissions. Those after it are in `plain`.
//!
//! Where gates, hooks, sinks or slots are installed, a call is a [`CallState`] from its beginning: gates
//! come after reading, hooks after permissions, then people, the place in a batch and the gates once
//! more if the state has changed, and hooks again before the output check.

use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::begin::watched;
use crate::executor::call::input::CallInput;
use crate::executor::call::outcome::refused;
use crate::executor::call::perform::run_now;
use crate::executor::call::permission::{NeedsReview, permit};
use crate::executor::call::plain::{Continuation, PlainBody, PlainCall};
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::state::CallState;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::people::mode::WaitMode;
use crate::message::ToolCall;
use crate::tool::{BoxFuture, CallWorld, Invocation, ToolOutcome};

/// Everything up to where a body may wait, and all of a call whose body never does.
#[expect(
    clippy::inline_always,
    reason = "an outcome is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn begin<'a>(
    start: &mut CallInput<'a>,
    next: &mut Option<Continuation<'a>>,
) -> Poll<ToolOutcome> {
    let place = start.place();
    let CallInput { shared, call, .. } = start;
    if shared.is_watched() || place.is_watched() {
        *next = Some(Continuation::Elsewhere(watched(shared, place, call.take())));
        return Poll::Pending;
    }
    let begun = shared.measures_time.then(Instant::now);
    let mut notes = ReadNotes::default();
    let (admitted, review) =
        match admit(shared, &place, call, &mut notes, |asked, body, context| {
            permit(shared, asked, body, context)
        }) {
            Ok(admitted) => admitted,
            Err(refusal) => return Poll::Ready(refused(call, &place, begun, notes, refusal)),
        };
    let Admitted {
        invocation,
        mut context,
    } = admitted;
    if let Some(review) = review {
        let so_far = (begun, context.call.number, notes);
        let world = context.call.world().cloned();
        let needs_review = needs_review(shared, &place, call, so_far, world, invocation, *review);
        *next = Some(Continuation::Elsewhere(needs_review));
        return Poll::Pending;
    }
    if let Some(world) = context.call.world() {
        world.begin();
    }
    // Without people nobody waits for them.
    let people = shared.base.people.mode != WaitMode::Unattended;
    let sent = (people && context.call.kept().is_none()).then(|| call.take_arguments());
    let rest = PlainCall::new(shared, &place.catalog, begun, notes, sent);
    // Not by way of a `PlainBody`: that would move the context once more.
    if invocation.runs_now() {
        let ran = run_now(invocation, &context);
        return match rest.ended(&mut context, ran) {
            Ok(outcome) => Poll::Ready(outcome),
            Err(elsewhere) => {
                *next = Some(Continuation::Elsewhere(elsewhere));
                Poll::Pending
            }
        };
    }
    *next = Some(Continuation::Waits(PlainBody::new(
        rest, context, invocation,
    )));
    Poll::Pending
}

/// Goes on with a call that may perhaps not run as it is.
#[cold]
#[inline(never)]
fn needs_review<'a>(
    shared: &Arc<ExecutorCore>,
    place: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, number, notes): (Option<Instant>, usize, ReadNotes),
    world: Option<Arc<CallWorld>>,
    invocation: Box<dyn Invocation>,
    review: NeedsReview,
) -> BoxFuture<'a, ToolOutcome> {
    let mut call_state = Box::new(CallState::of(shared, place, call, begun, number, notes));
    call_state.world = world;
    Box::pin(call_state.needs_review(invocation, review))
}
