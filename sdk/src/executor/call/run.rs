//! The stage of the body: its start, its polls, and its output or error. What stops it is in `body`.

use std::future::poll_fn;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::content::{CallStatus, Content, ResultSource, ToolError, ToolOutput};
use crate::context::{ToolContext, TurnScope, is_suspension};
use crate::executor::call::authorize::unparsed;
use crate::executor::call::body::{BodyEnd, BodyFault, BodyFuture, GuardedBody};
use crate::executor::call::body_scope::BodyScope;
use crate::executor::call::held_thread::HeldThread;
use crate::executor::call::permit::PermitHolder;
use crate::executor::call::state::{CallState, Stage};
use crate::executor::catalog::tools::Catalog;
use crate::executor::guard::catch_tool_panic;
use crate::executor::observe::recorder::Recorder;
use crate::schedule::{BodyStage, Deadline};
use crate::ticket::Wait;
use crate::tool::{Invocation, Started};

impl CallState {
    /// Returns true if the body never waits, and nothing before it either: no record, and no permit that others hold.
    /// A recorded call may turn out to wait for its record and go on elsewhere, so nothing of the app's runs before.
    pub(crate) fn runs_in_place(&mut self, context: &mut ToolContext) -> bool {
        let is_recorded_at_once =
            |recorder: &Recorder| !recorder.waits && !self.has_gates() && !self.needs_permit();
        self.recorder.as_ref().is_none_or(is_recorded_at_once)
            && self.plan().never_waits
            && (!self.needs_permit() || self.has_permit_at_once(context))
    }

    /// Runs a body that never waits.
    pub(crate) fn run_in_place(&mut self, mut context: ToolContext) -> Stage {
        if let Some(stage) = self.stage_before_body(&mut context) {
            return stage;
        }
        match self.record_start_now() {
            Some(Ok(())) => {}
            Some(Err(error)) => return Stage::refuse(error),
            None => return Stage::Run(context),
        }
        let (invocation, holds) = match self.begin_body() {
            Ok(begun) => begun,
            Err(stage) => return stage,
        };
        let mut end = BodyEnd::new();
        run_now(invocation, &context, &mut end);
        let (source, output) = performed(&self.catalog, self.number, end);
        self.tell_of_thread(holds.as_ref());
        self.ran(source, output)
    }

    /// Returns the next stage of a call that has its permit and does not run as it was judged.
    fn stage_before_body(&mut self, context: &mut ToolContext) -> Option<Stage> {
        if self.is_blocked()
            && let Some(refusal) = self.refused_by_block()
        {
            return Some(refusal);
        }
        // The call may have waited since it was judged.
        context.state = self.session.state.snapshot();
        if self.has_gates()
            && let Some(stage) = self.gates_again(context)
        {
            return Some(stage);
        }
        self.trace_arguments();
        if let Some(environment) = context.call.environment() {
            environment.begin();
        }
        None
    }

    /// The body begins.
    fn begin_body(&mut self) -> Result<(Box<dyn Invocation>, Option<HeldThread>), Stage> {
        let Some(invocation) = self.parsed.take() else {
            return Err(Stage::refuse(unparsed()));
        };
        self.step(CallStatus::Running);
        if let Some(observer) = &mut self.observer {
            observer.start();
        }
        let is_told = self.observer.is_some();
        let holds = is_told.then(|| HeldThread::of(self.plan())).flatten();
        Ok((invocation, holds))
    }

    fn tell_of_thread(&self, holds: Option<&HeldThread>) {
        if let (Some(holds), Some(observer)) = (holds, &self.observer) {
            holds.tell(&self.shared, &self.entry().name, observer);
        }
    }

    pub(crate) async fn run(&mut self, mut context: ToolContext) -> Stage {
        // The permit comes first: what is checked then still holds when the body begins.
        if self.needs_permit()
            && let Err(error) = self.take_permit(&mut context).await
        {
            return Stage::refuse(error);
        }
        if let Some(stage) = self.stage_before_body(&mut context) {
            return stage;
        }
        let started = match self.record_start_now() {
            Some(started) => started,
            None => Box::pin(self.record_start()).await,
        };
        if let Err(error) = started {
            return Stage::refuse(error);
        }
        let (invocation, holds) = match self.begin_body() {
            Ok(begun) => begun,
            Err(stage) => return stage,
        };
        let (source, output) = perform(&self.catalog, self.number, invocation, &context).await;
        self.tell_of_thread(holds.as_ref());
        self.ran(source, output)
    }

    /// Returns the stage after the body: the end, or the requests of the body.
    pub(crate) fn ran(&mut self, source: ResultSource, output: ToolOutput) -> Stage {
        let (noted, answered) = self.session.wait_tracker.take(self.identity.invocation);
        self.answered.extend(answered);
        let is_suspended = |error: &ToolError| is_suspension(error, self.identity.invocation);
        if output.error.as_ref().is_some_and(is_suspended)
            && let Some(asked) = Wait::by_body(noted)
        {
            return Stage::Ask(asked);
        }
        Stage::End(source, output)
    }
}

