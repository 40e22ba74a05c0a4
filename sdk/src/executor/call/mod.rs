//! One call from its beginning to its end: the list of its stages.
//!
//! | | stage | file | why here |
//! |---|---|---|---|
//! | 1 | the tool is found; nesting and capabilities | `prepare` | nothing is read for a call that cannot run |
//! | 2 | the arguments are read: limits, purpose, parse, validate, repair | `prepare` | what follows judges values, not text |
//! | 3 | gates | `review`, `gates` | they decide by the session's state, cheaper than a permission |
//! | 4 | permissions | `authorize`, `review` | hooks and people see what would be allowed |
//! | 5 | hooks before the call | `hooks` | changed arguments go back to stage 2, once for each hook |
//! | 6 | people approve | `approval` | they see the call as it would run |
//! | 7 | the permit to run, and gates once more | `run`, `permit` | the state may have changed while somebody was asked |
//! | 8 | the body: panics, timeout, cancellation | `run`, `body` | |
//! | 9 | the output check and commands to the state; hooks after the call around them | `finish`, `commands` | a hook may replace what is checked |
//! | 10 | the limit of the output | `finish` | what the model reads is cut last, so that records have all of it |
//! | | the outcome | `../outcome` | the only file that makes one |
//!
//! Below stand the three ways through this list, each of the same stage functions: [`begin`] and [`ended`] for
//! a plain call, which nobody observes and which waits for nobody; [`begin_observed`] for the first stages of a
//! call that somebody observes; [`CallState::drive`] for all stages of a call that may have to wait. A
//! plain call that has to wait becomes a [`CallState`] and goes on there.

use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use crate::executor::arguments::read::ReadNotes;
use crate::executor::call::authorize::permit;
use crate::executor::call::body::BodyFault;
use crate::executor::call::commands::apply_in;
use crate::executor::call::finish::{cut, exceeds_limit, refused, settle};
use crate::executor::call::plain::{Continuation, PlainBody, PlainCall, PlainEnd, Reviewed};
use crate::executor::call::prepare::{Admitted, admit};
use crate::executor::call::run::{performed, run_now};
use crate::executor::call::state::{CallState, ParsedCall, Preparing, Stage};
use crate::executor::core::shared::ExecutorCore;
use crate::executor::core::site::CallSite;
use crate::executor::observe::observer::{CallObserver, CallSpan, notify};
use crate::executor::observe::recorder::Recorder;
use crate::executor::outcome;
use crate::executor::people::mode::WaitMode;
use crate::id::CallIdentity;
use crate::message::{CallStatus, ResultSource, ToolCall, ToolOutput};
use crate::record::CallResponse;
use crate::tool::{BoxFuture, ToolContext, ToolOutcome};

pub(crate) mod approval;
pub(crate) mod authorize;
pub(crate) mod block;
pub(crate) mod body;
pub(crate) mod commands;
pub(crate) mod finish;
pub(crate) mod future;
pub(crate) mod gates;
pub(crate) mod held_thread;
pub(crate) mod hook_run;
pub(crate) mod hooks;
pub(crate) mod nested;
pub(crate) mod permit;
pub(crate) mod plain;
pub(crate) mod prepare;
pub(crate) mod preview;
pub(crate) mod recorded;
pub(crate) mod resume;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod run_hook;
pub(crate) mod sourced;
pub(crate) mod state;

