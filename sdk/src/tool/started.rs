//! A parsed call, and the start of its body.

use std::fmt;
use std::future::{Future, IntoFuture, ready};

use crate::content::{ToolError, ToolOutput};
use crate::context::ToolContext;
use crate::permission::PermissionRequest;
use crate::util::future::BoxFuture;

/// A call with its arguments parsed, ready to run: it says what it wants, and then does it.
pub trait Invocation: Send + 'static {
    /// Returns the requests that have to be allowed, worked out before anything is done. A call that waits for an answer is
    /// asked again when it goes on.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be made; the call then ends with the error.
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        let _ = ctx;
        Ok(Vec::new())
    }

    /// Starts the body: one that never waits runs to its end here, any other gives its future.
    ///
    /// A cancelled call does not start. The future is polled under the timeout of the call, and dropped when
    /// the call ends without it.
    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_>;

    /// The same for a body that does not borrow its context, so that both can move once the body has begun.
    #[doc(hidden)]
    fn start_apart(self: Box<Self>, ctx: &ToolContext) -> Started<'static> {
        let ctx = ctx.clone();
        Started::pending(async move { self.start(&ctx).await })
    }
}

/// The start of a body: see [`Invocation::start`]. Where it is awaited, it gives the output.
///
/// ```
/// use std::time::Duration;
/// use toolwright::{ToolContext, ToolOutput};
/// use toolwright::tools::{Invocation, Started};
///
/// struct Wait(Duration);
///
/// impl Invocation for Wait {
///     fn start(self: Box<Self>, _ctx: &ToolContext) -> Started<'_> {
///         if self.0.is_zero() {
///             return Started::Done(Ok(ToolOutput::text("at once")));
///         }
///         Started::pending(async move {
///             tokio::time::sleep(self.0).await;
///             Ok(ToolOutput::text("later"))
///         })
///     }
/// }
/// ```
#[must_use = "a body that waits does nothing unless it is polled"]
pub enum Started<'a> {
    /// The body has ended. The model reads the message of an error.
    Done(Result<ToolOutput, ToolError>),
    /// The body may wait.
    Pending(BoxFuture<'a, Result<ToolOutput, ToolError>>),
}

impl<'a> Started<'a> {
    /// A body that may wait. Nothing of it has run yet.
    pub fn pending(body: impl Future<Output = Result<ToolOutput, ToolError>> + Send + 'a) -> Self {
        Self::Pending(Box::pin(body))
    }
}

impl<'a> IntoFuture for Started<'a> {
    type Output = Result<ToolOutput, ToolError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        match self {
            Self::Done(ran) => Box::pin(ready(ran)),
            Self::Pending(body) => body,
        }
    }
}

impl fmt::Debug for Started<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(ran) => f.debug_tuple("Done").field(ran).finish(),
            Self::Pending(_) => f.write_str("Pending"),
        }
    }
}

impl fmt::Debug for dyn Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invocation")
    }
}
