//! A parsed call of a generated tool whose function is sync, run at once or on a thread that may be blocked.

use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::definition::{BodyResult, Definition, NowFn};
use super::method::Receiver;
use crate::arguments::{Arguments, Slots, SpecOf};
use crate::content::ToolError;
use crate::context::ToolContext;
use crate::permission::PermissionRequest;
use crate::schedule::DeadlineQueue;
use crate::tool::{Invocation, Started};

/// A parsed call.
pub(super) struct FnInvocation<A: Slots> {
    /// `None` until the arguments are read.
    values: Option<A>,
    receiver: Receiver,
    definition: &'static Definition<A>,
    run: NowFn<A>,
}

/// Makes the parsed call of a sync function. If the arguments do not fit, it tells how many were read before the first
/// that does not. A pointer, so that the bounds on the values stand where the shape is made.
pub(super) type ReadNowFn<A> = fn(
    &Arguments<'_>,
    SpecOf<'_, '_>,
    &'static Definition<A>,
    Receiver,
    NowFn<A>,
) -> Result<Box<dyn Invocation>, usize>;

/// Reads arguments straight to the place where the body of a sync function takes them.
pub(super) fn read_now<A: Slots + Send>(
    arguments: &Arguments<'_>,
    spec: SpecOf<'_, '_>,
    definition: &'static Definition<A>,
    receiver: Receiver,
    run: NowFn<A>,
) -> Result<Box<dyn Invocation>, usize> {
    // Made in its box, and not beside it: there it would be read as soon as it is written, and written once more.
    let mut room = Box::write(
        Box::new_uninit(),
        FnInvocation {
            values: None,
            receiver,
            definition,
            run,
        },
    );
    let values = &mut room.values;
    (definition.prepare)(arguments.view(), &definition.reader, spec, values)
        .map_err(|refusal| refusal.read)?;
    Ok(room)
}

impl<A: Slots + Send> Invocation for FnInvocation<A> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        proposed(self.definition, self.values.as_ref(), &self.receiver, ctx)
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        self.start_apart(ctx)
    }

    fn start_apart(self: Box<Self>, ctx: &ToolContext) -> Started<'static> {
        let Self {
            values,
            receiver,
            definition,
            run,
        } = *self;
        let Some(values) = values else {
            return Started::Done(Err(unread()));
        };
        if definition.blocking {
            let body = Box::new(move |ctx: &ToolContext| run(values, receiver, ctx));
            return Started::pending(elsewhere(body, ctx.clone()));
        }
        Started::Done(run(values, receiver, ctx))
    }
}

/// Returns the requests of a call that was read.
#[inline]
pub(super) fn proposed<A: Slots>(
    definition: &Definition<A>,
    values: Option<&A>,
    receiver: &Receiver,
    ctx: &ToolContext,
) -> Result<Vec<PermissionRequest>, ToolError> {
    match (definition.ask, values) {
        (None, _) => Ok(Vec::new()),
        (Some(ask), Some(values)) => ask(values, receiver, ctx),
        (Some(_), None) => Err(unread()),
    }
}

/// A fault of ours: an invocation is made when its arguments were read, and starts once.
#[cold]
pub(super) fn unread() -> ToolError {
    ToolError::internal("the arguments of the call are gone")
}

/// A body with its arguments, whatever their types. A task of the runtime for each of these types would be much code.
type BlockingBody = Box<dyn FnOnce(&ToolContext) -> BodyResult + Send>;

/// Runs a body that blocks on a thread that may be blocked.
async fn elsewhere(run: BlockingBody, ctx: ToolContext) -> BodyResult {
    let Ok(handle) = Handle::try_current() else {
        return Err(
            ToolError::internal("the host has no thread for a tool that blocks")
                .with_source("a `blocking` tool runs on the blocking pool of a Tokio runtime, and the call is in none"),
        );
    };
    // A thread cannot be stopped, but the body can see that its call has ended without it.
    let (ctx, left_behind) = ctx.left_behind();
    let deadlines = Arc::clone(ctx.session.cancellation.deadlines());
    let body = handle.spawn_blocking(within_span(move || {
        let result = Some(run(&ctx));
        Unclaimed { result, deadlines }
    }));
    let _waiting = NotBegun(body.abort_handle());
    let ended = body.await;
    left_behind.disarm();
    match ended {
        Ok(mut unclaimed) => unclaimed.result.take().unwrap_or_else(|| Err(claimed())),
        Err(error) => match error.try_into_panic() {
            // The code that polls catches this as a panic of the body.
            Ok(payload) => resume_unwind(payload),
            Err(_) => Err(ToolError::unavailable(
                "the app is shutting down, and the tool was not run",
            )),
        },
    }
}

/// A fault of ours: it is taken once.
#[cold]
fn claimed() -> ToolError {
    ToolError::internal("the output of the body is gone")
}

/// The result of a body on its thread. Nobody may be there any more to take it.
struct Unclaimed {
    result: Option<BodyResult>,
    deadlines: Arc<DeadlineQueue>,
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        if self.result.is_some() {
            self.deadlines.note_late();
        }
    }
}

/// Logs of a body on another thread belong to the span of its call, as on this one.
#[cfg(feature = "tracing")]
fn within_span<T>(body: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let span = tracing::Span::current();
    move || span.in_scope(body)
}

#[cfg(not(feature = "tracing"))]
fn within_span<T>(body: impl FnOnce() -> T) -> impl FnOnce() -> T {
    body
}

/// A body that still waits for a thread when its call ends: it never begins. One that has begun
/// is not stopped.
struct NotBegun(AbortHandle);

impl Drop for NotBegun {
    fn drop(&mut self) {
        self.0.abort();
    }
}
