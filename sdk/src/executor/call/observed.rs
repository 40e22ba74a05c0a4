//! The first stages of a call that somebody observes or holds up.

use std::sync::Arc;
use std::time::Instant;

use crate::content::{ResultSource, ToolCall, ToolOutput};
use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::permit;
use crate::executor::call::outcome::refused;
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::sourced;
use crate::executor::call::state::{CallState, ParsedCall, Preparing, Stage};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::{CallObserver, notify, span_of};
use crate::executor::observe::recorder::Recorder;
use crate::outcome::ToolOutcome;
use crate::record::CallResponse;
use crate::util::future::BoxFuture;

/// Runs a call that somebody observes or holds up. Boxed here, so that the future of a plain call has no room
/// for it.
#[cold]
#[inline(never)]
pub(crate) fn observed<'a>(
    shared: &'a Arc<ExecutorCore>,
    site: CallSite<'a>,
    mut call: ToolCall<'a>,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(async move {
        let turn = site.turn_to_block(shared);
        let site = CallSite {
            turn: site.turn.or(turn.as_ref()),
            ..site.clone()
        };
        match begin_observed(shared, &site, &mut call).await {
            Preparing::Ended(outcome) => *outcome,
            Preparing::Goes(call_state, stage) => call_state.drive(stage).await,
        }
    })
}

/// The first stages of a call that somebody observes, up to where it may run, or somebody is to be asked.
pub(crate) async fn begin_observed(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &mut ToolCall<'_>,
) -> Preparing {
    if let Some(source) = site.source {
        let outcome = Box::pin(sourced::run(shared, site, call, &**source)).await;
        return Preparing::Ended(Box::new(outcome));
    }
    let observer = CallObserver::of(shared, site, call);
    let span = span_of(observer.as_deref());
    span.cover(admit_observed(shared, site, call, observer))
        .await
}

async fn admit_observed(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &mut ToolCall<'_>,
    observer: Option<Box<CallObserver>>,
) -> Preparing {
    let looks_before = shared.hooks.look_before();
    let begun = shared.measures_time.then(Instant::now);
    let mut changed = None;
    let mut notes = ReadNotes::default();
    let mut accepted = None;
    // 1, 2, and 4 as far as it takes no waiting.
    let admitted = match site.refused_by_block(call) {
        Some(refusal) => Err(refusal),
        None => admit(
            shared,
            site,
            call,
            (&mut changed, &mut notes),
            |check, body, context| {
                if shared.base.recorder.is_some() {
                    accepted = Some(check.arguments.clone().into_owned());
                }
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
    let seed = environment.map(|environment| environment.seed().0);
    let recorder = Recorder::of(shared, site, call, accepted.as_ref(), seed);
    let observer = observer.map(|mut observer| {
        observer.note_request_of(recorder.as_deref());
        observer
    });
    if let Some(observer) = &observer {
        observer.request();
    }
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err((label, error)) => {
            let mut output = ToolOutput::from(error);
            if let Some(recorder) = recorder {
                let response = CallResponse::new(ResultSource::Executor, &mut output);
                // Boxed, because the future of each call that is observed would have room for it.
                if let Err(withheld) = Box::pin(recorder.end(response, None)).await {
                    output = withheld;
                }
            }
            let observer = observer.map(|mut observer| {
                observer.note_response(&output);
                observer
            });
            let outcome = match refused(shared, site, call, (begun, notes), (label, output)) {
                Ok(outcome) => outcome,
                Err(cut) => cut.await,
            };
            return Preparing::Ended(Box::new(notify(observer, outcome)));
        }
    };
    let Admitted {
        invocation,
        context,
    } = admitted;
    let number = context.call.number;
    let mut call_state = Box::new(CallState::of(shared, site, call, begun, number, notes));
    call_state.parsed = ParsedCall::new(invocation);
    call_state.arguments = changed.unwrap_or_else(|| call.take_arguments().into_owned());
    call_state.passed = true;
    call_state.observer = observer;
    call_state.recorder = recorder;
    call_state.environment = context.call.environment().cloned();
    let stage = match review {
        // 3 and 4.
        None if looks_before => Box::pin(call_state.judge(None, false)).await,
        // The context from before the observer was made does not know it.
        None if call_state.observer.is_some() => Stage::Run(call_state.context()),
        None => Stage::Run(context),
        Some(review) => Box::pin(call_state.judge(review.assessment, false)).await,
    };
    Preparing::Goes(call_state, stage)
}
