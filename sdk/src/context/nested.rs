//! Calls that a tool makes itself.

use std::future::Future;
use std::iter::successors;
use std::sync::Arc;

use super::environment::CallEnvironment;
use super::scope::TurnScope;
use super::tool_context::ToolContext;
use super::wait::AnsweredRequest;
use crate::content::ToolCall;
use crate::id::{InvocationId, ToolName};
use crate::outcome::ToolOutcome;
use crate::permission::{PermissionRequest, TOOL_CALL};
use crate::spec::{Capability, ToolSpec};
use crate::ticket::WaitKind;
use crate::util::future::BoxFuture;

/// The port that runs the calls that tools make.
pub(crate) trait Calls: Send + Sync {
    fn call<'a>(
        &'a self,
        caller: &'a ToolContext,
        call: ToolCall<'a>,
    ) -> BoxFuture<'a, ToolOutcome>;
}

/// The place of a call that a tool makes.
#[derive(Debug)]
pub(crate) struct CallStack {
    /// The call whose tool makes it.
    pub(crate) parent: InvocationId,
    pub(crate) caller: ToolName,
    /// The capabilities that the caller declares.
    pub(crate) declared: Vec<Capability>,
    /// The approvals of people for the calls around it, of requests that describe everything they allow.
    approvals: Vec<AnsweredRequest>,
    outer: Option<Arc<CallStack>>,
    /// The clock and randomness of the caller.
    pub(crate) environment: Option<Arc<CallEnvironment>>,
    /// 1 for a call that a tool makes which a model or the app has called.
    pub(crate) depth: usize,
}

impl CallStack {
    /// Makes the place of a call that a tool makes.
    pub(crate) fn of(caller: &ToolContext) -> Self {
        let outer = caller.call.call_stack().cloned();
        let mut approvals = outer
            .as_ref()
            .map_or_else(Vec::new, |outer| outer.approvals.clone());
        approvals.extend(caller.all_answered().into_iter().filter(is_told_in_full));
        // A tool whose spec panics has declared no capability.
        let spec: Option<&ToolSpec> = caller.spec().ok();
        Self {
            parent: caller.invocation_id(),
            caller: caller.tool_name().clone(),
            declared: spec.map_or_else(Vec::new, |spec| spec.capabilities().to_vec()),
            approvals,
            depth: outer.as_ref().map_or(0, |outer| outer.depth) + 1,
            outer,
            environment: caller.call.environment().cloned(),
        }
    }

    /// The calls above, the nearest first.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = InvocationId> {
        successors(Some(self), |nesting| nesting.outer.as_deref()).map(|nesting| nesting.parent)
    }

    pub(super) fn approvals(&self) -> &[AnsweredRequest] {
        &self.approvals
    }
}

/// Returns true if a request allows only the thing that it names. The approval to call a tool was for the arguments
/// that a person saw.
fn is_told_in_full((kind, request, _): &AnsweredRequest) -> bool {
    *kind == WaitKind::Approval
        && PermissionRequest::from_pending(request)
            .is_some_and(|request| request.kind() != TOOL_CALL)
}

impl ToolContext {
    /// Calls another tool: through all stages, as if a model had made the call, and in the same turn. Its
    /// name is the canonical one, an alias or a wire name; tools that
    /// [are not advertised to models](crate::ToolRegistry::with_unadvertised) can be called too.
    ///
    /// Such a call may do no more than others: it is judged like any, and it is denied if its tool
    /// requires a capability that the calling tool does not declare. What a person has allowed to the
    /// calling tool before, by [`check`](Self::check), is allowed to it, and need not be asked again.
    /// In an executor that [suspends](crate::executor::WaitMode::Suspending) calls, it cannot wait for somebody, and is
    /// denied if it has to: so a tool checks before what its calls will ask for.
    ///
    /// It ends with the calling one: when that is cancelled, times out or drops this future. Calls may be
    /// [8 deep](crate::executor::Limits::max_call_depth), unless the app says otherwise.
    ///
    /// ```
    /// use toolwright::{Executor, ToolCall, ToolContext, ToolRegistry, tool};
    ///
    /// /// Count the words of a text.
    /// #[tool(pure)]
    /// fn words(text: String) -> usize {
    ///     text.split_whitespace().count()
    /// }
    ///
    /// /// Tell whether a text is long.
    /// #[tool(pure)]
    /// async fn is_long(text: String, ctx: &ToolContext) -> String {
    ///     let arguments = serde_json::json!({"text": text});
    ///     let words = ctx.call(ToolCall::new("words", arguments)).await;
    ///     format!("{} words", words.text())
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let executor = Executor::new(ToolRegistry::new().with(Words).with(IsLong))?;
    /// let outcome = executor.call("is_long", r#"{"text": "not at all"}"#).await;
    /// assert_eq!(outcome.text(), "3 words");
    /// # Ok::<(), toolwright::BuildError>(())
    /// # }).unwrap();
    /// ```
    pub fn call<'a>(
        &'a self,
        call: ToolCall<'a>,
    ) -> impl Future<Output = ToolOutcome> + Send + use<'a> {
        self.session.calls.call(self, call)
    }

    /// The call whose tool made this one, if a tool did.
    pub fn parent(&self) -> Option<InvocationId> {
        self.call.call_stack().map(|call_stack| call_stack.parent)
    }

    /// The scope that cancels the calls that this one makes.
    pub(crate) fn turn_below(&self) -> Option<Arc<TurnScope>> {
        match self.call.own() {
            Some(own) => Some(Arc::new(TurnScope::child(
                self.turn_id(),
                own.clone(),
                self.turn.clone(),
            ))),
            None => self.turn.clone(),
        }
    }
}
