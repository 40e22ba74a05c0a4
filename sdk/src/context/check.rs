//! Permissions for what a tool finds out only while it runs.

use std::any::Any;
use std::future::Future;
use std::time::Duration;

use super::tool_context::ToolContext;
use crate::arguments::Arguments;
use crate::content::{ErrorKind, ToolError};
use crate::id::ToolName;
use crate::permission::{
    Asking, CallView, GrantRuling, IntoRequests, Judgement, PermissionRequest, Verdict,
    trust_options,
};
use crate::spec::ToolSpec;
use crate::ticket::{PendingRequest, ResumeMode, Wait, WaitKind};
use crate::util::panic::catch_panic;

/// The tools among which a call's is, by their numbers.
pub(crate) trait Specs: Any + Send + Sync {
    fn name(&self, number: usize) -> &ToolName;

    /// The spec of a tool, when it is asked for. The tool may panic.
    fn spec(&self, number: usize) -> &ToolSpec;

    /// The longest time that a call of the tool may take.
    fn timeout(&self, number: usize) -> Option<Duration>;

    /// The size of the tool's last output, in bytes: the size to reserve for the next.
    fn output_hint(&self, number: usize) -> usize;
}

/// A single spec stands for all numbers.
impl Specs for ToolSpec {
    fn name(&self, _number: usize) -> &ToolName {
        self.name()
    }

    fn spec(&self, _number: usize) -> &ToolSpec {
        self
    }

    fn timeout(&self, _number: usize) -> Option<Duration> {
        None
    }

    fn output_hint(&self, _number: usize) -> usize {
        0
    }
}

/// The data of a call that is kept while it runs, for a checker that looks at arguments.
#[derive(Debug)]
pub(crate) struct ArgumentsInFlight {
    pub(crate) arguments: Arguments<'static>,
    pub(crate) purpose: Option<Box<str>>,
}

impl ToolContext {
    /// Asks for what the tool finds out only while it runs, such as the path that a link leads to:
    /// the executor's checker judges it as it judges what a call asks for before it runs. The
    /// requests are worked out at once, and judged when the future is awaited.
    ///
    /// All requests are checked; any denial denies the call. An empty list is allowed. A request that a person has to
    /// allow waits for that person, in the executor's [`WaitMode`](crate::executor::WaitMode): where calls are
    /// suspended, this gives an error of code `suspended`, which the tool hands on with `?`, and the tool runs again
    /// once there is an answer. So a tool asks before it acts.
    ///
    /// # Errors
    ///
    /// Fails if a request is denied, by the checker or by a person, or would need a person to allow it while nobody is
    /// there: kind [`Denied`](crate::content::ErrorKind::Denied), with the message that a call would end with. A tool
    /// hands it on with `?`, or goes on without. Fails if the call was cancelled: kind
    /// [`Cancelled`](crate::content::ErrorKind::Cancelled). Fails if the requests cannot be made: that error.
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
                Ok(call) if judge.is_async() => {
                    let token = self.cancel_scope().token();
                    Box::pin(judge.evaluate_awaited(&call, &Verdict::Allow, &requests, token))
                        .await?
                }
                Ok(call) => judge.evaluate(&call, &Verdict::Allow, &requests),
                Err(denied) => Judgement::of(&denied),
            };
            let asks = ruling.asks(self.tool_name())?;
            self.settle(&requests, asks).await
        }
    }

    /// Goes by the session's grants, and asks people about what is left.
    async fn settle(
        &self,
        requests: &[PermissionRequest],
        asks: Vec<Asking>,
    ) -> Result<(), ToolError> {
        let waits = &self.session.waits;
        if let Some(refresh) = waits.refresh(self) {
            refresh.await?;
        }
        let spec = self.spec()?;
        let mut asks = by_grants(self, spec, requests, asks)?;
        asks.retain(|asking| self.approval_of_tree(&asking.request).is_none());
        if asks.is_empty() {
            return Ok(());
        }
        if !waits.is_attended() {
            return Err(self.session.judge.nobody_here(self.tool_name(), &asks));
        }
        let wait = Wait {
            kind: WaitKind::Approval,
            requests: pending(self, spec, &asks),
            resume: ResumeMode::RunAgain,
            begun: true,
        };
        let answers = self.wait(wait).await?;
        let mut answered = asks.iter().zip(&answers);
        match answered.find(|(_, answer)| answer.is_refusal()) {
            None => Ok(()),
            Some((asking, answer)) => Err(refused(
                self.tool_name(),
                asking.request.summary(),
                answer.reason(),
            )),
        }
    }

    pub(crate) fn spec(&self) -> Result<&ToolSpec, ToolError> {
        catch_panic(|| self.specs().spec(self.call.number))
            .map_err(|_| ToolError::denied("the tool cannot say what it is"))
    }

    /// The verdict of the executor's checker on one request, for a tool that leaves out the things it may not touch: a
    /// search that skips forbidden files. Requests that the session's grants cover, or that a person has allowed for
    /// this call, are allowed unless the checker denies them; a person who allowed [a
    /// tree](crate::FileAccess::write_tree) has allowed each file in it. Nobody is asked: a tool that may not go on
    /// without permission asks by [`check`](Self::check). An [asynchronous](crate::permission::AsyncPermissionChecker)
    /// checker is not asked either: this gives [`Verdict::Unknown`], while `check` waits for it. So a tool goes on if
    /// this is [`Verdict::Allow`], and not merely if it is no denial.
    ///
    /// ```
    /// use toolwright::{PermissionRequest, tool, ToolContext};
    /// use toolwright::permission::Verdict;
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
        let verdict = match self.view() {
            Ok(call) => self.session.judge.request(&call, request),
            Err(denied) => denied,
        };
        if matches!(verdict, Verdict::Deny(_)) {
            return verdict;
        }
        let is_unknown = verdict == Verdict::Unknown;
        let no = |reason: Option<String>| {
            Verdict::deny(reason.unwrap_or_else(|| "the user said no".to_owned()))
        };
        let granted = self.spec().ok().and_then(|spec| {
            let waits = &self.session.waits;
            waits.granted(self, spec, request)
        });
        match granted {
            Some(GrantRuling::Denied(reason)) => return no(reason),
            // The checker may deny it, which no grant answers.
            Some(GrantRuling::Allowed) if is_unknown => return verdict,
            Some(GrantRuling::Allowed) => return Verdict::Allow,
            Some(GrantRuling::Asks(_)) | None => {}
        }
        match (self.approval_of(request), granted) {
            (Some(answer), _) if answer.is_refusal() => no(answer.reason().map(str::to_owned)),
            _ if is_unknown => verdict,
            (Some(_), _) => Verdict::Allow,
            (None, Some(GrantRuling::Asks(why))) => Verdict::ask(why),
            (None, _) => verdict,
        }
    }

    /// The tools among which the call's is.
    pub(super) fn specs(&self) -> &dyn Specs {
        &**self.call.specs().unwrap_or(&self.session.specs)
    }

    /// The running call, as its judges see it.
    fn view(&self) -> Result<CallView<'_>, Verdict> {
        let spec = catch_panic(|| self.specs().spec(self.call.number))
            .map_err(|_| Verdict::deny("the tool cannot say what it is"))?;
        let view = match self.call.kept() {
            Some(kept) => {
                CallView::new(spec, &kept.arguments).with_purpose(kept.purpose.as_deref())
            }
            None => CallView::without_arguments(spec),
        };
        Ok(view.with_caller(self.caller()))
    }
}

