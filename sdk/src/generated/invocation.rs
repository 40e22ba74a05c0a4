//! A parsed call of a generated tool, and the ways in which a body runs.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::definition::{BodyResult, Definition, NowFn, RunKind};
use super::method::Receiver;
use crate::arguments::Slots;
use crate::content::ToolError;
use crate::context::ToolContext;
use crate::permission::PermissionRequest;
use crate::schedule::DeadlineQueue;
use crate::tool::{Invocation, Started};
use crate::util::future::BoxFuture;

/// A parsed call of a generated tool.
pub(super) struct FnInvocation<A: Slots> {
    pub(super) values: A,
    pub(super) receiver: Receiver,
    pub(super) definition: &'static Definition<A>,
}

impl<A: Slots + Send> Invocation for FnInvocation<A> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        match self.definition.ask {
            Some(ask) => ask(&self.values, &self.receiver, ctx),
            None => Ok(Vec::new()),
        }
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        let Self {
            values,
            receiver,
            definition,
        } = *self;
        match definition.run {
            RunKind::Now(run) if definition.blocking => {
                Started::pending(elsewhere(run, values, receiver, ctx.clone()))
            }
            RunKind::Now(run) => Started::Done(run(values, receiver, ctx)),
            RunKind::Later(run) => match run(values, receiver, ctx) {
                Ok(body) => Started::Pending(body),
                Err(error) => Started::Done(Err(error)),
            },
        }
    }
}

/// Runs a body that blocks on a thread that may be blocked.
async fn elsewhere<A: Send + 'static>(
    run: NowFn<A>,
    values: A,
    receiver: Receiver,
    ctx: ToolContext,
) -> BodyResult {
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
        let result = Some(run(values, receiver, &ctx));
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

/// Runs the function's future and turns what it gives into an output.
///
/// The name is what a compile error shows for a future that is not `Send`.
#[doc(hidden)]
pub fn tool_future_must_be_send<'a, F: Future + Send + 'a>(
    ctx: &'a ToolContext,
    future: F,
    convert: fn(F::Output, usize) -> BodyResult,
) -> BoxFuture<'a, BodyResult> {
    // An `async` block would keep the future twice, as what it captures and as what it awaits.
    Box::pin(Converted {
        future,
        ctx,
        convert,
    })
}

pin_project! {
    struct Converted<'a, F: Future> {
        #[pin]
        future: F,
        ctx: &'a ToolContext,
        convert: fn(F::Output, usize) -> BodyResult,
    }
}

impl<F: Future> Future for Converted<'_, F> {
    type Output = BodyResult;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BodyResult> {
        let this = self.project();
        let returned = ready!(this.future.poll(cx));
        Poll::Ready((this.convert)(returned, this.ctx.output_hint()))
    }
}

/// The size to reserve for the output of a sync function.
#[doc(hidden)]
pub fn output_hint(ctx: &ToolContext) -> usize {
    ctx.output_hint()
}
