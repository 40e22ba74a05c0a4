//! How a call ended, for the host.

use crate::message::{ToolError, ToolResult};

/// How a call ended, for the host's loop. Every call ends in exactly one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolOutcome {
    /// There is a result for the model, be it a success, an error or a denial: the run goes on.
    Completed(ToolResult),
    /// The run should end: a tool failed in a way that it declared [fatal](ToolError::into_fatal).
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
    pub(super) fn new(error: ToolError, result: ToolResult) -> Self {
        Self { error, result }
    }

    /// Why.
    pub fn error(&self) -> &ToolError {
        &self.error
    }

    /// What the model would read.
    pub fn result(&self) -> &ToolResult {
        &self.result
    }
}

impl ToolOutcome {
    /// The result, which every outcome has.
    pub fn result(&self) -> &ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Failed(failed) => &failed.result,
        }
    }

    /// The result, which every outcome has.
    pub fn into_result(self) -> ToolResult {
        match self {
            Self::Completed(result) => result,
            Self::Failed(failed) => failed.result,
        }
    }

    /// Whether the tool did what it was asked.
    pub fn is_success(&self) -> bool {
        self.result().is_success()
    }

    /// Why the call ended in an error.
    pub fn error(&self) -> Option<&ToolError> {
        self.result().error()
    }

    /// What the model reads, where it is text; see [`ToolResult::text`].
    pub fn text(&self) -> String {
        self.result().text()
    }
}
