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

    /// Notes that the arguments are read and the body is about to begin. Returns true if it may: the call was not cancelled.
    fn begins(&self) -> bool;
}

impl BodyContext for ToolContext {
    fn context(&self) -> &ToolContext {
        self
    }

    fn output_hint(&self) -> usize {
        Self::output_hint(self)
    }

    fn begins(&self) -> bool {
        !self.was_told_to_cancel()
    }
}
