//! The line that a program reads about a call.

use serde::Serialize;

use toolwright::arguments::CanonicalArguments;
use toolwright::content::{ResultSource, ToolStatus};
use toolwright::hook::{AfterCall, HookCall};
use toolwright::id::{CallId, InvocationId, SessionId, TurnId};
use toolwright::{Content, ToolError, ToolName};

use crate::failure::HookFailure;

/// The line, as JSON. Coding agents have these names in common, so that programs can be shared.
#[derive(Serialize)]
pub(crate) struct HookInput<'c> {
    hook_event_name: &'static str,
    session_id: &'c SessionId,
    turn_id: TurnId,
    invocation_id: InvocationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<&'c CallId>,
    tool_name: &'c ToolName,
    tool_input: &'c CanonicalArguments,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_response: Option<Response<'c>>,
}

/// The end of a call.
#[derive(Serialize)]
pub(crate) struct Response<'c> {
    status: ToolStatus,
    source: ResultSource,
    content: &'c [Content],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'c ToolError>,
}

impl<'c> Response<'c> {
    pub(crate) fn of(call: &AfterCall<'c>) -> Self {
        let output = call.output();
        Self {
            status: match (output.is_error(), output.is_pending()) {
                (true, _) => ToolStatus::Error,
                (_, true) => ToolStatus::Pending,
                _ => ToolStatus::Success,
            },
            source: call.source(),
            content: output.content(),
            error: output.as_error(),
        }
    }
}

impl<'c> HookInput<'c> {
    pub(crate) fn of(
        call: &'c HookCall<'_>,
        tool_response: Option<Response<'c>>,
    ) -> Result<Self, HookFailure> {
        Ok(Self {
            hook_event_name: match tool_response {
                None => "PreToolUse",
                Some(_) => "PostToolUse",
            },
            session_id: call.session_id(),
            turn_id: call.turn_id(),
            invocation_id: call.invocation_id(),
            call_id: call.call_id(),
            tool_name: call.tool_name(),
            tool_input: call
                .arguments()
                .map_err(|why| HookFailure::Unseen(why.clone()))?,
            tool_response,
        })
    }

    pub(crate) fn to_line(&self) -> Result<Vec<u8>, HookFailure> {
        let mut line = serde_json::to_vec(self).map_err(HookFailure::Unwritten)?;
        line.push(b'\n');
        Ok(line)
    }

    /// Returns the hash that equal calls share.
    pub(crate) fn key(&self) -> Result<[u8; 32], HookFailure> {
        let same = (
            self.hook_event_name,
            self.session_id,
            self.tool_name,
            self.tool_input,
            &self.tool_response,
        );
        let text = serde_json::to_vec(&same).map_err(HookFailure::Unwritten)?;
        Ok(*blake3::hash(&text).as_bytes())
    }
}
