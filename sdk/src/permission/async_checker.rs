//! Permission checkers that have to wait, such as those that ask a service.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::checker::forwards_what_is_sync;
use super::{CallView, Coverage, GrantQuery, PermissionRequest, Verdict};
use crate::content::{ErrorKind, ToolError};
use crate::id::ToolName;
use crate::spec::ToolSpec;
use crate::ticket::GrantScope;
use crate::util::future::BoxFuture;
use crate::util::port::{PortFailure, bounded};

/// The error of a checker that could not answer, for the log.
type CheckError = Box<dyn std::error::Error + Send + Sync>;

/// Judges calls and requests by asking somebody else, such as a policy service: the asynchronous form of
/// [`PermissionChecker`](super::PermissionChecker), set by
/// [`ExecutorBuilder::async_permission_checker`](crate::ExecutorBuilder::async_permission_checker) or
/// [`SessionOptions::async_permission_checker`](crate::executor::SessionOptions::async_permission_checker).
///
/// Verdicts on tools are not asynchronous: they are worked out once, from what the tool says of itself.
/// A checker that cannot decide by that allows the tool, and decides by call and request.
///
/// A call that could not be checked does not run. An error, a panic, and an answer that takes longer
/// than [`Limits::permission_timeout`](crate::executor::Limits::permission_timeout) end the call
/// as [`Denied`](ErrorKind::Denied) with the code `permission_check_failed`. The cause is the error's
/// source, for the log; the model reads that the call could not be checked. A call that is cancelled
/// waits no longer.
///
/// Methods that ask without waiting, such as [`Session::preview`](crate::Session::preview) and
/// [`ToolContext::verdict`](crate::ToolContext::verdict), get [`Verdict::Unknown`];
/// [`ToolContext::check`](crate::ToolContext::check) waits.
///
/// ```
/// use std::error::Error;
/// use toolwright::{async_trait, Executor, PermissionRequest, ToolRegistry, ToolSpec};
/// use toolwright::permission::{AsyncPermissionChecker, CallView, Verdict};
///
/// struct PolicyService;
///
/// impl PolicyService {
///     async fn may(&self, session: &str, kind: &str, target: &str) -> Result<bool, std::io::Error> {
///         // .. a request to the service ..
/// #       let _ = (session, kind, target);
///         Ok(true)
///     }
/// }
///
/// #[async_trait]
/// impl AsyncPermissionChecker for PolicyService {
///     fn check_tool(&self, _tool: &ToolSpec) -> Verdict {
///         Verdict::Allow
///     }
///
///     async fn check_request(
///         &self,
///         call: &CallView<'_>,
///         request: &PermissionRequest,
///     ) -> Result<Verdict, Box<dyn Error + Send + Sync>> {
///         let session = call.session_id().map_or("", |id| id.as_str());
///         Ok(if self.may(session, request.kind(), request.target()).await? {
///             Verdict::Allow
///         } else {
///             Verdict::deny("the policy service says no")
///         })
///     }
/// }
///
/// let executor = Executor::builder(ToolRegistry::new()).async_permission_checker(PolicyService).build()?;
/// # let _ = executor;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[async_trait]
pub trait AsyncPermissionChecker: Send + Sync + 'static {
    /// Returns the verdict on the tool as such. As
    /// [`PermissionChecker::check_tool`](super::PermissionChecker::check_tool): once for each tool.
    fn check_tool(&self, tool: &ToolSpec) -> Verdict;

    /// Returns the verdict on a request of a call. The call's arguments are valid: what does not fit never gets here.
    ///
    /// # Errors
    ///
    /// Fails if the checker cannot decide: the call is denied.
    async fn check_request(
        &self,
        call: &CallView<'_>,
        request: &PermissionRequest,
    ) -> Result<Verdict, CheckError>;

    /// Returns the verdict on a call, whatever it requests. As
    /// [`PermissionChecker::check_call`](super::PermissionChecker::check_call). Default: the verdict on
    /// the tool.
    ///
    /// # Errors
    ///
    /// Fails if the checker cannot decide: the call is denied.
    async fn check_call(&self, call: &CallView<'_>) -> Result<Verdict, CheckError> {
        Ok(self.check_tool(call.spec()))
    }

    /// Returns true if a verdict on calls or requests of the tool may depend on the arguments: see
    /// [`PermissionChecker::looks_at_arguments`](super::PermissionChecker::looks_at_arguments).
    /// Default: yes.
    fn looks_at_arguments(&self, _tool: &ToolSpec) -> bool {
        true
    }

    /// Returns true if a verdict on calls of the tool may depend on whose call it is: see
    /// [`PermissionChecker::looks_at_caller`](super::PermissionChecker::looks_at_caller). Default: yes.
    fn looks_at_caller(&self, _tool: &ToolSpec) -> bool {
        true
    }

    /// The mistakes of the checker for an app with these tools: see
    /// [`PermissionChecker::problems`](super::PermissionChecker::problems). Default: none.
    fn problems(&self, _tools: &[&ToolSpec]) -> Vec<String> {
        Vec::new()
    }

    /// Returns how surely these allowances cover a request together: see
    /// [`PermissionChecker::grant_covers`](super::PermissionChecker::grant_covers). Default: the plain rule.
    fn grant_covers(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        query.covered_by(grants)
    }

    /// Returns how surely a refusal covers a request: see
    /// [`PermissionChecker::refusal_covers`](super::PermissionChecker::refusal_covers). Default: the plain
    /// rule.
    fn refusal_covers(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        query.refused_by(refusal)
    }

    /// The address of a checker that is in an `Arc`, and how many have it: by that, sessions share what
    /// is worked out once.
    #[doc(hidden)]
    fn shared(&self) -> Option<(usize, usize)> {
        None
    }
}

