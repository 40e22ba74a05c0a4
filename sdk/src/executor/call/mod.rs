//! The list of the stages of a call, from its beginning to its end.
//!
//! | | stage | file | why here |
//! |---|---|---|---|
//! | 1 | the tool is found; nesting and capabilities | `prepare` | nothing is read for a call that cannot run |
//! | 2 | the arguments are read: limits, purpose, parse, validate, repair | `prepare` | what follows judges values, not text |
//! | 3 | gates | `ask_gates`, `gates` | they decide by the session's state, cheaper than a permission |
//! | 4 | permissions | `authorize`, `review` | hooks and people see what would be allowed |
//! | 5 | hooks before the call | `hooks` | changed arguments go back to stage 2, once for each hook |
//! | 6 | people approve | `approval` | they see the call as it would run |
//! | 7 | the permit to run, and gates once more | `run`, `permit` | the state may have changed while somebody was asked |
//! | 8 | the body: panics, timeout, cancellation | `run`, `body` | |
//! | 9 | the output check and commands to the state; hooks after the call around them | `outcome`, `commands`, `after` | a hook may replace what is checked |
//! | 10 | the limit of the output | `outcome` | what the model reads is cut last, so that records have all of it |
//! | | the outcome | `outcome` | the only file that makes one |
//!
//! There are two ways through this list, of the same stage functions: [`PlainStages`], [`WaitingBody`] and [`ended`] below for a
//! plain call, which has no state of its own; `CallState::drive`, in `drive`, for any other. A plain call that has to wait
//! before or after its body becomes a `CallState` and goes on there (`boxed`, `review`), and so does one that a hook
//! before it changes or stops (`hooks`). One that is recorded or has a span is a `CallState` from its beginning
//! (`observed`), and so is the call of a batch where anything observes calls or holds them up; it runs in place (`CallState::go_in_place`) until it has to wait.

use std::future::{Future, poll_fn};
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::content::{ResultSource, ToolCall, ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::after::shown_after;
use crate::executor::call::authorize::gate_and_permit;
use crate::executor::call::body::{BodyEnd, GuardedBody};
use crate::executor::call::boxed::{blocked, cut_plain, waited};
use crate::executor::call::commands::apply_in;
use crate::executor::call::future::{
    Begin, CallFuture, CallInput, CallOrigin, Continuation, PlainBody, PlainCall, PlainEnd,
    Reached, WaitingBody,
};
use crate::executor::call::held_thread::tell_of_held_thread;
use crate::executor::call::hooks::{HeldByHooks, show_plain};
use crate::executor::call::observed::observed;
use crate::executor::call::outcome::{exceeds_limit, refused, settle};
use crate::executor::call::permit::slots_at_once;
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::review::{held_up, reviewed};
use crate::executor::call::run::{failed, note_size, poll_first, run_now};
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::hold::CoreHold;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::{CallObserver, notify};
use crate::executor::people::mode::WaitMode;
use crate::id::Label;
use crate::outcome::ToolOutcome;
use crate::util::cold::{cold_path, rarely};
use crate::util::future::{BoxFuture, boxed};

pub(crate) mod after;
pub(crate) mod approval;
pub(crate) mod ask_gates;
pub(crate) mod authorize;
pub(crate) mod block;
pub(crate) mod body;
pub(crate) mod boxed;
pub(crate) mod commands;
pub(crate) mod drive;
pub(crate) mod future;
pub(crate) mod gates;
pub(crate) mod held_thread;
pub(crate) mod hook_run;
pub(crate) mod hooks;
pub(crate) mod nested;
pub(crate) mod observed;
pub(crate) mod outcome;
pub(crate) mod permit;
pub(crate) mod prepare;
pub(crate) mod preview;
pub(crate) mod recorded;
pub(crate) mod resume;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod sourced;
pub(crate) mod state;

/// Runs a call through all stages.
pub(crate) fn run_call<'a>(
    shared: &'a Arc<ExecutorCore>,
    at: CallOrigin<'a>,
    call: ToolCall<'a>,
) -> impl Future<Output = ToolOutcome> + Send + 'a {
    CallFuture::<PlainStages>::new(CallInput { shared, at, call })
}

/// A plain call up to where its body may wait, and all of a call whose body never does.
struct PlainStages;

