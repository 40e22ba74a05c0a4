//! A plain call from its body to its end.

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolOutput};
use crate::context::ToolContext;
use crate::executor::call::after::shown_after;
use crate::executor::call::body::{BodyEnd, GuardedBody};
use crate::executor::call::body_scope::BodyScope;
use crate::executor::call::boxed::{blocked, cut_plain, waited};
use crate::executor::call::commands::apply_in;
use crate::executor::call::held_thread::tell_of_held_thread;
use crate::executor::call::outcome::{exceeds_limit, settle};
use crate::executor::call::reached::{Continuation, PlainBody, PlainCall, Reached, WaitingBody};
use crate::executor::call::run::{failed, note_size, poll_first, run_now};
use crate::executor::core::hold::CoreHold;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::people::mode::WaitMode;
use crate::outcome::ToolOutcome;
use crate::util::cold::cold_path;
use crate::util::future::BoxFuture;

/// Returns true if a plain call keeps its arguments while its body runs. Without people and hooks after it nobody looks at
/// them then.
#[inline]
pub(crate) fn keeps_arguments(shared: &ExecutorCore, context: &ToolContext) -> bool {
    let is_attended = !matches!(shared.base.people.mode, WaitMode::Unattended);
    context.call.kept().is_none() && (is_attended || !shared.hooks.after.is_empty())
}

/// A plain call after its first stages, up to where its body has to wait, or to its end.
#[inline]
pub(crate) fn begin_admitted<'a, C: CoreHold<Kept: 'a>>(
    body: PlainBody<'a, C>,
    cx: &mut Context<'_>,
) -> Reached<Continuation<'a, C>> {
    let PlainBody {
        rest,
        mut context,
        invocation,
    } = body;
    // 8 to 10.
    let mut end = BodyEnd::new();
    if rest.catalog().plan(context.call.number).never_waits {
        run_now(invocation, &context, &mut end);
    } else if let Some(body) = poll_first(invocation, &context, cx, &mut end) {
        let held = Some((rest, context));
        let waits = Continuation::Waits(WaitingBody { held, body });
        return Reached::Goes(waits);
    }
    ended(rest, || None, &mut context, &mut end)
}

/// Runs a plain call after its first stages to its end. It is taken from its place when it begins: it is large.
pub(crate) fn run_admitted<'a, 'b, C: CoreHold<Kept: 'a>>(
    body: &'b mut Option<PlainBody<'a, C>>,
) -> impl Future<Output = ToolOutcome> + Send + use<'a, 'b, C> {
    let mut rest = None;
    poll_fn(move |cx| {
        if let Some(body) = body.take() {
            match begin_admitted(body, cx) {
                Reached::Ended(outcome) => return Poll::Ready(outcome),
                // It was polled, and whoever wakes it knows the waker.
                Reached::Goes(waits @ Continuation::Waits(_)) => {
                    rest = Some(waits);
                    return Poll::Pending;
                }
                Reached::Goes(elsewhere) => rest = Some(elsewhere),
            }
        }
        rest.as_mut()
            .map_or(Poll::Pending, |rest: &mut Continuation<'a, C>| {
                Pin::new(rest).poll(cx)
            })
    })
}

impl<'a, C: CoreHold<Kept: 'a>> Future for Continuation<'a, C> {
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        let reached = match &mut *self {
            Self::Waits(body) => ready!(body.go_on(cx)),
            Self::Elsewhere(rest) => return rest.as_mut().poll(cx),
        };
        match reached {
            Reached::Ended(outcome) => Poll::Ready(outcome),
            Reached::Goes(rest) => {
                *self = rest;
                self.poll(cx)
            }
        }
    }
}

impl<'a, C: CoreHold<Kept: 'a>> WaitingBody<'a, C> {
    /// Goes on with the body, and once that has ended to the end of the call, or to where it has to wait otherwise.
    #[inline]
    pub(crate) fn go_on<R>(&mut self, cx: &mut Context<'_>) -> Poll<Reached<R>>
    where
        R: From<BoxFuture<'a, ToolOutcome>>,
    {
        let Self { held, body } = self;
        let Some((_, context)) = held else {
            return Poll::Pending;
        };
        // 8 to 10.
        let mut end = BodyEnd::new();
        let mut running = GuardedBody::resumed(mem::take(body), BodyScope::of(context));
        if running.poll(cx, &mut end).is_pending() {
            *body = running.begun();
            return Poll::Pending;
        }
        drop(running);
        match held.take() {
            Some((rest, mut context)) => Poll::Ready(ended(rest, || None, &mut context, &mut end)),
            None => Poll::Pending,
        }
    }
}

