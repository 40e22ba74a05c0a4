//! A member of a batch that nothing looks at and nothing holds up. Its way is that of a plain call, in two
//! parts: what has to be asked about any member is known before the first of them runs.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::outcome::refused;
use crate::executor::call::permission::{NeedsReview, permit};
use crate::executor::call::plain::{PlainBody, PlainCall, wait};
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::state::{CallState, Preparing, Stage};
use crate::executor::catalog::versions::CatalogRef;
use crate::executor::core::handles::Turn;
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::core::tasks::Task;
use crate::executor::people::mode::WaitMode;
use crate::message::{Arguments, CallStatus, ToolCall};
use crate::tool::{BoxFuture, Invocation, ToolContext, ToolOutcome};

/// A member that has yet to begin.
pub(crate) enum BeginningMember<'a> {
    /// Nothing looks at it or holds it up.
    Plain(Arc<Task>, ToolCall<'a>),
    Full(BoxFuture<'static, Preparing>),
}

/// The state of a member before any runs.
pub(crate) enum MemberStart {
    Ended(Box<ToolOutcome>),
    /// It may perhaps not run as it is.
    Goes(Box<CallState>, Stage),
    Ready(ReadyMember),
}

/// A call that may run.
pub(crate) struct ReadyMember {
    begun: Option<Instant>,
    notes: ReadNotes,
    sent: Option<Arguments<'static>>,
    invocation: Box<dyn Invocation>,
    context: ToolContext,
}

impl BeginningMember<'_> {
    /// Everything up to where the call may run, or somebody is to be asked.
    pub(crate) fn poll(&mut self, turn: &Turn, cx: &mut Context<'_>) -> Poll<MemberStart> {
        if let Self::Plain(task, call) = self {
            let place = turn.place_of(&task.scope, task.invocation);
            match admitted(turn.shared(), &place, call) {
                Ok(start) => return Poll::Ready(start),
                Err(judged) => *self = Self::Full(judged),
            }
        }
        let Self::Full(begin) = self else {
            return Poll::Pending;
        };
        begin.as_mut().poll(cx).map(|begun| match begun {
            Preparing::Ended(outcome) => MemberStart::Ended(outcome),
            Preparing::Goes(call_state, step) => MemberStart::Goes(call_state, step),
        })
    }
}

/// The beginning of a plain call, or of one that may perhaps not run as it is.
fn admitted(
    shared: &Arc<ExecutorCore>,
    place: &CallSite<'_>,
    call: &mut ToolCall<'_>,
) -> Result<MemberStart, BoxFuture<'static, Preparing>> {
    let begun = shared.measures_time.then(Instant::now);
    let mut notes = ReadNotes::default();
    let admitted = admit(shared, place, call, &mut notes, |asked, body, context| {
        permit(shared, asked, body, context)
    });
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err(refusal) => {
            let outcome = refused(call, place, begun, notes, refusal);
            return Ok(MemberStart::Ended(Box::new(outcome)));
        }
    };
    let Admitted {
        invocation,
        context,
    } = admitted;
    if let Some(review) = review {
        let NeedsReview {
            arguments,
            assessment,
        } = *review;
        let mut call_state = Box::new(CallState::of(
            shared,
            place,
            call,
            begun,
            context.call.number,
            notes,
        ));
        call_state.arguments = arguments;
        call_state.world = context.call.world().cloned();
        return Err(Box::pin(async move {
            let step = call_state.judge(invocation, assessment, false).await;
            Preparing::Goes(call_state, step)
        }));
    }
    // They are read once more for people that the body asks, where nothing else keeps them.
    let for_people =
        shared.base.people.mode != WaitMode::Unattended && context.call.kept().is_none();
    let sent = for_people.then(|| call.take_arguments().into_owned());
    Ok(MemberStart::Ready(ReadyMember {
        begun,
        notes,
        sent,
        invocation,
        context,
    }))
}

impl ReadyMember {
    /// Returns true if the body never waits.
    pub(crate) fn runs_now(&self) -> bool {
        self.invocation.runs_now()
    }

    /// Runs the body, in a future that owns all that it needs.
    #[expect(
        clippy::manual_async_fn,
        reason = "that it can be sent to a task is part of what it is"
    )]
    pub(crate) fn run(mut self, turn: Turn) -> impl Future<Output = ToolOutcome> + Send + 'static {
        async move {
            self.starts();
            if let Some(world) = self.context.call.world() {
                world.begin();
            }
            let invocation = self.context.invocation_id();
            let catalog = turn.place_of(&turn.scope, invocation).catalog;
            let body = self.body(turn.shared(), &catalog);
            let ended = if body.runs_now() {
                body.run_now()
            } else {
                wait(body).await
            };
            match ended {
                Ok(outcome) => outcome,
                Err(rest) => rest.await,
            }
        }
    }

    /// Others may have run since the call was judged.
    fn starts(&mut self) {
        self.context.state = self.context.session.state.snapshot();
        if let Some(scope) = &self.context.turn {
            // Nobody listens who could be told that it cannot follow.
            let _ = scope.step(CallStatus::Running);
        }
    }

    fn body<'a>(self, shared: &'a Arc<ExecutorCore>, catalog: &CatalogRef<'_>) -> PlainBody<'a> {
        let rest = PlainCall::new(shared, catalog, self.begun, self.notes, self.sent);
        PlainBody::new(rest, self.context, self.invocation)
    }
}
