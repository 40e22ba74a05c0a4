//! The tools and requests that run while no rule and no person has decided, and why all others ask.

use super::file::FILE_READ;
use super::{PathScope, PermissionRequest};
use crate::spec::ToolSpec;

/// Returns the reason why a call of the tool asks; `None` if the default lets it run. A hint may
/// restrict the effect's permission, and never widen it.
///
/// It is a clause that may follow "because". The model reads it too.
pub(super) fn objection(tool: &ToolSpec) -> Option<&'static str> {
    let hints = tool.annotations();
    if hints.wants_approval() {
        Some("its author wants a person to approve each call")
    } else if hints.is_destructive() {
        Some("it is marked as destructive")
    } else if tool.effect().is_read_only() {
        None
    } else if hints.is_read_only() {
        Some(
            "it may change things (that it only reads is a hint, and hints of others are not trusted)",
        )
    } else {
        Some("it may change things (it is not declared pure or read-only)")
    }
}

/// The reason why the default asks about a request that it does not cover, of a tool that only reads.
pub(super) const NOT_COVERED: &str = "it asks for more than to read files in the tool's own root";

/// Returns true for what a tool that only reads may request by default: to read files inside of the
/// root that the request names.
pub(super) fn covers(request: &PermissionRequest) -> bool {
    request.kind() == FILE_READ && request.containment() == PathScope::Inside
}