impl<C> Drop for WaitingBody<'_, C> {
    fn drop(&mut self) {
        if let Some(call) = &self.held {
            // The guard ends the body: it may panic, and its deadline is given back.
            let scope = BodyScope::of(&call.1);
            drop(GuardedBody::resumed(mem::take(&mut self.body), scope));
        }
    }
}

/// A plain call whose body has run. `arguments` are those that it ran with, where nothing else keeps them. What it takes
/// from the context it takes from its place: contexts are large.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
pub(crate) fn ended<'a, C, R>(
    rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    end: &mut BodyEnd,
) -> Reached<R>
where
    C: CoreHold<Kept: 'a>,
    R: From<BoxFuture<'a, ToolOutcome>>,
{
    let number = context.call.number;
    let elapsed = if let Some(observer) = rest.observer.as_deref() {
        cold_path();
        let entry = rest.catalog().entry(number);
        let plan = rest.catalog().plan(number);
        let tool = (plan, &entry.name);
        Some(tell_of_held_thread(&rest.shared, tool, observer))
    } else {
        None
    };
    match &mut end.ran {
        Poll::Ready(Ok(output)) if end.fault.is_none() => {
            note_size(rest.catalog(), number, output);
            settled(
                rest,
                arguments,
                context,
                elapsed,
                ResultSource::Tool,
                output,
            )
        }
        _ => faulted(rest, arguments, context, elapsed, end),
    }
}

/// The end of a plain call whose body gave no output.
#[cold]
#[inline(never)]
fn faulted<'a, C, R>(
    rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    elapsed: Option<Duration>,
    end: &mut BodyEnd,
) -> Reached<R>
where
    C: CoreHold<Kept: 'a>,
    R: From<BoxFuture<'a, ToolOutcome>>,
{
    let plan = rest.catalog().plan(context.call.number);
    let (source, mut output) = failed(plan.repeatable, end);
    settled(rest, arguments, context, elapsed, source, &mut output)
}

/// The end of a plain call that has an output, which stays where it is until the outcome takes its parts.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
fn settled<'a, C, R>(
    mut rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    elapsed: Option<Duration>,
    mut source: ResultSource,
    output: &mut ToolOutput,
) -> Reached<R>
where
    C: CoreHold<Kept: 'a>,
    R: From<BoxFuture<'a, ToolOutcome>>,
{
    let ids = context.ids();
    if context.session.wait_tracker.has(ids.1) {
        cold_path();
        rest.keep(arguments());
        let rest = waited(rest, context.clone(), source, mem::take(output));
        return Reached::elsewhere(rest);
    }
    if output.is_error()
        && context
            .turn
            .as_deref()
            .is_some_and(|turn| turn.block().is_some())
    {
        cold_path();
        rest.keep(arguments());
        let rest = blocked(rest, context.clone(), source, mem::take(output));
        return Reached::elsewhere(rest);
    }
    if !rest.shared.hooks.after.is_empty() {
        cold_path();
        let rest = shown_after(
            (rest, arguments()),
            context.clone(),
            source,
            mem::take(output),
        );
        return Reached::elsewhere(rest);
    }
    // 9.
    let plan = rest.catalog().plan(context.call.number);
    settle(plan, &mut source, output, |commands| {
        apply_in(context, rest.observer.as_deref(), commands)
    });
    // 10.
    if exceeds_limit(&rest.shared, Some(plan), source, output) {
        cold_path();
        let rest = cut_plain(rest, context.clone(), source, mem::take(output));
        return Reached::elsewhere(rest);
    }
    if rest.ends_without_details(output) {
        // Nearly every call.
        return Reached::Ended(rest.conclude_plainly(context, ids.1, source, output));
    }
    cold_path();
    Reached::Ended(rest.conclude(context, ids, elapsed, source, output))
}
