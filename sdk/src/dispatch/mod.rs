//! The port that runs bodies elsewhere: in other tasks, other processes, on other machines.
//!
//! A tool that is [durable](crate::ToolSpec::is_durable) or belongs to a [pool](crate::ToolSpec::pool) goes through the
//! [`Dispatcher`] of its executor ([`ExecutorBuilder::dispatcher`](crate::ExecutorBuilder::dispatcher)); any other runs
//! where its call stands. Arguments, permissions and approvals come before that, in the executor that has the call: what
//! is dispatched is a [`DispatchedCall`], signed with the ticket key. A process that runs such calls has a
//! [`ToolHost`](crate::executor::ToolHost) of an executor with the same tools and the same key.
//!
//! The id of the invocation is the key of the call everywhere: a call that is submitted twice runs once.

mod call;
mod error;

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

pub(crate) use call::CallClaims;
pub use call::{CallDefinition, DispatchedCall};
pub use error::DispatchError;

use crate::content::{ToolError, ToolResult};
use crate::id::InvocationId;

/// Runs the bodies of calls elsewhere. `testing::dispatcher_contract`, of the feature `contracts`, checks an
/// implementation.
#[async_trait]
pub trait Dispatcher: Send + Sync + 'static {
    /// Returns the promises that the dispatcher makes about every call. An executor is not built with a tool that needs
    /// more.
    fn promises(&self) -> DispatchPromises;

    /// Hands a call over. When this returns, the call is with the dispatcher, and stays there if the dispatcher
    /// [outlives a process](DispatchPromises::outlives_process). The same call again changes nothing.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Refused`] if the dispatcher does not take the call; it has not started then.
    /// [`DispatchError::Unavailable`] if it is not known whether the call was handed over: the same call may be
    /// submitted again.
    async fn submit(&self, call: &DispatchedCall) -> Result<Submission, DispatchError>;

    /// Returns true if the dispatcher has a call, running or ended, so that the same call would attach to it and not start
    /// anew.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Unavailable`] if it cannot be asked now.
    async fn knows(&self, call: InvocationId) -> Result<bool, DispatchError>;

    /// Waits for the end of a call, for as long as the given time. `None` if the call has not ended by then.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Unknown`] if the dispatcher does not have the call, or not any more;
    /// [`DispatchError::Unavailable`] if it cannot be asked now.
    async fn outcome(
        &self,
        call: InvocationId,
        wait: Duration,
    ) -> Result<Option<DispatchOutcome>, DispatchError>;

    /// Cancels a call. Its body gets the cancellation where the dispatcher [says so](DispatchPromises::interrupts_body);
    /// a call that has ended, or is not there, stays as it is.
    ///
    /// # Errors
    ///
    /// [`DispatchError::Unavailable`] if it is not known whether the call was cancelled.
    async fn cancel(&self, call: InvocationId) -> Result<(), DispatchError>;
}

/// The promises of a [`Dispatcher`]. Default: none, and no limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DispatchPromises {
    /// True if a call that was submitted goes on when the process that submitted it, or the one that runs it, is gone.
    pub outlives_process: bool,
    /// True if a cancellation reaches a body that runs.
    pub interrupts_body: bool,
    /// The largest call or result, in bytes of JSON, if there is a limit.
    pub max_payload: Option<u64>,
    /// The longest time that a body may run, if there is a limit.
    pub max_time: Option<Duration>,
}

/// The state of a call that was submitted: see [`Dispatcher::submit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Submission {
    /// The dispatcher has the call since now.
    Started,
    /// The dispatcher had the call before, and the call has not ended.
    Attached,
    /// The call has ended before.
    Done,
}

/// The end of a dispatched call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DispatchOutcome {
    /// A host has run the call to its end, whatever the end was.
    Ended(Box<ToolResult>),
    /// The body has not begun, for this reason, and does not begin any more.
    NotRun(ToolError),
    /// The body may have begun, and was cut off: its process is gone, its time was over, or it was cancelled. Of a tool
    /// that runs once at most nobody knows the effect.
    CutOff(ToolError),
}