/// Runs the body of a call that may wait.
pub(crate) async fn perform(
    catalog: &Catalog,
    number: usize,
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
) -> (ResultSource, ToolOutput) {
    let mut end = BodyEnd::new();
    match start_apart(invocation, context) {
        Ok(Started::Done(ran)) => end.ran = Poll::Ready(ran),
        Ok(Started::Pending(body)) => {
            let permit = context.turn.as_deref().and_then(TurnScope::permit);
            let body: BodyFuture<'_> = match permit.map(Arc::clone) {
                Some(permit) => Box::pin(PermitHolder {
                    body,
                    context,
                    permit,
                }),
                None => body,
            };
            let scope = BodyScope::of(context);
            let mut body = GuardedBody::of(body, BodyStage::New, scope);
            poll_fn(|cx| body.poll(cx, &mut end)).await;
        }
        Err(error) => end.fail(BodyFault::Executor(error)),
    }
    performed(catalog, number, end)
}

/// Returns the output of a body that has ended, or of its fault, and the source.
fn performed(catalog: &Catalog, number: usize, end: BodyEnd) -> (ResultSource, ToolOutput) {
    match end {
        BodyEnd {
            ran: Poll::Ready(Ok(output)),
            fault: None,
        } => {
            note_size(catalog, number, &output);
            (ResultSource::Tool, output)
        }
        mut end => failed(catalog.plan(number).repeatable, &mut end),
    }
}

/// Runs a body that never waits: there is no future to make, and nothing to stop.
#[inline]
pub(crate) fn run_now(invocation: Box<dyn Invocation>, context: &ToolContext, end: &mut BodyEnd) {
    match start_apart(invocation, context) {
        Ok(Started::Done(ran)) => end.ran = Poll::Ready(ran),
        Ok(Started::Pending(body)) => end.fail(waits(body)),
        Err(error) => end.fail(BodyFault::Executor(error)),
    }
}

/// Starts a body, unless the call was cancelled before. It keeps what it needs of the context.
#[expect(
    clippy::inline_always,
    reason = "an output is moved once more for each call between"
)]
#[inline(always)]
pub(crate) fn start_apart(
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
) -> Result<Started<'static>, ToolError> {
    if context.was_told_to_cancel() {
        return Err(not_started(context, invocation));
    }
    catch_tool_panic("the tool", || invocation.start_apart(context))
        .map_err(|panicked| broken(&BodyScope::of(context), panicked))
}

/// Starts a body that may wait, and polls it once where the call stands: most bodies have ended then, and cost what a
/// sync one does. Returns the body if it waits.
#[expect(clippy::inline_always, reason = "as `start_apart`")]
#[inline(always)]
pub(crate) fn poll_first(
    invocation: Box<dyn Invocation>,
    context: &ToolContext,
    cx: &mut Context<'_>,
    end: &mut BodyEnd,
) -> Option<BegunBody> {
    let body = match start_apart(invocation, context) {
        Ok(Started::Pending(body)) => body,
        Ok(Started::Done(ran)) => {
            end.ran = Poll::Ready(ran);
            return None;
        }
        Err(error) => {
            end.fail(BodyFault::Executor(error));
            return None;
        }
    };
    let mut body = GuardedBody::of(body, BodyStage::New, BodyScope::of(context));
    match body.poll(cx, end) {
        Poll::Ready(()) => None,
        Poll::Pending => Some(body.begun()),
    }
}

/// The error of a call that was cancelled before its body began. What the call holds may panic when it goes.
#[cold]
fn not_started(context: &ToolContext, invocation: Box<dyn Invocation>) -> ToolError {
    match catch_tool_panic("the tool", || drop(invocation)) {
        Ok(()) => BodyScope::of(context).never_began(),
        Err(panicked) => panicked,
    }
}

/// The error of a body that panicked.
#[cold]
pub(crate) fn broken(scope: &BodyScope<'_>, panicked: ToolError) -> ToolError {
    scope.stop_what_it_started();
    panicked
}

/// The fault of a tool that has said that its bodies never wait.
#[cold]
fn waits<T>(body: T) -> BodyFault {
    let _ = catch_tool_panic("the tool", || drop(body));
    BodyFault::Executor(ToolError::internal("the tool's body has to be waited for"))
}

