//! The first stages of a call that somebody observes or holds up.

use std::sync::Arc;
use std::time::Instant;

use crate::content::{ResultSource, ToolCall, ToolError, ToolOutput};
use crate::context::CallTurn;
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::{JudgedSoFar, permit, unparsed};
use crate::executor::call::outcome::{refused, refused_as};
use crate::executor::call::prepare::admit;
use crate::executor::call::reached::PlainEnd;
use crate::executor::call::sourced;
use crate::executor::call::state::{CallState, Preparing, Stage};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::{CallSite, NamedTool};
use crate::executor::observe::observer::{CallObserver, notify, span_of};
use crate::executor::observe::recorder::Recorder;
use crate::id::Label;
use crate::record::CallResponse;
use crate::util::future::{BoxFuture, poll_once};

/// A call that somebody observes or holds up, after its first stages.
pub(crate) enum Beginning<'a> {
    Begun(Preparing),
    /// Its permission or its end takes waiting.
    Waits(BoxFuture<'a, Preparing>),
}

/// Runs a call that somebody observes or holds up, in place for as long as it waits for nobody.
#[cold]
#[inline(never)]
pub(crate) fn observed<'a>(
    shared: &'a Arc<ExecutorCore>,
    site: CallSite<'a>,
    mut call: ToolCall<'a>,
) -> PlainEnd<'a> {
    if let Some(source) = site.source {
        return Err(Box::pin(async move {
            sourced::run(shared, &site, &call, &**source).await
        }));
    }
    let turn = site.turn_to_block(shared);
    let site = CallSite {
        turn: turn.as_ref().map_or(site.turn, CallTurn::Scope),
        ..site
    };
    match begin_observed(shared, &site, &mut call) {
        Beginning::Begun(Preparing::Ended(outcome)) => Ok(*outcome),
        Beginning::Begun(Preparing::Goes(call_state, stage)) => call_state.go_in_place(stage),
        Beginning::Waits(beginning) => Err(Box::pin(async move {
            match beginning.await {
                Preparing::Ended(outcome) => *outcome,
                Preparing::Goes(call_state, stage) => call_state.drive(stage).await,
            }
        })),
    }
}

/// The first stages of a call that somebody observes, up to where it may run, or somebody is to be asked. The call
/// has no source of results.
pub(crate) fn begin_observed(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &mut ToolCall<'_>,
) -> Beginning<'static> {
    let found = site.catalog.snapshot.find(call.name());
    let observer = CallObserver::of(shared, site, call, found);
    let span = span_of(observer.as_deref());
    match span.in_scope(|| admit_observed(shared, site, (call, found), observer)) {
        Beginning::Waits(beginning) => Beginning::Waits(Box::pin(span.cover(beginning))),
        begun @ Beginning::Begun(_) => begun,
    }
}

fn admit_observed(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    (call, found): (&mut ToolCall<'_>, NamedTool<'_>),
    mut observer: Option<Box<CallObserver>>,
) -> Beginning<'static> {
    let looks_before = shared.hooks.look_before();
    let begun = shared.measures_time.then(Instant::now);
    let mut changed = None;
    let mut notes = ReadNotes::default();
    let mut is_accepted = false;
    // 1, 2, and 4 as far as it takes no waiting.
    let admitted = match site.refused_by_block(call) {
        Some(refusal) => Err(refusal),
        None => admit(
            shared,
            site,
            (call, found, false),
            (&mut changed, &mut notes),
            observer.as_ref().map(|observer| &observer.call),
            |check, body, context| {
                is_accepted = true;
                // Gates and hooks come before permissions.
                if looks_before {
                    return Ok(None);
                }
                permit(shared, check, body, context)
            },
        ),
    };
    let context = admitted.as_ref().ok().map(|(call, _)| &call.context);
    let environment = context.and_then(|context| context.call.environment());
    let accepted = is_accepted.then(|| changed.as_ref().unwrap_or(call.arguments()));
    let recorder = Recorder::of(shared, site, call, accepted, environment.map(|own| &**own));
    if let Some(observer) = &mut observer {
        observer.note_request_of(recorder.as_ref());
        observer.request();
    }
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err((label, error)) => {
            let parts = (begun, notes);
            return not_admitted(
                shared,
                site,
                call,
                parts,
                (label, error),
                (observer, recorder),
            );
        }
    };
    let arguments = changed.unwrap_or_else(|| call.take_arguments().into_owned());
    let parts = (begun, notes, arguments);
    let (mut call_state, context) = CallState::admitted(shared, site, call, parts, admitted);
    call_state.observer = observer;
    call_state.recorder = recorder;
    let context = call_state.context_to_run(context);
    // 3 and 4.
    let done = match review {
        None if !looks_before => {
            return Beginning::Begun(Preparing::Goes(call_state, Stage::Run(context)));
        }
        None if call_state.is_judged_in_place(&context) => {
            let stage = poll_once(call_state.judge(Some(context), JudgedSoFar::default(), false))
                .unwrap_or_else(|| Stage::refuse(unparsed()));
            return Beginning::Begun(Preparing::Goes(call_state, stage));
        }
        None => JudgedSoFar::default(),
        Some(review) => review.done,
    };
    Beginning::Waits(Box::pin(async move {
        let stage = call_state.judge(None, done, false).await;
        Preparing::Goes(call_state, stage)
    }))
}

/// The end of a call that somebody observes and that was not admitted.
#[cold]
fn not_admitted(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    (begun, notes): (Option<Instant>, ReadNotes),
    (label, error): (Label, ToolError),
    (mut observer, recorder): (Option<Box<CallObserver>>, Option<Recorder>),
) -> Beginning<'static> {
    let mut output = ToolOutput::from(error);
    let Some(recorder) = recorder else {
        if let Some(observer) = &mut observer {
            observer.note_response(&output);
        }
        return match refused(shared, site, call, (begun, notes), (label, output)) {
            Ok(outcome) => Beginning::Begun(Preparing::Ended(Box::new(notify(observer, outcome)))),
            Err(cut) => Beginning::Waits(Box::pin(async move {
                Preparing::Ended(Box::new(notify(observer, cut.await)))
            })),
        };
    };
    let identity = site.identity(call.id().cloned(), label);
    let (shared, catalog, session) = (
        Arc::clone(shared),
        Arc::clone(&site.catalog),
        Arc::clone(site.session),
    );
    Beginning::Waits(Box::pin(async move {
        let response = CallResponse::new(ResultSource::Executor, &mut output);
        if let Err(withheld) = recorder.end(response, None).await {
            output = withheld;
        }
        if let Some(observer) = &mut observer {
            observer.note_response(&output);
        }
        let outcome = match refused_as(
            &shared,
            (&catalog, &session),
            identity,
            (begun, notes),
            output,
        ) {
            Ok(outcome) => outcome,
            Err(cut) => cut.await,
        };
        Preparing::Ended(Box::new(notify(observer, outcome)))
    }))
}
