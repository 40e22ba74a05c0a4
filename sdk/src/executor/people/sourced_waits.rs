//! Waits of sessions whose results come from a call source.

use crate::content::ToolError;
use crate::context::{AnsweredRequest, ToolContext, Wait, Waits};
use crate::question::unavailable;
use crate::ticket::{Answer, PendingRequest, ResumeMode, WaitKind};
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
                let summary = wait.requests.first().map_or("", PendingRequest::summary);
                return Err(unavailable(wait.kind, summary));
            }
            let requests = wait.requests.iter().cloned();
            let answered =
                requests.map(|request| -> AnsweredRequest { (wait.kind, request, Answer::yes()) });
            ctx.session.wait_tracker.keep(ctx.invocation_id(), answered);
            Ok(wait.requests.iter().map(|_| Answer::yes()).collect())
        })
    }
}