impl Begin for PlainStages {
    #[expect(
        clippy::inline_always,
        reason = "an outcome is moved once more for each call between"
    )]
    #[inline(always)]
    fn begin<'a>(input: &mut CallInput<'a>, cx: &mut Context<'_>) -> Reached<'a> {
        let site = input.site();
        let CallInput { shared, call, .. } = input;
        let shared: &'a Arc<ExecutorCore> = shared;
        if shared.needs_state() || site.source.is_some() {
            cold_path();
            return observed(shared, site, call.take()).into();
        }
        let found = site.catalog.snapshot.find(call.name());
        // Nothing looks at most calls or holds them up, and those are asked once.
        let is_watched = shared.is_watched() || site.session.is_watched;
        let watch = || CallObserver::of(shared, &site, call, found);
        let mut observer = rarely(is_watched, watch).flatten();
        let begun = rarely(shared.measures_time, Instant::now);
        let mut changed = None;
        let mut notes = ReadNotes::default();
        if is_watched && let Some(refusal) = site.refused_by_block(call) {
            let parts = (begun, notes, observer);
            return not_admitted(shared, &site, call, parts, refusal).into();
        }
        // 1, 2, and 3 and 4 as far as they take no waiting.
        let admitted = admit(
            shared,
            &site,
            (call, found),
            (&mut changed, &mut notes),
            observer.as_ref().map(|observer| &observer.call),
            |check, body, context| gate_and_permit(shared, check, body, context),
        );
        let (admitted, review) = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => {
                let parts = (begun, notes, observer);
                return not_admitted(shared, &site, call, parts, refusal).into();
            }
        };
        // A plain call is requested and starts at one moment.
        let mut now = None;
        if let Some(observer) = &mut observer {
            cold_path();
            observer.request_at(&mut now);
        }
        if let Some(review) = review {
            cold_path();
            let (mut call_state, done) =
                reviewed(shared, &site, call, (begun, notes), (admitted, *review));
            call_state.observer = observer;
            let rest = Box::pin(async move {
                let stage = call_state.judge(None, done, false).await;
                call_state.drive(stage).await
            });
            return Reached::elsewhere(rest);
        }
        // Without people and hooks after it nobody looks at the arguments once the body runs.
        let keeps = |context: &ToolContext| {
            let is_attended = !matches!(shared.base.people.mode, WaitMode::Unattended);
            context.call.kept().is_none() && (is_attended || !shared.hooks.after.is_empty())
        };
        if !shared.hooks.before.is_empty() {
            cold_path();
            let arguments = changed.unwrap_or_else(|| call.take_arguments());
            let parts = (begun, notes, observer);
            let arguments = (arguments, keeps(&admitted.context));
            let rest = shown_before((shared, &site.catalog), parts, arguments, admitted);
            return Reached::elsewhere(rest);
        }
        // 7.
        let plan = site.catalog.plan(admitted.context.call.number);
        let Some(_slots) = slots_at_once(shared, plan, site.session, &admitted.context) else {
            cold_path();
            let arguments = changed.unwrap_or_else(|| call.take_arguments().into_owned());
            let parts = (begun, notes, arguments);
            let (mut call_state, stage) = held_up(shared, &site, call, parts, admitted);
            call_state.observer = observer;
            return call_state.go_in_place(stage).into();
        };
        let Admitted {
            invocation,
            mut context,
        } = admitted;
        if let Some(environment) = context.call.environment() {
            cold_path();
            environment.begin();
        }
        let mut rest = PlainCall::new(shared, &site.catalog, begun, notes);
        rest.observer = observer;
        if let Some(observer) = &mut rest.observer {
            cold_path();
            observer.start_plain(&mut now);
        }
        // By reference: nearly no call needs them any more.
        let arguments = || changed.take().or_else(|| Some(call.take_arguments()));
        // 8 to 10. Not by way of a `PlainBody`: that would move the context once more.
        let mut end = BodyEnd::new();
        if plan.never_waits {
            run_now(invocation, &context, &mut end);
        } else if let Some(body) = poll_first(invocation, &context, cx, &mut end) {
            cold_path();
            rest.keep(rarely(keeps(&context), arguments).flatten());
            let held = Some((rest, context));
            let waits = Continuation::Waits(WaitingBody { held, body });
            return Reached::Goes(waits);
        }
        ended(rest, arguments, &mut context, &mut end)
    }
}

/// The end of a plain call that was not admitted.
#[cold]
#[inline(never)]
fn not_admitted(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, notes, mut observer): (Option<Instant>, ReadNotes, Option<Box<CallObserver>>),
    refusal: (Label, ToolError),
) -> PlainEnd<'static> {
    if let Some(observer) = &mut observer {
        observer.request();
    }
    match refused(shared, site, call, (begun, notes), refusal) {
        Ok(outcome) => Ok(notify(observer, outcome)),
        Err(rest) => Err(Box::pin(async move { notify(observer, rest.await) })),
    }
}

