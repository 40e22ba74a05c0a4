//! The limits of nested calls that ask people.

use crate::executor::people::mode::WaitMode;
use crate::id::ToolName;
use crate::message::ToolError;
use crate::permission::{PermissionRequest, TOOL_CALL};
use crate::question::unavailable;
use crate::ticket::{PendingRequest, WaitKind};
use crate::tool::{Desk, Nesting, Waiting};

/// Returns the error of a call that would be suspended while another waits for it.
#[cold]
pub(crate) fn cannot_wait(
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

/// Returns true if a request would suspend a call that another waits for.
pub(crate) fn would_suspend(mode: WaitMode, within: Option<&Nesting>) -> bool {
    within.is_some() && mode == WaitMode::Suspending
}

/// The time of the calls above stands still for as long as this is there.
pub(crate) fn above_stand_still<'d>(desk: &'d Desk, within: Option<&Nesting>) -> Vec<Waiting<'d>> {
    let ancestors = within.into_iter().flat_map(Nesting::ancestors);
    ancestors.map(|call| desk.begin(call)).collect()
}
