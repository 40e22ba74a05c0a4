//! How the calls of a session wait for people.

use super::WaitMode;
use crate::interaction::unavailable;
use crate::message::ToolError;
use crate::pending::{Answer, PendingRequest, ResumeMode};
use crate::permission::PermissionRequest;
use crate::tool::{BoxFuture, Decided, ToolContext, Wait, Waits, suspension};

/// A session's way to people.
pub(super) struct SessionWaits {
    mode: WaitMode,
}

impl SessionWaits {
    pub(super) fn new(mode: WaitMode) -> Self {
        Self { mode }
    }
}

impl Waits for SessionWaits {
    fn is_attended(&self) -> bool {
        self.mode != WaitMode::Unattended
    }

    fn wait<'a>(
        &'a self,
        ctx: &'a ToolContext,
        wait: Wait,
    ) -> BoxFuture<'a, Result<Vec<Answer>, ToolError>> {
        Box::pin(async move {
            let in_place = self.mode == WaitMode::Blocking && wait.resume == ResumeMode::RunAgain;
            if !self.is_attended() || in_place {
                let summary = wait.requests.first().map_or("", PendingRequest::summary);
                return Err(unavailable(wait.kind, summary));
            }
            ctx.session.desk.note(ctx.invocation_id(), wait);
            Err(suspension(ctx.invocation_id()))
        })
    }

    fn granted(&self, _ctx: &ToolContext, _request: &PermissionRequest) -> Option<Decided> {
        None
    }
}
