//! The answers of a unit test to the calls that a tool makes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::content::{ResultSource, ToolCall, ToolError, ToolOutput, ToolResult};
use crate::context::{Calls, ToolContext};
use crate::id::{InvocationId, Label};
use crate::outcome::ToolOutcome;
use crate::util::future::BoxFuture;

/// The answer to a call.
pub(super) type AnswerCall =
    dyn Fn(&ToolCall<'_>) -> Result<ToolOutput, ToolError> + Send + Sync + 'static;

/// Answers calls in the place of other tools.
pub(super) struct ScriptedCalls {
    answer: Option<Arc<AnswerCall>>,
    count: AtomicU64,
}

impl ScriptedCalls {
    pub(super) fn new(answer: Option<Arc<AnswerCall>>) -> Self {
        Self {
            answer,
            count: AtomicU64::new(2),
        }
    }
}

impl Calls for ScriptedCalls {
    fn call<'a>(
        &'a self,
        _caller: &'a ToolContext,
        call: ToolCall<'a>,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            let output = match &self.answer {
                Some(answer) => answer(&call).unwrap_or_else(ToolOutput::from),
                None => ToolError::unavailable(
                    "there are no other tools here: a test answers for them by \
                     `ContextBuilder::calls`",
                )
                .into(),
            };
            outcome(&call, self.count.fetch_add(1, Ordering::Relaxed), output)
        })
    }
}

/// Returns the outcome of a call that a test has answered.
pub(super) fn outcome(call: &ToolCall<'_>, number: u64, output: ToolOutput) -> ToolOutcome {
    let result = ToolResult::new(
        call.id().cloned(),
        InvocationId::from_parts(0, number),
        Label::from(std::borrow::Cow::Owned(call.name().to_owned())),
        ResultSource::Tool,
        output.into_result_parts(),
    );
    ToolOutcome::of(result)
}
