//! The tools and requests that run while no rule and no person has decided, and why all others ask.

use super::file::FILE_READ;
use super::{PathScope, PermissionRequest};
use crate::spec::ToolSpec;

/// The reason why a tool does not run by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objection {
    /// The author wants a person to approve each call.
    NeedsApproval,
    /// The tool may destroy something.
    Destructive,
    /// No effect is declared that leaves everything as it was.
    Effect,
    /// The same, for a tool whose hint says otherwise, as the hints of imported tools may.
    ReadOnlyHint,
}

impl Objection {
    /// Returns the reason why a call of the tool asks; `None` if the default lets it run. A hint may
    /// restrict the effect's permission, and never widen it.
    pub(super) fn to_tool(tool: &ToolSpec) -> Option<Self> {
        let hints = tool.annotations();
        if hints.wants_approval() {
            Some(Self::NeedsApproval)
        } else if hints.is_destructive() {
            Some(Self::Destructive)
        } else if tool.effect().is_read_only() {
            None
        } else if hints.is_read_only() {
            Some(Self::ReadOnlyHint)
        } else {
            Some(Self::Effect)
        }
    }

    /// A clause that may follow "because". The model reads it too.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::NeedsApproval => "its author wants a person to approve each call",
            Self::Destructive => "it is marked as destructive",
            Self::Effect => "it may change things (it is not declared pure or read-only)",
            Self::ReadOnlyHint => {
                "it may change things (that it only reads is a hint, and hints of others are not trusted)"
            }
        }
    }
}

/// The reason why the default asks about a request that it does not cover, of a tool that only reads.
pub(super) const NOT_COVERED: &str = "it asks for more than to read files in the tool's own root";

/// Returns true for what a tool that only reads may request by default: to read files inside of the
/// root that the request names.
pub(super) fn covers(request: &PermissionRequest) -> bool {
    request.kind() == FILE_READ && request.containment() == PathScope::Inside
}
