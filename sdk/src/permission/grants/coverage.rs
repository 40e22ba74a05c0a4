//! The plain rule for allowances: each by the grant and the request alone, and only what it surely covers.

use std::path::Path;

use super::GrantQuery;
use super::path::lies_in;
use super::target::Target;
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::{FileAccess, PathScope, PermissionRequest, TOOL_CHANGED};
use crate::ticket::GrantScope;

/// Returns true if an allowance covers a request.
pub(super) fn allows(covers: &GrantScope, query: &GrantQuery<'_>) -> bool {
    if query.is_outside() {
        return false;
    }
    let request = query.request();
    let is_file = matches!(request.kind(), FILE_READ | FILE_WRITE);
    // Whoever granted calls of the tool did so by the definition before.
    let is_changed = request.kind() == TOOL_CHANGED;
    match covers {
        GrantScope::Tool { tool } => tool == query.tool() && !is_changed,
        GrantScope::Arguments { tool, digest } => {
            // The arguments do not show where a path leads: it may lead elsewhere the next time.
            tool == query.tool()
                && !is_changed
                && !is_file
                && !query.is_command()
                && query.arguments() == Some(*digest)
        }
        GrantScope::Request {
            kind,
            target,
            details,
        } => query.is(kind, target) && request.details() == details,
        GrantScope::Target { kind, target } => {
            query.is(kind, target)
                && (!is_file
                    || FileAccess::place_of(request)
                        .is_some_and(|place| !place.tree && place.entry.is_none()))
        }
        GrantScope::Kind { kind } => request.kind() == kind,
        GrantScope::Tree { kind, directory } => {
            request.kind() == kind
                && FileAccess::place_of(request).is_some_and(|place| {
                    let is_there = |path: &Path| lies_in(path, Path::new(directory));
                    is_there(place.real) && place.entry.is_none_or(is_there)
                })
        }
        // Even words that run without a shell may run others, or work on what the grant did not mean.
        GrantScope::Command { .. } => false,
        GrantScope::Host { host, port } => Target::of(request).is_some_and(|target| {
            target.is_canonical && target.host == *host && (port.is_none() || *port == target.port)
        }),
    }
}

/// Returns true if whoever allows one request allows the other with it: both are for files, and the second is
/// for a tree that holds all of the first.
pub(crate) fn is_in_tree(request: &PermissionRequest, tree: &PermissionRequest) -> bool {
    let (Some(place), Some(above)) = (FileAccess::place_of(request), FileAccess::place_of(tree))
    else {
        return false;
    };
    let is_outside = |request: &PermissionRequest| request.containment() == PathScope::Outside;
    above.tree
        && request.kind() == tree.kind()
        && !is_outside(request)
        && !is_outside(tree)
        && lies_in(place.real, above.real)
        && place.entry.is_none_or(|entry| lies_in(entry, above.real))
}
