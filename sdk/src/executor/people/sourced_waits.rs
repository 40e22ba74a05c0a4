//! Waits of sessions whose results come from a call source.

use crate::content::ToolError;
use crate::context::{ToolContext, Waits};
use crate::question::unavailable;
use crate::ticket::{Answer, ResumeMode, Wait, WaitKind};
use crate::util::future::BoxFuture;

/// Nobody is asked. What was allowed when the call was recorded is allowed now, whoever allowed it.
pub(crate) struct SourcedWaits;

impl Waits for SourcedWaits {
    fn is_attended(&self) -> bool {
        true
    }

    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>> {
        Box::pin(async move {
            // Only approvals are repeated: a body that waited for anything else is answered from the record, and does not
            // run again.
            if wait.kind != WaitKind::Approval || wait.resume != ResumeMode::RunAgain {
                return Err(unavailable(wait.kind, wait.summary()));
            }
            let answers = vec![Answer::yes(); wait.requests.len()];
            let answered = wait.allowed();
            ctx.session.wait_tracker.keep(ctx.invocation_id(), answered);
            Ok(answers)
        })
    }
}
