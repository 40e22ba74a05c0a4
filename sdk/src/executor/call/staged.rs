//! A plain call between whose arguments and body something may have to be decided, or that somebody watches.

use std::sync::Arc;
use std::task::Context;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::content::{ToolCall, ToolError};
use crate::context::ToolContext;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::gate_and_permit;
use crate::executor::call::body::BodyEnd;
use crate::executor::call::hooks::{HeldByHooks, show_plain};
use crate::executor::call::outcome::refused;
use crate::executor::call::permit::slots_at_once;
use crate::executor::call::plain::{ended, keeps_arguments, run_admitted};
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::reached::{
    Begun, Continuation, PlainBody, PlainCall, PlainEnd, Reached, WaitingBody,
};
use crate::executor::call::review::{held_up, reviewed};
use crate::executor::call::run::{poll_first, run_now};
use crate::executor::catalog::tools::CatalogRef;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool};
use crate::executor::observe::observer::{CallObserver, notify};
use crate::id::Label;
use crate::outcome::ToolOutcome;
use crate::util::cold::{cold_path, rarely};
use crate::util::future::{BoxFuture, boxed};

/// A plain call that may have to be decided on between its arguments and its body, from its first stage.
#[expect(clippy::inline_always, reason = "as `PlainStages::begin`")]
#[inline(always)]
pub(crate) fn staged<'a>(
    shared: &'a Arc<ExecutorCore>,
    site: &CallSite<'a>,
    call: &mut ToolCall<'a>,
    (found, is_refused): (NamedTool<'_>, bool),
    mut observer: Option<Box<CallObserver>>,
    cx: &mut Context<'_>,
) -> Reached<Begun<'a>> {
    // Nothing looks at many calls or holds them up, and those are asked once.
    let is_watched = shared.is_watched() || site.session.is_watched;
    let begun = rarely(shared.measures_time, Instant::now);
    let mut changed = None;
    let mut notes = ReadNotes::default();
    if is_watched && let Some(refusal) = site.refused_by_block(call) {
        let parts = (begun, notes, observer);
        return Reached::of(not_admitted(shared, site, call, parts, refusal));
    }
    // 1, 2, and 3 and 4 as far as they take no waiting.
    let admitted = admit(
        shared,
        site,
        (call, found, is_refused),
        (&mut changed, &mut notes),
        observer.as_ref().map(|observer| &observer.call),
        |check, body, context| gate_and_permit(shared, check, body, context),
    );
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err(refusal) => {
            let parts = (begun, notes, observer);
            return Reached::of(not_admitted(shared, site, call, parts, refusal));
        }
    };
    // A plain call is requested and starts at one moment.
    let mut now = None;
    if let Some(observer) = &mut observer {
        cold_path();
        now = observer.request();
    }
    if let Some(review) = review {
        cold_path();
        let (mut call_state, done) =
            reviewed(shared, site, call, (begun, notes), (admitted, *review));
        call_state.observer = observer;
        let rest = Box::pin(async move {
            let stage = call_state.judge(None, done, false).await;
            call_state.drive(stage).await
        });
        return Reached::elsewhere(rest);
    }
    let keeps = |context: &ToolContext| keeps_arguments(shared, context);
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
        let (mut call_state, stage) = held_up(shared, site, call, parts, admitted);
        call_state.observer = observer;
        return Reached::of(call_state.go_in_place(stage));
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
        return Reached::Goes(Begun::Boxed(Box::new(waits)));
    }
    ended(rest, arguments, &mut context, &mut end)
}

/// The end of a plain call that was not admitted.
#[cold]
#[inline(never)]
pub(crate) fn not_admitted(
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
