//! A parsed call of a generated tool, and the ways in which a body runs.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::argument::Slots;
use super::definition::{Definition, NowFn, RunKind, ToolResult};
use super::method::Receiver;
use super::{Alarms, BoxFuture, Invocation, ToolContext, waits};
use crate::message::ToolError;
use crate::permission::PermissionRequest;

/// A parsed call of a generated tool.
pub(super) struct FnInvocation<A: Slots> {
    pub(super) values: A,
    pub(super) receiver: Receiver,
    pub(super) definition: &'static Definition<A>,
}

// Written out, because `#[async_trait]` would box the boxed future once more.
impl<A: Slots + Send> Invocation for FnInvocation<A> {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        match self.definition.ask {
            Some(ask) => ask(&self.values, &self.receiver, ctx),
            None => Ok(Vec::new()),
        }
    }

    fn invoke<'life0, 'async_trait>(
        self: Box<Self>,
        ctx: &'life0 ToolContext,
    ) -> BoxFuture<'async_trait, ToolResult>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        let Self {
            values,
            receiver,
            definition,
        } = *self;
        let later = match definition.run {
            RunKind::Later(run) => run(values, receiver, ctx),
            RunKind::Now(run) if definition.blocking => {
                return Box::pin(elsewhere(run, values, receiver, ctx.clone()));
            }
            RunKind::Now(run) => return Box::pin(lazy(move || run(values, receiver, ctx))),
        };
        later.unwrap_or_else(|error| Box::pin(std::future::ready(Err(error))))
    }

    fn runs_now(&self) -> bool {
        matches!(self.definition.run, RunKind::Now(_)) && !self.definition.blocking
    }

    fn run_now(self: Box<Self>, ctx: &ToolContext) -> ToolResult {
        let Self {
            values,
            receiver,
            definition,
        } = *self;
        match definition.run {
            RunKind::Now(run) => run(values, receiver, ctx),
            RunKind::Later(_) => Err(waits()),
        }
    }
}

/// Runs a body that blocks on a thread that may be blocked.
async fn elsewhere<A: Send + 'static>(
    run: NowFn<A>,
    values: A,
    receiver: Receiver,
    ctx: ToolContext,
) -> ToolResult {
    let Ok(handle) = Handle::try_current() else {
        return Err(
            ToolError::internal("the host has no thread for a tool that blocks")
                .with_source("a `blocking` tool runs on the blocking pool of a Tokio runtime, and the call is in none"),
        );
    };
    // Nobody can stop it, but it can be told that its call has ended without it.
    let (ctx, left_behind) = ctx.left_behind();
    let alarms = Arc::clone(ctx.session.cancellation.alarms());
    let body = handle.spawn_blocking(within_span(move || {
        let result = Some(run(values, receiver, &ctx));
        Unclaimed { result, alarms }
    }));
    let _waiting = NotBegun(body.abort_handle());
    let ended = body.await;
    left_behind.disarm();
    match ended {
        Ok(mut unclaimed) => unclaimed.result.take().unwrap_or_else(|| Err(waits())),
        Err(error) => match error.try_into_panic() {
            // Caught again by whoever polls, as a panic of the body.
            Ok(payload) => resume_unwind(payload),
            Err(_) => Err(ToolError::unavailable(
                "the app is shutting down, and the tool was not run",
            )),
        },
    }
}

/// What a body gave on its thread. Nobody may be there any more to take it.
struct Unclaimed {
    result: Option<ToolResult>,
    alarms: Arc<Alarms>,
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        if self.result.is_some() {
            self.alarms.note_late();
        }
    }
}

/// What a body logs on another thread lies in the span of its call, as on this one.
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
    convert: fn(F::Output, usize) -> ToolResult,
) -> BoxFuture<'a, ToolResult> {
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
        convert: fn(F::Output, usize) -> ToolResult,
    }
}

impl<F: Future> Future for Converted<'_, F> {
    type Output = ToolResult;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolResult> {
        let this = self.project();
        let returned = ready!(this.future.poll(cx));
        Poll::Ready((this.convert)(returned, this.ctx.output_hint()))
    }
}

/// How much to reserve for what a sync function returns.
#[doc(hidden)]
pub fn output_hint(ctx: &ToolContext) -> usize {
    ctx.output_hint()
}

/// A sync function as a future that runs it when first polled.
fn lazy<F: FnOnce() -> T, T>(function: F) -> Lazy<F> {
    Lazy(Some(function))
}

struct Lazy<F>(Option<F>);

// The function is moved out to be called and never pinned.
impl<F> Unpin for Lazy<F> {}

impl<F: FnOnce() -> T, T> Future for Lazy<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        match self.0.take() {
            Some(function) => Poll::Ready(function()),
            None => Poll::Pending,
        }
    }
}
