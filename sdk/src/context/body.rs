//! The context of a body as generated code gets it.

use super::tool_context::ToolContext;

/// The context of a body, made when the body first asks for it: most bodies take arguments and nothing else, and to make
/// a context costs about as much as to run one of these.
#[doc(hidden)]
pub trait BodyContext {
    /// The context of the call.
    fn context(&self) -> &ToolContext;

    /// The size to reserve for the output, in bytes.
    fn output_hint(&self) -> usize;

    /// Returns true if the call was cancelled.
    fn was_told_to_cancel(&self) -> bool;
}

impl BodyContext for ToolContext {
    fn context(&self) -> &ToolContext {
        self
    }

    fn output_hint(&self) -> usize {
        Self::output_hint(self)
    }

    fn was_told_to_cancel(&self) -> bool {
        Self::was_told_to_cancel(self)
    }
}
