//! The beginning of a call that somebody looks at or holds up: all stages up to the first that may wait.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::outcome::refused;
use crate::executor::call::permission::permit;
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::sourced;
use crate::executor::call::state::{CallState, Preparing, Stage};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::{CallObserver, CallSpan, notify};
use crate::executor::observe::recorder::Recorder;
use crate::message::{ResultSource, ToolCall, ToolOutput};
use crate::record::CallResponse;
use crate::tool::{BoxFuture, ToolOutcome};

impl CallState {
    /// Everything up to where the call is let run, or somebody is to be asked.
    pub(crate) async fn begin(
        shared: &Arc<ExecutorCore>,
        place: &CallSite<'_>,
        call: &mut ToolCall<'_>,
    ) -> Preparing {
        if let Some(source) = place.source {
            let outcome = Box::pin(sourced::run(shared, place, call, &**source)).await;
            return Preparing::Ended(Box::new(outcome));
        }
        let observer = CallObserver::of(shared, place, call);
        let span = CallSpan::of(observer.as_deref());
        span.cover(Self::admitted(shared, place, call, observer))
            .await
    }

    async fn admitted(
        shared: &Arc<ExecutorCore>,
        place: &CallSite<'_>,
        call: &mut ToolCall<'_>,
        observer: Option<Box<CallObserver>>,
    ) -> Preparing {
        let looks_before = shared.hooks.look_before();
        let begun = shared.measures_time.then(Instant::now);
        let mut notes = ReadNotes::default();
        let mut accepted = None;
        let admitted = match place.refused_by_block(call) {
            Some(refusal) => Err(refusal),
            None => admit(shared, place, call, &mut notes, |asked, body, context| {
                if shared.base.recorder.is_some() {
                    accepted = Some(asked.arguments.clone().into_owned());
                }
                // Arguments that are the same as sent are taken below, so they need no copy.
                let changed = !std::ptr::eq(asked.arguments, call.arguments());
                let changed = changed.then(|| asked.arguments.clone().into_owned());
                if looks_before {
                    return Ok((None, changed));
                }
                permit(shared, asked, body, context).map(|review| (review, changed))
            }),
        };
        let context = admitted.as_ref().ok().map(|(call, _)| &call.context);
        let world = context.and_then(|context| context.call.world());
        let seed = world.map(|world| world.seed().0);
        let recorder = Recorder::of(shared, place, call, accepted.as_ref(), seed);
        let observer = observer.map(|mut observer| {
            observer.note_request_of(recorder.as_deref());
            observer
        });
        if let Some(observer) = &observer {
            observer.request();
        }
        let (admitted, (review, changed)) = match admitted {
            Ok(admitted) => admitted,
            Err((label, error)) => {
                let mut output = ToolOutput::from(error);
                if let Some(recorder) = recorder {
                    let response = CallResponse::new(ResultSource::Executor, &mut output);
                    if let Err(withheld) = recorder.end(response, None).await {
                        output = withheld;
                    }
                }
                let observer = observer.map(|mut observer| {
                    observer.note_response(&output);
                    observer
                });
                let outcome = refused(call, place, begun, notes, (label, output));
                return Preparing::Ended(Box::new(notify(observer, outcome)));
            }
        };
        let Admitted {
            invocation,
            context,
        } = admitted;
        let tool = context.call.number;
        let mut call_state = Box::new(Self::of(shared, place, call, begun, tool, notes));
        call_state.arguments = changed.unwrap_or_else(|| call.take_arguments().into_owned());
        call_state.passed = true;
        call_state.observer = observer;
        call_state.recorder = recorder;
        call_state.world = context.call.world().cloned();
        let step = match review {
            None if looks_before => Box::pin(call_state.judge(invocation, None, false)).await,
            // The context from before the observer was made does not know it.
            None if call_state.observer.is_some() => Stage::Run(invocation, call_state.context()),
            None => Stage::Run(invocation, context),
            Some(review) => Box::pin(call_state.judge(invocation, review.assessment, false)).await,
        };
        Preparing::Goes(call_state, step)
    }
}

/// Runs a call on the full way from its start. Boxed here, so that the future of a plain call has no
/// room for it.
#[cold]
#[inline(never)]
pub(crate) fn watched<'a>(
    shared: &'a Arc<ExecutorCore>,
    place: CallSite<'a>,
    mut call: ToolCall<'a>,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(async move {
        let turn = place.turn_to_block(shared);
        let place = CallSite {
            turn: place.turn.or(turn.as_ref()),
            ..place.clone()
        };
        match CallState::begin(shared, &place, &mut call).await {
            Preparing::Ended(outcome) => *outcome,
            Preparing::Goes(call_state, step) => call_state.drive(step).await,
        }
    })
}
