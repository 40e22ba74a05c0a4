//! The beginning of a call that goes the full way: everything up to what may have to wait.

use std::sync::Arc;
use std::time::Instant;

use super::course::{Course, Step};
use super::permits::permit;
use super::pipeline::{Admitted, admit, refused};
use super::reading::Notes;
use super::session::Place;
use super::witness::{CallSpan, Witness, told};
use super::{Shared, ToolOutcome};
use crate::message::ToolCall;
use crate::tool::BoxFuture;

/// Where a call is that has begun.
pub(super) enum Begun {
    Ended(Box<ToolOutcome>),
    Goes(Box<Course>, Step),
}

impl Course {
    /// Everything up to where the call is let run, or somebody is to be asked.
    pub(super) async fn begin(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        call: &ToolCall<'_>,
    ) -> Begun {
        let witness = Witness::of(shared, place, call);
        let span = CallSpan::of(witness.as_deref());
        span.cover(Self::admitted(shared, place, call, witness))
            .await
    }

    async fn admitted(
        shared: &Arc<Shared>,
        place: &Place<'_>,
        call: &ToolCall<'_>,
        witness: Option<Box<Witness>>,
    ) -> Begun {
        let looks_before = shared.hooks.look_before();
        let begun = shared.measures_time.then(Instant::now);
        let mut notes = Notes::default();
        let admitted = admit(shared, place, call, &mut notes, |asked, body, context| {
            let arguments = asked.arguments.clone().into_owned();
            if looks_before {
                return Ok((None, arguments));
            }
            permit(shared, asked, body, context).map(|doubt| (doubt, arguments))
        });
        let (admitted, (doubt, arguments)) = match admitted {
            Ok(admitted) => admitted,
            Err((label, error)) => {
                let outcome = refused(call, place, begun, notes, (label, error));
                return Begun::Ended(Box::new(told(witness, outcome)));
            }
        };
        let Admitted {
            number,
            invocation,
            context,
        } = admitted;
        let mut course = Box::new(Self::of(shared, place, call, begun, number, notes));
        course.arguments = arguments;
        course.passed = true;
        course.witness = witness;
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
pub(super) fn watched<'a>(
    shared: &'a Arc<Shared>,
    place: Place<'a>,
    call: ToolCall<'a>,
) -> BoxFuture<'a, ToolOutcome> {
    Box::pin(async move {
        match Course::begin(shared, &place, &call).await {
            Begun::Ended(outcome) => *outcome,
            Begun::Goes(course, step) => course.drive(step).await,
        }
    })
}
