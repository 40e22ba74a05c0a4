//! The facts about a call that its body is polled and stopped by.

use std::sync::Arc;
use std::time::Duration;

use crate::content::{ErrorKind, ToolError};
use crate::context::{CallTurn, SessionScope, ToolContext, TurnBlock};
use crate::event::EventKind;
use crate::executor::call::state::before_it_began;
use crate::executor::core::open::shorter;
use crate::id::{InvocationId, ToolName};

/// The facts about a call that its body is polled and stopped by. A call that waits without a context has them from its
/// source.
#[derive(Clone, Copy)]
pub(crate) struct BodyScope<'c> {
    pub(crate) session: &'c SessionScope,
    turn: CallTurn<'c>,
    pub(crate) invocation: InvocationId,
    /// The number of the tool.
    number: usize,
    /// `None` if nobody watches the call, and its tools are the executor's first.
    context: Option<&'c ToolContext>,
}

impl<'c> BodyScope<'c> {
    /// The scope of a call that has a context.
    #[inline]
    pub(crate) fn of(context: &'c ToolContext) -> Self {
        Self {
            session: &context.session,
            turn: context.turn.as_ref().into(),
            invocation: context.invocation_id(),
            number: context.call.number,
            context: Some(context),
        }
    }

    /// The scope of a call that has no context, of a tool of the executor's first catalog.
    #[inline]
    pub(crate) fn without_context(
        session: &'c SessionScope,
        turn: CallTurn<'c>,
        invocation: InvocationId,
        number: usize,
    ) -> Self {
        Self {
            session,
            turn,
            invocation,
            number,
            context: None,
        }
    }

    #[inline]
    pub(crate) fn was_told_to_cancel(&self) -> bool {
        self.session.was_told_to_cancel_call(self.turn.innermost())
    }

    /// The same of a call that waits.
    #[inline]
    pub(crate) fn is_to_end(&self) -> bool {
        self.session.ends_call(self.turn.innermost())
    }

    /// Returns the time that the call may take.
    #[inline]
    pub(crate) fn timeout(&self) -> Option<Duration> {
        let of_tool = match self.context {
            Some(context) => context.tool_timeout(),
            None => self.session.specs.timeout(self.number),
        };
        shorter(of_tool, self.session.timeout)
    }

    fn block(&self) -> Option<&'c Arc<TurnBlock>> {
        self.turn.innermost()?.block()
    }

    fn tool_name(&self) -> &'c ToolName {
        match self.context {
            Some(context) => context.tool_name(),
            None => self.session.specs.name(self.number),
        }
    }

    /// The error of a call that was cancelled while its body ran.
    #[cold]
    pub(crate) fn cancelled(&self) -> ToolError {
        match self.block() {
            Some(block) => block.cancelled(),
            None => ToolError::new(ErrorKind::Cancelled, "the call was cancelled"),
        }
    }

    /// The error of a call that was cancelled before its body began.
    #[cold]
    pub(crate) fn never_began(&self) -> ToolError {
        match self.block() {
            Some(block) => block.refusal(self.tool_name().as_str()),
            None => before_it_began(),
        }
    }

    /// Stops what the body has started.
    pub(crate) fn stop_what_it_started(&self) {
        self.session.wait_tracker.stop(self.invocation);
    }

    /// Tells whoever takes the events of the call that its body panicked when it was dropped.
    #[cold]
    pub(crate) fn tell_of_panic(&self) {
        let Some(context) = self.context else {
            return;
        };
        context.emit(|| EventKind::Diagnostic {
            code: "panicked_when_stopped".to_owned(),
            message: format!(
                "the body of `{}` was stopped, and panicked when it was dropped",
                self.tool_name()
            ),
        });
    }
}
