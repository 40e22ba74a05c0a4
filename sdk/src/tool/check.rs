//! Permissions for what a tool finds out only while it runs.

use std::future::Future;

use super::ToolContext;
use crate::id::ToolName;
use crate::message::{Arguments, ErrorKind, ToolError};
use crate::panic::caught;
use crate::permission::{CallView, IntoRequests, PermissionRequest, Ruling, Verdict};
use crate::spec::ToolSpec;

/// Finds what tools say of themselves, when it is asked for: calls that check nothing pay nothing.
pub(crate) trait Specs: Send + Sync {
    fn spec_of(&self, tool: &ToolName) -> Option<&ToolSpec>;
}

/// One tool stands for all.
impl Specs for ToolSpec {
    fn spec_of(&self, _tool: &ToolName) -> Option<&ToolSpec> {
        Some(self)
    }
}

/// What is kept of a call while it runs, for a checker that looks at arguments.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) arguments: Arguments<'static>,
    pub(crate) purpose: Option<Box<str>>,
}

impl ToolContext {
    /// Asks for what the tool finds out only while it runs, such as the path that a link leads to:
    /// the executor's checker judges it as it judges what a call asks for before it runs. The
    /// requests are worked out at once, and judged when the future is awaited.
    ///
    /// Of several requests all are judged, and one denial denies. To none there is no objection.
    ///
    /// # Errors
    ///
    /// When a request is denied, or would need a person to allow it while nobody is there: kind
    /// [`Denied`](crate::ErrorKind::Denied), with the message that a call would end with. A tool
    /// hands it on with `?`, or goes on without. When the call was cancelled: kind
    /// [`Cancelled`](crate::ErrorKind::Cancelled). When the requests cannot be worked out: that
    /// error.
    ///
    /// ```
    /// use toolwright::{FileAccess, ToolContext, ToolError, tool};
    ///
    /// /// Read a file, and the one that it names in its first line.
    /// #[tool(read_only, permission = FileAccess::read(path))]
    /// async fn read_both(path: String, ctx: &ToolContext) -> Result<String, ToolError> {
    ///     let text = std::fs::read_to_string(path)?;
    ///     let Some(next) = text.lines().next() else {
    ///         return Ok(text);
    ///     };
    ///     ctx.check(FileAccess::read(next)).await?;
    ///     Ok(std::fs::read_to_string(next)? + &text)
    /// }
    /// ```
    pub fn check<R: IntoRequests>(
        &self,
        request: R,
    ) -> impl Future<Output = Result<(), ToolError>> + Send + use<'_, R> {
        let requests = request.into_requests();
        async move {
            let requests = requests?;
            if self.is_cancelled() {
                return Err(ToolError::new(
                    ErrorKind::Cancelled,
                    "the call was cancelled",
                ));
            }
            let judge = &self.session.judge;
            let ruling = match self.view() {
                Ok(call) => judge.weigh(&call, &Verdict::Allow, &requests),
                Err(denied) => Ruling::of(&denied),
            };
            judge.refusal(self.tool_name(), ruling)
        }
    }

    /// What the executor's checker says of one request, for a tool that leaves out what it may not
    /// touch: a search that passes over forbidden files. A tool that may not go on without asks by
    /// [`check`](Self::check).
    ///
    /// ```
    /// use toolwright::{PermissionRequest, ToolContext, Verdict, tool};
    ///
    /// /// List the rooms that may be entered.
    /// #[tool(read_only)]
    /// fn rooms(ctx: &ToolContext) -> Vec<&'static str> {
    ///     let mut rooms = vec!["kitchen", "vault"];
    ///     rooms.retain(|room| {
    ///         let enter = PermissionRequest::new("enter", *room, format!("Enter the {room}"));
    ///         ctx.verdict(&enter) == Verdict::Allow
    ///     });
    ///     rooms
    /// }
    /// ```
    pub fn verdict(&self, request: &PermissionRequest) -> Verdict {
        match self.view() {
            Ok(call) => self.session.judge.request(&call, request),
            Err(denied) => denied,
        }
    }

    /// The running call, as its judges see it.
    fn view(&self) -> Result<CallView<'_>, Verdict> {
        let Ok(Some(spec)) = caught(|| self.session.specs.spec_of(self.tool_name())) else {
            return Err(Verdict::deny("the tool cannot say what it is"));
        };
        Ok(match self.call.kept.as_deref() {
            Some(kept) => {
                CallView::new(spec, &kept.arguments).with_purpose(kept.purpose.as_deref())
            }
            None => CallView::without_arguments(spec),
        })
    }
}