/// A plain call up to where its body may wait, and all of a call whose body never does.
#[expect(
    clippy::inline_always,
    reason = "an outcome is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn begin<'a>(
    shared: &'a Arc<ExecutorCore>,
    site: CallSite<'a>,
    call: &mut ToolCall<'a>,
    next: &mut Option<Continuation<'a>>,
) -> Poll<ToolOutcome> {
    if shared.watched || site.is_watched() {
        *next = Some(Continuation::Elsewhere(observed(shared, site, call.take())));
        return Poll::Pending;
    }
    let begun = shared.measures_time.then(Instant::now);
    let mut changed = None;
    let mut notes = ReadNotes::default();
    // 1, 2, and 4 as far as it takes no waiting.
    let admitted = admit(
        shared,
        &site,
        call,
        (&mut changed, &mut notes),
        |check, body, context| permit(shared, check, body, context),
    );
    let (admitted, review) = match admitted {
        Ok(admitted) => admitted,
        Err(refusal) => {
            return match refused(shared, &site, call, (begun, notes), refusal) {
                Ok(outcome) => Poll::Ready(outcome),
                Err(rest) => {
                    *next = Some(Continuation::Elsewhere(rest));
                    Poll::Pending
                }
            };
        }
    };
    let Admitted {
        invocation,
        mut context,
    } = admitted;
    if let Some(review) = review {
        let reviewed = Reviewed {
            begun,
            notes,
            number: context.call.number,
            world: context.call.world().cloned(),
            invocation,
            review,
        };
        *next = Some(Continuation::Elsewhere(reviewed_call(
            shared, &site, call, reviewed,
        )));
        return Poll::Pending;
    }
    if let Some(world) = context.call.world() {
        world.begin();
    }
    // Without people nobody waits for them.
    let may_ask = shared.base.people.mode != WaitMode::Unattended && context.call.kept().is_none();
    let arguments = may_ask.then(|| changed.unwrap_or_else(|| call.take_arguments()));
    let rest = PlainCall::new(shared, &site.catalog, begun, notes, arguments);
    // Not by way of a `PlainBody`: that would move the context once more.
    if rest.catalog().plan(context.call.number).never_waits {
        // 8 to 10.
        let ran = run_now(invocation, &context);
        return match ended(rest, &mut context, ran) {
            Ok(outcome) => Poll::Ready(outcome),
            Err(rest) => {
                *next = Some(Continuation::Elsewhere(rest));
                Poll::Pending
            }
        };
    }
    *next = Some(Continuation::Waits(PlainBody {
        rest,
        context,
        invocation,
    }));
    Poll::Pending
}

/// A plain call whose body never waits, after its first stages.
pub(crate) fn run_at_once(body: PlainBody<'_>) -> PlainEnd<'_> {
    let PlainBody {
        rest,
        mut context,
        invocation,
    } = body;
    let ran = run_now(invocation, &context);
    ended(rest, &mut context, ran)
}

/// A plain call whose body has run. What it takes from the context it takes from its place: contexts are
/// large.
#[expect(clippy::inline_always, reason = "as `begin`")]
#[inline(always)]
pub(crate) fn ended<'a>(
    rest: PlainCall<'a>,
    context: &mut ToolContext,
    ran: Result<ToolOutput, BodyFault>,
) -> PlainEnd<'a> {
    let number = context.call.number;
    let (source, output) = performed(rest.catalog(), number, ran);
    if context.session.desk.has(context.invocation_id()) {
        return Err(waited(rest, context.clone(), source, output));
    }
    // 9.
    let plan = rest.catalog().plan(number);
    let (source, output) = settle(plan, source, output, |commands| apply_in(context, commands));
    // 10.
    if exceeds_limit(rest.shared, Some(plan), source, &output) {
        return Err(cut_plain(rest, context.clone(), source, output));
    }
    let identity = identity(&rest, context);
    Ok(outcome::ended(identity, source, output, rest.details()))
}

#[expect(clippy::inline_always, reason = "as `begin`")]
#[inline(always)]
fn identity(rest: &PlainCall<'_>, context: &mut ToolContext) -> CallIdentity {
    CallIdentity {
        turn: context.turn_id(),
        invocation: context.invocation_id(),
        parent: context.call.within().map(|within| within.parent),
        call_id: context.call.call_id.take(),
        tool: rest.catalog().entry(context.call.number).name.label(),
    }
}

/// Cuts the output of a plain call.
#[cold]
#[inline(never)]
fn cut_plain(
    rest: PlainCall<'_>,
    mut context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'_, ToolOutcome> {
    Box::pin(async move {
        let tool = (&**rest.catalog(), Some(context.call.number));
        let of = (&*context.session, context.invocation_id());
        let output = cut(rest.shared, tool, of, source, output).await;
        let identity = identity(&rest, &mut context);
        outcome::ended(identity, source, output, rest.details())
    })
}