/// The requests that a person has yet to allow, by the session's grants: granted requests are left out, and requests
/// that were refused for the session are refused.
pub(crate) fn by_grants(
    ctx: &ToolContext,
    spec: &ToolSpec,
    requests: &[PermissionRequest],
    mut asks: Vec<Asking>,
) -> Result<Vec<Asking>, ToolError> {
    for request in requests {
        let asked = asks
            .iter()
            .position(|asking| asking.request.is_same_as(request));
        match (ctx.session.waits.granted(ctx, spec, request), asked) {
            (Some(GrantRuling::Denied(reason)), _) => {
                let tool = ctx.tool_name();
                return Err(refused(tool, request.summary(), reason.as_deref()));
            }
            (Some(GrantRuling::Allowed), Some(at)) => {
                asks.remove(at);
            }
            (Some(GrantRuling::Asks(why)), None) => asks.push(Asking {
                request: request.clone(),
                why,
            }),
            _ => {}
        }
    }
    Ok(asks)
}

/// Requests as they wait for a person, each with what may be decided about it once for all.
pub(crate) fn pending(ctx: &ToolContext, spec: &ToolSpec, asks: &[Asking]) -> Vec<PendingRequest> {
    let digest = catch_panic(|| ctx.session.waits.digest(ctx, spec)).unwrap_or_default();
    let pending = |Asking { request, why }: &Asking| {
        let trust = trust_options(&ctx.session.judge, spec.name(), request, digest);
        request.clone().into_pending(why, trust)
    };
    asks.iter().map(pending).collect()
}

/// The error of a call that a person said no to, now or for all of its kind.
#[cold]
pub(crate) fn refused(tool: &ToolName, summary: &str, reason: Option<&str>) -> ToolError {
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    ToolError::denied(format!("the user denied `{tool}` ({summary}){reason}"))
        .with_code("denied_by_user")
}