/// Returns the output of a body that gave none, and its source.
#[cold]
pub(crate) fn failed(repeatable: bool, end: &mut BodyEnd) -> (ResultSource, ToolOutput) {
    match end.fault.take() {
        None => match mem::replace(&mut end.ran, Poll::Pending) {
            Poll::Ready(Ok(output)) => (ResultSource::Tool, output),
            Poll::Ready(Err(error)) => (ResultSource::Tool, error.into()),
            Poll::Pending => {
                let error = ToolError::internal("the tool's body has not ended");
                (ResultSource::Executor, error.into())
            }
        },
        Some(BodyFault::Executor(error)) => (ResultSource::Executor, error.into()),
        Some(BodyFault::Stopped(error)) if repeatable => (ResultSource::Executor, error.into()),
        Some(BodyFault::Stopped(error)) => {
            let error = error
                .with_note("; whether it had an effect is unknown, so check before you repeat it")
                .with_retryable(false);
            (ResultSource::Executor, error.into())
        }
    }
}

/// The most that is reserved for an output, in bytes: one large output must not make each later
/// one as large.
const RESERVED: usize = 64 * 1024;

/// Remembers how much the tool wrote, for the next call to reserve.
#[inline]
pub(crate) fn note_size(catalog: &Catalog, number: usize, output: &ToolOutput) {
    if let [Content::Json { json }] = output.content() {
        let size = json.as_str().len().min(RESERVED);
        catalog.note_size(number, size);
    }
}

/// The parts of a [`GuardedBody`] that has begun, without its scope: they move to where the call waits.
#[derive(Default)]
pub(crate) struct BegunBody {
    body: Option<BodyFuture<'static>>,
    /// Has the stage of the body.
    deadline: Option<Deadline>,
}

impl BegunBody {
    /// Returns true if nothing is left of the body.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.body.is_none() && self.deadline.is_none()
    }
}

impl<'a> GuardedBody<'a, 'static> {
    /// Goes on with a body that waits.
    #[inline]
    pub(crate) fn resumed(begun: BegunBody, scope: BodyScope<'a>) -> Self {
        let BegunBody { body, deadline } = begun;
        let stage = deadline.as_ref().map(|deadline| deadline.stage);
        Self {
            body,
            scope,
            deadline,
            stage: stage.unwrap_or_default(),
        }
    }

    /// Takes the body out of its place.
    #[inline]
    pub(crate) fn begun(mut self) -> BegunBody {
        if let Some(deadline) = &mut self.deadline {
            deadline.stage = self.stage;
        }
        BegunBody {
            body: self.body.take(),
            deadline: self.deadline.take(),
        }
    }
}

impl<'a, 'b> GuardedBody<'a, 'b> {
    #[inline]
    pub(crate) fn of(body: BodyFuture<'b>, stage: BodyStage, scope: BodyScope<'a>) -> Self {
        Self {
            body: Some(body),
            scope,
            deadline: None,
            stage,
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self) {
        if let Some(deadline) = self.deadline.take() {
            self.deadlines().remove(&deadline);
        }
    }

    /// The fault of a body that panicked when it was polled.
    #[cold]
    fn panicked(&mut self, panicked: ToolError) -> BodyFault {
        if self.stage == BodyStage::Grace {
            return self.ended_in_grace(Err(panicked));
        }
        // Dropping the rest of the body may panic once more; the first panic is reported.
        let _ = self.end();
        BodyFault::Executor(broken(&self.scope, panicked))
    }

    /// Ends the body. What it drops may panic, like the body itself.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<(), ToolError> {
        catch_tool_panic("the tool", || drop(self.body.take()))
    }
}

impl GuardedBody<'_, '_> {
    /// Polls the body, and notes its end once it is ready.
    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>, end: &mut BodyEnd) -> Poll<()> {
        match self.stage {
            // The call was not cancelled when it started.
            BodyStage::New => self.stage = BodyStage::Running,
            BodyStage::Running | BodyStage::Still => {
                if self.is_to_end() && !self.begin_grace(cx) {
                    end.fail(self.cancel());
                    return Poll::Ready(());
                }
            }
            BodyStage::Grace => {}
        }
        let Some(body) = &mut self.body else {
            return Poll::Pending;
        };
        let ran = &mut end.ran;
        match catch_tool_panic("the tool", || *ran = body.as_mut().poll(cx)) {
            Ok(()) if end.ran.is_pending() => self.wait(cx).map(|fault| end.fail(fault)),
            Ok(()) if self.stage != BodyStage::Grace => {
                if let Err(panicked) = self.end() {
                    end.fail(BodyFault::Executor(panicked));
                }
                Poll::Ready(())
            }
            Ok(()) => {
                // Dropping it runs user code, which may panic.
                let ran = mem::replace(&mut end.ran, Poll::Pending);
                let ended = catch_tool_panic("the tool", || drop(ran));
                end.fail(self.ended_in_grace(ended));
                Poll::Ready(())
            }
            Err(panicked) => {
                end.fail(self.panicked(panicked));
                Poll::Ready(())
            }
        }
    }
}

impl Drop for GuardedBody<'_, '_> {
    fn drop(&mut self) {
        self.remove();
        // A host that drops the call must not be unwound by the tool.
        if self.body.is_some() {
            self.left_behind();
        }
    }
}
