//! Gates: who decides on a call before anything else does.

use std::any::type_name;

use super::GateCall;
use crate::content::ToolOutput;
use crate::permission::PermissionRequest;
use crate::question::{ExternalWait, Question};

/// Decides whether a call goes on, right before it, after its arguments were parsed and before
/// permissions are checked: [`ExecutorBuilder::gate`](crate::ExecutorBuilder::gate) adds one.
///
/// A gate is pure: the same call in the same state of the session has the same decision, and asking has no
/// effect. It may be asked several times about one call: again when what a person answered
/// lets the call go on, and again right before the body, if the session's state has changed since. It
/// decides at once: what has to wait is a [`BeforeTool`](super::BeforeTool).
///
/// So a gate does not go by what is counted for each call: it would be asked again about the very call that
/// was just counted, and not see those of its batch that have yet to be. A `BeforeTool` that counts and
/// vetoes is exact.
///
/// All gates are asked. Of what they say the strongest holds: block, then deny, then suspend, then set
/// the result. Of two of one rank the first gate's holds, and the other is reported. A gate that panics
/// denies.
///
/// ```
/// use toolwright::{Executor, tool, ToolOutcome, ToolRegistry};
/// use toolwright::hook::{GateCall, GateDecision, ToolGate};
///
/// /// Take money from the account.
/// #[tool(pure)]
/// fn withdraw(amount: u32) -> String {
///     format!("here are {amount}")
/// }
///
/// struct Ceiling(u64);
///
/// impl ToolGate for Ceiling {
///     fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
///         let amount = call.arguments().ok()?.get("amount")?.as_u64()?;
///         (amount > self.0).then(|| GateDecision::block("that much is never paid out"))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let executor = Executor::builder(ToolRegistry::new().with(Withdraw))
///     .gate(Ceiling(500))
///     .build()?;
/// let outcome = executor.call("withdraw", r#"{"amount": 20}"#).await;
/// assert_eq!(outcome.text(), "here are 20");
/// let outcome = executor.call("withdraw", r#"{"amount": 20000}"#).await;
/// assert!(matches!(outcome, ToolOutcome::Failed(_)));
/// # Ok::<(), toolwright::BuildError>(())
/// # }).unwrap();
/// ```
pub trait ToolGate: Send + Sync + 'static {
    /// Decides about a call. `None` means no objection.
    fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision>;

    /// The name of the gate in reports and logs. Default: the name of its type.
    fn name(&self) -> &str {
        type_name::<Self>()
    }
}

/// The decision of a [`ToolGate`] about a call that does not just go on, the strongest first.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GateDecision {
    /// The call does not run, and its turn ends: its outcome is
    /// [`ToolOutcome::Failed`](crate::ToolOutcome::Failed), with an error of kind
    /// [`Blocked`](crate::content::ErrorKind::Blocked).
    ///
    /// The other calls of the turn, be they members of a batch, spawned, or made by a tool, have one
    /// outcome each. One that ended before keeps its own. One whose body did not begin is blocked too, and
    /// no later call of the turn runs. One whose body had begun is cancelled; the error of one that may
    /// have an effect only once says that its effect is unknown. Both are `Failed`, with the code
    /// `turn_blocked`. A call that waits in a ticket cannot be resumed any more: its ticket is cancelled.
    /// A block of a resumed call ends the turn that it was made in.
    ///
    /// The session goes on, and so do turns of the sessions below it, but for those that a cancelled body
    /// held: a block in a sub-session ends the turn there, and whoever made that turn reads it in the
    /// outcome. [`Turn::block_reason`](crate::Turn::block_reason) tells the reason.
    #[non_exhaustive]
    Block {
        /// The reason, for the model and the host.
        reason: String,
    },
    /// The call does not run: its result is an error of kind [`Denied`](crate::content::ErrorKind::Denied), code
    /// `denied_by_gate`.
    #[non_exhaustive]
    Deny {
        /// The reason, for the model.
        reason: String,
    },
    /// The call waits for somebody, as one does that needs approval. Once they have answered, the gate is
    /// asked again, and the same request does not hold the call up again.
    Suspend(GateRequest),
    /// The call does not run: this is what it gives. Hooks after the call see it.
    SetResult(ToolOutput),
    /// The same, with something that was kept from an earlier call:
    /// [`ResultSource::Cache`](crate::content::ResultSource::Cache) says so.
    Cached(ToolOutput),
}

