//! The outcome of a call, for the host.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::content::{ReadResultError, ToolError, ToolResult};
use crate::id::TicketId;
use crate::ticket::{PendingRequest, Ticket, WaitKind};

/// The outcome of a call, for the host's loop. Every call has exactly one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolOutcome {
    /// There is a result for the model, be it a success, an error or a denial: the run goes on.
    Completed(ToolResult),
    /// The call waits for somebody, and goes on by [`Session::resume`](crate::Session::resume) once they
    /// have answered; only in [`WaitMode::Suspending`](crate::executor::WaitMode::Suspending). The run goes on with
    /// the other calls, and the model gets the result of this one later.
    Suspended(Suspension),
    /// The run should end: a gate [ended the turn](crate::hook::GateDecision::Block), the call could not be
    /// recorded, or a tool failed in a way that it declared [fatal](ToolError::into_fatal).
    Failed(FailedCall),
}

/// A call that should end the host's run. There is a result all the same, so that the model's
/// call does not stay without one.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedCall {
    error: ToolError,
    result: ToolResult,
}

impl FailedCall {
    pub(crate) fn new(error: ToolError, result: ToolResult) -> Self {
        Self { error, result }
    }

    /// The error.
    pub fn error(&self) -> &ToolError {
        &self.error
    }

    /// The result that the model would read.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }
}

/// A call that waits for somebody: all that a host needs to show, to store and to go on with, here or
/// in another process.
///
/// Serialises to JSON and back. It holds no secret of the call.
///
/// ```
/// use toolwright::{Executor, tool, ToolCall, ToolOutcome, ToolRegistry};
/// use toolwright::executor::WaitMode;
/// use toolwright::outcome::Suspension;
/// use toolwright::ticket::Answer;
///
/// /// Deploy to a place.
/// #[tool]
/// async fn deploy(place: String) -> String {
///     format!("deployed to {place}")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Deploy))
///     .approvals(WaitMode::Suspending)
///     .build()?;
/// let session = executor.session("s-1");
/// let outcome = session.call(ToolCall::new("deploy", r#"{"place": "test"}"#)).await;
/// let ToolOutcome::Suspended(waits) = outcome else {
///     panic!("somebody has to be asked");
/// };
/// for request in waits.requests() {
///     println!("{}, because {}", request.summary(), request.why().unwrap_or("it is asked"));
/// }
/// let stored = serde_json::to_string(&waits)?;
///
/// let waits: Suspension = serde_json::from_str(&stored)?;
/// let outcome = session.resume(waits.ticket(), Answer::yes()).await?;
/// assert_eq!(outcome.text(), "deployed to test");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspension {
    ticket: Arc<Ticket>,
    result: ToolResult,
}

impl Suspension {
    pub(crate) fn new(ticket: Arc<Ticket>, result: ToolResult) -> Self {
        Self { ticket, result }
    }

    /// The ticket, to show, and to resume the call with.
    pub fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// The ticket's id.
    pub fn id(&self) -> TicketId {
        self.ticket.id()
    }

    /// The kind of wait.
    pub fn kind(&self) -> WaitKind {
        self.ticket.kind()
    }

    /// A line for people; see [`Ticket::summary`].
    pub fn summary(&self) -> String {
        self.ticket.summary()
    }

    /// The reason why the call waits; see [`Ticket::reason`].
    pub fn reason(&self) -> String {
        self.ticket.reason()
    }

    /// The requests: at least one, and each takes one answer.
    pub fn requests(&self) -> &[PendingRequest] {
        self.ticket.requests()
    }

    /// Returns the result for the model to read meanwhile, of status [`Pending`](crate::content::ToolStatus::Pending): that the
    /// call waits.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }
}

impl ToolOutcome {
    /// Makes the outcome of a call that has ended. A fatal error ends the run too.
    #[expect(
        clippy::inline_always,
        reason = "each call ends here, and results are large to copy"
    )]
    #[inline(always)]
    pub(crate) fn of(result: ToolResult) -> Self {
        match result.error() {
            Some(error) if error.is_fatal() => Self::fatal(error.clone(), result),
            _ => Self::Completed(result),
        }
    }

    #[cold]
    fn fatal(error: ToolError, result: ToolResult) -> Self {
        Self::Failed(FailedCall::new(error, result))
    }

    /// The result, which every outcome has.
    pub fn result(&self) -> &ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Suspended(suspension) => &suspension.result,
            Self::Failed(failed) => &failed.result,
        }
    }

    fn result_mut(&mut self) -> &mut ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Suspended(suspension) => &mut suspension.result,
            Self::Failed(failed) => &mut failed.result,
        }
    }

    /// The result, which every outcome has.
    pub fn into_result(self) -> ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Suspended(suspension) => suspension.result,
            Self::Failed(failed) => failed.result,
        }
    }

    /// The suspension, if the call waits for somebody.
    pub fn suspension(&self) -> Option<&Suspension> {
        match self {
            Self::Suspended(suspension) => Some(suspension),
            Self::Completed(_) | Self::Failed(_) => None,
        }
    }

    /// Returns true if the tool did what it was asked.
    pub fn is_success(&self) -> bool {
        self.result().is_success()
    }

    /// The error that the call ended in.
    pub fn error(&self) -> Option<&ToolError> {
        self.result().error()
    }

    /// The data of the result, read into a Rust type; see [`ToolResult::json`].
    ///
    /// # Errors
    ///
    /// Fails if the call has not succeeded, waits for somebody, or gave another type.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ReadResultError> {
        self.result().json()
    }

    /// The text for the model; see [`ToolResult::text`].
    pub fn text(&self) -> String {
        self.result().text()
    }

    /// The text for the model; see [`ToolResult::into_text`].
    ///
    /// ```
    /// # use toolwright::{Executor, ToolRegistry, tool};
    /// /// Greet somebody.
    /// #[tool(pure)]
    /// fn greet(name: String) -> String {
    ///     format!("hello {name}")
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Greet))?;
    /// let outcome = executor.call("greet", r#"{"name": "Ada"}"#).await;
    /// assert_eq!(outcome.into_text(), "hello Ada");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn into_text(mut self) -> String {
        self.result_mut().take_text()
    }
}