#[async_trait]
impl<C: AsyncPermissionChecker + ?Sized> AsyncPermissionChecker for Arc<C> {
    forwards_what_is_sync!();

    async fn check_request(
        &self,
        call: &CallView<'_>,
        request: &PermissionRequest,
    ) -> Result<Verdict, CheckError> {
        (**self).check_request(call, request).await
    }

    async fn check_call(&self, call: &CallView<'_>) -> Result<Verdict, CheckError> {
        (**self).check_call(call).await
    }
}

type Check<'c> = BoxFuture<'c, Result<Verdict, CheckError>>;

/// Waits for the answer of a checker.
///
/// # Errors
///
/// Fails with the error that the call ends with if there is no answer in time.
pub(super) async fn wait_for<'c>(
    limit: Duration,
    cancellation: &CancellationToken,
    call: &CallView<'_>,
    check: impl FnOnce() -> Check<'c> + Send,
) -> Result<Verdict, ToolError> {
    let tool = call.spec().name();
    let panicked = |text: String| {
        let cause = format!("the permission checker panicked: {text}");
        Err(check_failed(tool, cause))
    };
    let mut answer = Poll::Pending;
    let ended = if cancellation.is_cancelled() {
        Err(PortFailure::Cancelled)
    } else {
        bounded(Some(&limit), true, Some(cancellation), check, &mut answer).await
    };
    let ended = match (answer, ended) {
        (Poll::Ready(Ok(Verdict::Unknown)), _) => return Err(answered_unknown(tool)),
        (Poll::Ready(Ok(verdict)), Ok(())) => return Ok(verdict),
        (Poll::Ready(Err(cause)), _) => {
            return Err(check_failed(tool, cause).with_retryable(true));
        }
        (_, ended) => ended,
    };
    match ended {
        Err(PortFailure::Panicked(text)) => panicked(text),
        Err(PortFailure::TimedOut(limit)) => {
            let cause = format!(
                "the permission checker took longer than {limit:?}: `Limits::permission_timeout` sets \
                 how long it may take"
            );
            Err(check_failed(tool, cause).with_retryable(true))
        }
        Err(PortFailure::NoTimers) => {
            let cause = "to wait for a permission checker takes a Tokio runtime with timers: \
                         `Builder::enable_time`";
            Err(check_failed(tool, cause))
        }
        Err(why @ PortFailure::ShuttingDown) => Err(check_failed(tool, why)),
        // Code that has ended has an answer.
        Err(PortFailure::Cancelled) | Ok(()) => {
            let message = "the call was cancelled before it began";
            Err(ToolError::new(ErrorKind::Cancelled, message))
        }
    }
}

/// The error of a call whose checker answered with [`Verdict::Unknown`].
#[cold]
pub(super) fn answered_unknown(tool: &ToolName) -> ToolError {
    let cause = "the permission checker answered `Verdict::Unknown`";
    check_failed(tool, cause)
}

/// The error of a call that could not be checked.
#[cold]
fn check_failed(tool: &ToolName, cause: impl Into<CheckError>) -> ToolError {
    ToolError::denied(format!(
        "`{tool}` was denied: the app could not check whether it may run"
    ))
    .with_code("permission_check_failed")
    .with_source(cause)
}