impl GateDecision {
    /// The call does not run, and its turn ends: see [`Block`](Self::Block).
    pub fn block(reason: impl Into<String>) -> Self {
        Self::Block {
            reason: reason.into(),
        }
    }

    /// The call does not run, for a reason that the model reads.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
        }
    }

    /// The call waits for somebody: for approval of a [`PermissionRequest`], the answer to a
    /// [`Question`], or a sign-in or a result from elsewhere ([`ExternalWait`]).
    pub fn suspend(request: impl Into<GateRequest>) -> Self {
        Self::Suspend(request.into())
    }

    /// The call does not run, and gives this.
    pub fn set_result(output: impl Into<ToolOutput>) -> Self {
        Self::SetResult(output.into())
    }

    /// The call does not run, and gives this, which was kept from an earlier call.
    ///
    /// ```
    /// use toolwright::{Executor, tool, ToolRegistry};
    /// use toolwright::content::ResultSource;
    /// use toolwright::hook::{GateCall, GateDecision, ToolGate};
    ///
    /// /// Tell the weather of a place.
    /// #[tool(read_only)]
    /// async fn weather(place: String) -> String {
    ///     format!("asked for {place}")
    /// }
    ///
    /// struct Kept;
    ///
    /// impl ToolGate for Kept {
    ///     fn decide(&self, call: &GateCall<'_>) -> Option<GateDecision> {
    ///         let is_known = call.arguments().ok()?.get("place")? == "Bonn";
    ///         is_known.then(|| GateDecision::cached("rain"))
    ///     }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::builder(ToolRegistry::new().with(Weather)).gate(Kept).build()?;
    /// let outcome = executor.call("weather", r#"{"place": "Bonn"}"#).await;
    /// assert_eq!((outcome.text().as_str(), outcome.result().source()), ("rain", ResultSource::Cache));
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn cached(output: impl Into<ToolOutput>) -> Self {
        Self::Cached(output.into())
    }

    /// The name of the decision: `block`, `deny`, `suspend`, `set_result`, `cached`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Block { .. } => "block",
            Self::Deny { .. } => "deny",
            Self::Suspend(_) => "suspend",
            Self::SetResult(_) => "set_result",
            Self::Cached(_) => "cached",
        }
    }

    /// The rank of a denial.
    pub(crate) const DENY_RANK: u8 = 1;

    /// The least goes first.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            Self::Block { .. } => 0,
            Self::Deny { .. } => Self::DENY_RANK,
            Self::Suspend(_) => 2,
            Self::SetResult(_) | Self::Cached(_) => 3,
        }
    }
}

/// The request that a [`ToolGate`] has a call wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct GateRequest(
    // A pointer wide, because every gate returns room for it at every call.
    pub(crate) Box<Requested>,
);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Requested {
    Approval(PermissionRequest),
    Wait(ExternalWait),
}

/// Waits for somebody to allow it. A grant of the session answers it.
impl From<PermissionRequest> for GateRequest {
    fn from(request: PermissionRequest) -> Self {
        Self(Box::new(Requested::Approval(request)))
    }
}

/// Waits for somebody to answer it.
impl From<Question> for GateRequest {
    fn from(question: Question) -> Self {
        Self(Box::new(Requested::Wait(question.into())))
    }
}

impl From<ExternalWait> for GateRequest {
    fn from(wait: ExternalWait) -> Self {
        Self(Box::new(Requested::Wait(wait)))
    }
}