/// Goes on with a plain call whose body has waited for people, or has ended because it has to.
#[cold]
#[inline(never)]
fn waited(
    rest: PlainCall<'_>,
    mut context: ToolContext,
    source: ResultSource,
    output: ToolOutput,
) -> BoxFuture<'_, ToolOutcome> {
    let identity = identity(&rest, &mut context);
    let (mut call_state, found) = rest.into_state(&context, identity);
    call_state.status = CallStatus::Running;
    let stage = match found {
        Ok(()) => call_state.ran(source, output),
        Err(error) => Stage::refuse(error),
    };
    Box::pin(call_state.drive(stage))
}

/// Goes on with a plain call that may perhaps not run as it is.
#[cold]
#[inline(never)]
fn reviewed_call<'a>(
    shared: &Arc<ExecutorCore>,
    site: &CallSite<'_>,
    call: &ToolCall<'_>,
    reviewed: Reviewed,
) -> BoxFuture<'a, ToolOutcome> {
    let (mut call_state, invocation, review) = reviewed.into_state(shared, site, call);
    Box::pin(async move {
        let stage = call_state.review(invocation, review).await;
        call_state.drive(stage).await
    })
}

/// Runs a call that somebody observes or holds up. Boxed here, so that the future of a plain call has no room
/// for it.
#[cold]
#[inline(never)]
fn observed<'a>(
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
    let span = CallSpan::of(observer.as_deref());
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
    let world = context.and_then(|context| context.call.world());
    let seed = world.map(|world| world.seed().0);
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
                if let Err(withheld) = recorder.end(response, None).await {
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
    call_state.world = context.call.world().cloned();
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

impl CallState {
    /// Goes on until the call has ended, or waits in a ticket.
    pub(crate) fn drive(
        self: Box<Self>,
        stage: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        let span = CallSpan::of(self.observer.as_deref());
        span.cover(self.go_on(stage))
    }

    /// Stages that few calls reach are boxed, to keep the future of a call small.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` keeps its arguments twice in its future"
    )]
    fn go_on(
        mut self: Box<Self>,
        mut stage: Stage,
    ) -> impl Future<Output = ToolOutcome> + Send + 'static {
        async move {
            loop {
                stage = match stage {
                    // 2 to 4.
                    Stage::Start | Stage::StartAnew { .. } => Box::pin(self.start(stage)).await,
                    // 5.
                    Stage::Before(authorized) => self.before(authorized).await,
                    // 6.
                    Stage::Ask(asked) => {
                        self.leave_permit();
                        Box::pin(self.ask(asked)).await
                    }
                    Stage::Opened(asked, held) => {
                        self.leave_permit();
                        self.emit(|| asked.told(held.ticket().id()));
                        self.step(CallStatus::Suspended);
                        match self.shared.base.people.mode {
                            WaitMode::Blocking => Box::pin(self.settle(asked, held)).await,
                            WaitMode::Unattended | WaitMode::Suspending => {
                                // Connected first: whoever blocks the turn now finds this call or
                                // its ticket.
                                self.connect_turn();
                                if let Some(refusal) = self.refused_by_block() {
                                    stage = refusal;
                                    continue;
                                }
                                if let Err(error) =
                                    Box::pin(self.record_suspension(&asked, &held)).await
                                {
                                    // What is held here is dropped, and nobody can answer it.
                                    stage = Stage::refuse(error);
                                    continue;
                                }
                                return self.suspended(&asked, held.let_go());
                            }
                        }
                    }
                    // 7 and 8.
                    Stage::Run(context) => self.run(context).await,
                    // 9 and 10.
                    Stage::End(source, mut output) => {
                        self.parsed.clear();
                        if self.is_blocked() {
                            output = Box::pin(self.ended_by_block(source, output)).await;
                        }
                        return self.finish(source, output).await;
                    }
                };
            }
        }
    }
}
