//! The beginning of a call that somebody looks at or holds up: all stages up to the first that may wait.

use std::sync::Arc;
use std::time::Instant;

use crate::executor::arguments::read::Notes;
use crate::executor::call::outcome::refused;
use crate::executor::call::permission::permit;
use crate::executor::call::prepare::{Admitted, admit};
#[cfg(feature = "journal")]
use crate::executor::call::replay::answer;
use crate::executor::call::state::{Begun, Course, Step};
use crate::executor::core::shared::Shared;
use crate::executor::core::site::Place;
use crate::executor::observe::observer::{CallSpan, Witness, told};
#[cfg(feature = "journal")]
use crate::executor::observe::recorder::Recorder;
use crate::message::ToolCall;
use crate::tool::{BoxFuture, ToolOutcome};

impl Course {
    /// Everything up to where the call is let run, or somebody is to be asked.
    pub(crate) async fn begin(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        call: &mut ToolCall<'_>,
    ) -> Begun {
        #[cfg(feature = "journal")]
        if let Some(replay) = place.replay {
            return answer::begin(shared, place, call, replay).await;
        }
        let witness = Witness::of(shared, place, call);
        let span = CallSpan::of(witness.as_deref());
        span.cover(Self::admitted(shared, place, call, witness))
            .await
    }

    async fn admitted(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        call: &mut ToolCall<'_>,
        witness: Option<Box<Witness>>,
    ) -> Begun {
        let looks_before = shared.hooks.look_before();
        let begun = shared.measures_time.then(Instant::now);
        let mut notes = Notes::default();
        #[cfg(feature = "journal")]
        let mut accepted = None;
        let admitted = match place.refused_by_block(call) {
            Some(refusal) => Err(refusal),
            None => admit(shared, place, call, &mut notes, |asked, body, context| {
                #[cfg(feature = "journal")]
                {
                    let journal = shared.base.journal.as_ref();
                    accepted = journal.map(|_| asked.arguments.clone().into_owned());
                }
                // Arguments that are the same as sent are taken below, so they need no copy.
                let changed = !std::ptr::eq(asked.arguments, call.arguments());
                let changed = changed.then(|| asked.arguments.clone().into_owned());
                if looks_before {
                    return Ok((None, changed));
                }
                permit(shared, asked, body, context).map(|doubt| (doubt, changed))
            }),
        };
        #[cfg(feature = "journal")]
        let recorder = Recorder::of(shared, place, call, accepted.as_ref());
        #[cfg(feature = "journal")]
        let witness = witness.map(|mut witness| {
            witness.note_request_of(recorder.as_deref());
            witness
        });
        if let Some(witness) = &witness {
            witness.request();
        }
        let (admitted, (doubt, changed)) = match admitted {
            Ok(admitted) => admitted,
            Err((label, error)) => {
                #[cfg(feature = "journal")]
                let (error, response) = match recorder {
                    Some(recorder) => recorder.refused(error).await,
                    None => (error, None),
                };
                #[cfg(feature = "journal")]
                let witness = witness.map(|mut witness| {
                    witness.note_response(response);
                    witness
                });
                let outcome = refused(call, place, begun, notes, (label, error));
                #[cfg(feature = "journal")]
                let outcome = outcome.with_response(response);
                return Begun::Ended(Box::new(told(witness, outcome)));
            }
        };
        let Admitted {
            invocation,
            context,
        } = admitted;
        let tool = context.call.number;
        let mut course = Box::new(Self::of(shared, place, call, begun, tool, notes));
        course.arguments = changed.unwrap_or_else(|| call.take_arguments().into_owned());
        course.passed = true;
        course.witness = witness;
        #[cfg(feature = "journal")]
        {
            course.recorder = recorder;
        }
        course.world = context.call.world().cloned();
        let step = match doubt {
            None if looks_before => Box::pin(course.judge(invocation, None, false)).await,
            // That of before knows nothing of the witness.
            None if course.witness.is_some() => Step::Run(invocation, course.context()),
            None => Step::Run(invocation, context),
            Some(doubt) => Box::pin(course.judge(invocation, doubt.weighed, false)).await,
        };
        Begun::Goes(course, step)
    }
}

/// Runs a call on the full way from its start. Boxed here, so that the future of a plain call has no
/// room for it.
#[cold]
#[inline(never)]
pub(crate) fn watched<'a>(
    shared: &'a Arc<Shared>,
    place: Place<'a>,
    mut call: ToolCall<'a>,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(async move {
        let turn = place.turn_to_block(shared);
        let place = Place {
            turn: place.turn.or(turn.as_ref()),
            ..place.clone()
        };
        match Course::begin(shared, &place, &mut call).await {
            Begun::Ended(outcome) => *outcome,
            Begun::Goes(course, step) => course.drive(step).await,
        }
    })
}
