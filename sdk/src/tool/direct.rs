//! The direct run of a tool: its arguments are read and its body begins in one step.

use std::fmt;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::content::{ToolError, ToolOutput};
use crate::context::BodyContext;
use crate::util::future::BoxFuture;

/// The input of a direct run, and the places where the tool leaves what came of it.
#[doc(hidden)]
pub struct DirectRun<'r, 'c> {
    pub(crate) context: &'r dyn BodyContext,
    cx: &'r mut Context<'c>,
    pub(crate) stage: DirectStage,
    /// The return of the body, once it has ended.
    ran: &'r mut Poll<Result<ToolOutput, ToolError>>,
    /// The body, if it has begun and not ended. The executor drops the rest of one that panicked when the panic is over,
    /// because that may panic once more.
    pub(crate) body: Option<BoxFuture<'static, Result<ToolOutput, ToolError>>>,
}

/// The stage that a direct run has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DirectStage {
    /// The arguments are read, and do not fit if the run has ended.
    Reads,
    /// The arguments are read, and the body begins. If the run has ended, the call was cancelled before.
    Begins,
    /// The body has ended, or was polled and waits.
    Ran,
}

impl<'r, 'c> DirectRun<'r, 'c> {
    /// Makes the input. `ran` is pending.
    #[inline]
    pub(crate) fn new(
        context: &'r dyn BodyContext,
        cx: &'r mut Context<'c>,
        ran: &'r mut Poll<Result<ToolOutput, ToolError>>,
    ) -> Self {
        Self {
            context,
            cx,
            stage: DirectStage::Reads,
            ran,
            body: None,
        }
    }

    /// Notes that the arguments are read. Returns true if the body may begin.
    #[inline]
    pub(crate) fn begins(&mut self) -> bool {
        self.stage = DirectStage::Begins;
        self.context.begins()
    }

    /// Notes the return of a body.
    #[inline]
    pub(crate) fn end(&mut self, ran: Poll<Result<ToolOutput, ToolError>>) {
        // Nothing is dropped: it was pending.
        mem::forget(mem::replace(self.ran, ran));
        self.stage = DirectStage::Ran;
    }

    /// Polls a body for the first time. Most have ended then.
    #[inline]
    pub(crate) fn poll<F>(&mut self, body: Pin<Box<F>>)
    where
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let body = self.body.insert(body);
        let ran = body.as_mut().poll(self.cx);
        if ran.is_ready() {
            self.body = None;
        }
        self.end(ran);
    }
}

impl fmt::Debug for DirectRun<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirectRun")
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
