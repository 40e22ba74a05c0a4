//! Calls that tools make: the same stages, and what keeps them in bounds.

use std::borrow::Cow;
use std::sync::{Arc, Weak};

use super::guard::guarded;
use super::in_place::At;
use super::session::Place;
use super::{Shared, ToolOutcome, WaitMode, pipeline};
use crate::id::{InvocationId, Label, ToolName};
use crate::interaction::unavailable;
#[cfg(feature = "journal")]
use crate::journal::Replay;
use crate::message::{
    ErrorKind, ExceededLimit, Limit, ResultSource, ToolCall, ToolError, ToolResult,
};
use crate::pending::{PendingRequest, WaitKind};
use crate::permission::{PermissionRequest, TOOL_CALL};
use crate::registry::Entry;
use crate::spec::Capability;
use crate::tool::{BoxFuture, Calls, Desk, Nesting, ToolContext, Waiting};

/// How deep calls may be nested unless the host says otherwise.
pub(super) const DEFAULT_DEPTH: usize = 8;

/// The deepest that a host may allow: each level takes some of one stack.
pub(super) const MAX_DEPTH: usize = 32;

/// Runs the calls that tools make, for as long as the executor is there.
#[derive(Clone)]
pub(super) struct Nested {
    shared: Weak<Shared>,
    #[cfg(feature = "journal")]
    replay: Option<Replay>,
}

impl Nested {
    pub(super) fn of(shared: &Weak<Shared>) -> Self {
        Self {
            shared: Weak::clone(shared),
            #[cfg(feature = "journal")]
            replay: None,
        }
    }

    /// The same for sessions that replay.
    #[cfg(feature = "journal")]
    pub(super) fn replaying(&self, replay: &Replay) -> Self {
        Self {
            replay: Some(replay.clone()),
            ..self.clone()
        }
    }
}

impl Calls for Nested {
    fn call<'a>(
        &'a self,
        caller: &'a ToolContext,
        call: ToolCall<'a>,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            match self.shared.upgrade() {
                Some(shared) => self.call_in(&shared, caller, call).await,
                None => nobody(&call),
            }
        })
    }
}

/// A body that was left behind calls when there is no executor any more.
#[cold]
fn nobody(call: &ToolCall<'_>) -> ToolOutcome {
    let name: String = call.name().chars().take(ToolName::MAX_LENGTH).collect();
    let label = Label::from(Cow::Owned(name));
    let error = ToolError::unavailable("the executor is gone, and the call was not made");
    let id = InvocationId::from_parts(0, 0);
    let source = ResultSource::Executor;
    ToolOutcome::Completed(ToolResult::new(
        call.id().cloned(),
        id,
        label,
        source,
        error.into(),
    ))
}

impl Nested {
    async fn call_in(
        &self,
        shared: &Arc<Shared>,
        caller: &ToolContext,
        call: ToolCall<'_>,
    ) -> ToolOutcome {
        let within = Arc::new(Nesting::of(caller));
        let turn = caller.turn_below();
        let place = Place {
            catalog: shared.catalogs.of_call(caller),
            session: &caller.session,
            turn: turn.as_ref(),
            turn_id: caller.turn_id(),
            // A prefix of its own, so that a session's ids need not be counted where they are found.
            invocation_id: InvocationId::from_parts(shared.next_session(), 0),
            within: Some(&within),
            #[cfg(feature = "journal")]
            replay: self.replay.as_ref(),
        };
        pipeline::run(shared, At::Place(&place), call).await
    }
}

impl Shared {
    /// Whether a tool may be called from where the call stands.
    #[cold]
    pub(super) fn check_nesting(&self, within: &Nesting, entry: &Entry) -> Result<(), ToolError> {
        if within.depth > self.max_call_depth {
            return Err(too_deep(&entry.name, self.max_call_depth));
        }
        let spec = guarded("the tool", || entry.tool.spec())?;
        let required = spec.capabilities().iter();
        let missing: Vec<Capability> = required
            .filter(|capability| !within.declared.contains(capability))
            .cloned()
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(undeclared(&entry.name, &within.caller, missing))
    }
}

#[cold]
fn too_deep(tool: &ToolName, limit: usize) -> ToolError {
    ToolError::new(
        ErrorKind::LimitExceeded,
        format!(
            "`{tool}` was not called: tools may call each other {limit} deep, and this is deeper"
        ),
    )
    .with_code("call_depth_exceeded")
    .with_exceeded_limit(ExceededLimit::new(Limit::CallDepth, limit, None))
    .with_source("the setting is `ExecutorBuilder::max_call_depth`")
}

#[cold]
fn undeclared(tool: &ToolName, caller: &ToolName, missing: Vec<Capability>) -> ToolError {
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    ToolError::new(
        ErrorKind::CapabilityDenied,
        format!("`{tool}` was denied: `{caller}`, which called it, does not declare {names}"),
    )
    .with_missing_capabilities(missing)
    .with_source("a tool that calls another declares what that one requires: `capabilities(..)`")
}

/// What a call ends with that would have to be suspended while another waits for it.
#[cold]
pub(super) fn cannot_wait(
    tool: &ToolName,
    kind: WaitKind,
    requests: &[PendingRequest],
) -> ToolError {
    let read = |request| PermissionRequest::from_pending(request);
    let is_call = |request: PermissionRequest| request.kind() == TOOL_CALL;
    let is_of_call = requests.iter().filter_map(read).any(is_call);
    let summary = requests.first().map_or("", PendingRequest::summary);
    let remedy = if is_of_call {
        "it takes a rule or a grant that allows this tool"
    } else {
        "the tool that called it asks for the same by `ctx.check` before it does"
    };
    unavailable(kind, summary).with_message(format!(
        "`{tool}` cannot wait for an answer ({summary}), because another tool called it and calls \
         are suspended here: {remedy}"
    ))
}

/// Whether what is asked would suspend a call that another waits for.
pub(super) fn would_suspend(mode: WaitMode, within: Option<&Nesting>) -> bool {
    within.is_some() && mode == WaitMode::Suspending
}

/// The time of the calls above stands still for as long as this is there.
pub(super) fn above_stand_still<'d>(desk: &'d Desk, within: Option<&Nesting>) -> Vec<Waiting<'d>> {
    let ancestors = within.into_iter().flat_map(Nesting::ancestors);
    ancestors.map(|call| desk.begin(call)).collect()
}
