//! The call that waits: as people see it, and as it will run.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::arguments::Repair;
use crate::id::{CallId, ToolName};

/// The call that a ticket is for, in the form that may be shown: its arguments are
/// [canonical](crate::arguments::CanonicalArguments), with secrets masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingCall {
    pub(crate) tool: ToolName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call_id: Option<CallId>,
    /// `None` if they have no such form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) purpose: Option<String>,
}

impl PendingCall {
    /// The canonical name of the tool.
    pub fn tool(&self) -> &ToolName {
        &self.tool
    }

    /// The version of the tool, if it declares one: the call goes on with that version.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The tool's title, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The model's own id of the call, which may be missing or repeat.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call_id.as_ref()
    }

    /// The arguments, as they may be shown; nothing where a tool that reads them in its own way
    /// took some that have no such form.
    pub fn arguments(&self) -> Option<&Value> {
        self.arguments.as_ref()
    }

    /// The model's reason for the call, if it gave one.
    pub fn purpose(&self) -> Option<&str> {
        self.purpose.as_deref()
    }
}

/// A suspended call as it will run. It holds secrets: it is for stores alone.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SuspendedCall {
    /// JSON, repairs included.
    pub(crate) arguments: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) repairs: Vec<Repair>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) edited: bool,
    /// The body has begun, and asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) begun: bool,
    /// The requests and answers of earlier tickets of the invocation, as they stood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<(super::WaitKind, super::PendingRequest, super::Answer)>,
    /// The number of hooks that have seen the call before it runs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) hooked: usize,
    /// A hook changed the arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rewritten: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