/// A plain call after its first stages, up to where its body has to wait, or to its end.
#[inline]
pub(crate) fn begin_admitted<'a, C: CoreHold<Kept: 'a>>(
    body: PlainBody<'a, C>,
    cx: &mut Context<'_>,
) -> Reached<'a, C> {
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
                rest.poll(cx)
            })
    })
}

/// A plain call that hooks see before its body, up to its end.
#[cold]
#[inline(never)]
fn shown_before<'a>(
    (shared, catalog): (&'a Arc<ExecutorCore>, &CatalogRef<'_>),
    (begun, notes, observer): (Option<Instant>, ReadNotes, Option<Box<CallObserver>>),
    (arguments, keeps): (Arguments<'a>, bool),
    admitted: Admitted,
) -> BoxFuture<'a, ToolOutcome> {
    let (kept, apart) = if keeps {
        (Some(arguments), None)
    } else {
        (None, Some(arguments))
    };
    let mut rest = PlainCall::new(shared, catalog, begun, notes);
    rest.keep(kept);
    rest.observer = observer;
    let mut body = Some(PlainBody {
        rest,
        context: admitted.context,
        invocation: admitted.invocation,
    });
    boxed!(async move {
        if let Some(shown) = &mut body {
            // 5.
            if let Some(held) = show_plain(&shared.hooks, shown, apart.as_ref()).await
                && let Some(body) = body.take()
            {
                return held_by_hooks(held, body, apart).await;
            }
        }
        // 7 to 10.
        if let Some(PlainBody { rest, context, .. }) = &mut body {
            if let Some(environment) = context.call.environment() {
                environment.begin();
            }
            if let Some(observer) = &mut rest.observer {
                observer.start_plain(&mut None);
            }
        }
        run_admitted(&mut body).await
    })
}

/// Goes on with a call that hooks have held up.
#[cold]
fn held_by_hooks<'a>(
    held: Box<HeldByHooks>,
    body: PlainBody<'a>,
    apart: Option<Arguments<'a>>,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(async move {
        let (call_state, stage) = held.go_on(body, apart).await;
        call_state.drive(stage).await
    })
}

impl<'a, C: CoreHold<Kept: 'a>> Continuation<'a, C> {
    /// Goes on with the call.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<ToolOutcome> {
        let reached = match self {
            Self::Waits(body) => ready!(body.go_on(cx)),
            Self::Elsewhere(rest) => return rest.as_mut().poll(cx),
        };
        match reached {
            Reached::Ended(outcome) => Poll::Ready(outcome),
            Reached::Goes(mut rest) => {
                let polled = rest.poll(cx);
                *self = rest;
                polled
            }
        }
    }
}

impl<'a, C: CoreHold<Kept: 'a>> WaitingBody<'a, C> {
    /// Goes on with the body, and once that has ended to the end of the call, or to where it has to wait otherwise.
    #[inline]
    pub(crate) fn go_on(&mut self, cx: &mut Context<'_>) -> Poll<Reached<'a, C>> {
        let Self { held, body } = self;
        let Some((_, context)) = held else {
            return Poll::Pending;
        };
        // 8 to 10.
        let mut end = BodyEnd::new();
        let mut running = GuardedBody::resumed(mem::take(body), context);
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
            drop(GuardedBody::resumed(mem::take(&mut self.body), &call.1));
        }
    }
}

/// A plain call whose body has run. `arguments` are those that it ran with, where nothing else keeps them. What it takes
/// from the context it takes from its place: contexts are large.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
fn ended<'a, C: CoreHold<Kept: 'a>>(
    rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    end: &mut BodyEnd,
) -> Reached<'a, C> {
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
fn faulted<'a, C: CoreHold<Kept: 'a>>(
    rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    elapsed: Option<Duration>,
    end: &mut BodyEnd,
) -> Reached<'a, C> {
    let plan = rest.catalog().plan(context.call.number);
    let (source, mut output) = failed(plan.repeatable, end);
    settled(rest, arguments, context, elapsed, source, &mut output)
}

/// The end of a plain call that has an output, which stays where it is until the outcome takes its parts.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
fn settled<'a, C: CoreHold<Kept: 'a>>(
    mut rest: PlainCall<'a, C>,
    arguments: impl FnOnce() -> Option<Arguments<'a>>,
    context: &mut ToolContext,
    elapsed: Option<Duration>,
    mut source: ResultSource,
    output: &mut ToolOutput,
) -> Reached<'a, C> {
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
