//! The comparison of two scopes: true if one covers everything that the other covers.

use std::path::Path;

use super::path::lies_in;
use crate::permission::command::COMMAND_RUN;
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::host::NETWORK_CONNECT;
use crate::ticket::GrantScope;

/// Returns true if whatever the narrow one covers is surely covered by the wide one too.
pub(in crate::permission) fn includes(wide: &GrantScope, narrow: &GrantScope) -> bool {
    if wide == narrow {
        return true;
    }
    match (wide, narrow) {
        (GrantScope::Tool { tool }, GrantScope::Arguments { tool: other, .. }) => tool == other,
        (
            GrantScope::Target { kind, target },
            GrantScope::Request {
                kind: other,
                target: named,
                ..
            },
        ) => {
            // The details of a request for a file name further files that it touches.
            !matches!(kind.as_str(), FILE_READ | FILE_WRITE) && kind == other && target == named
        }
        (GrantScope::Kind { kind }, narrow) => kind_of(narrow) == Some(kind),
        (
            GrantScope::Tree { kind, directory },
            GrantScope::Tree {
                kind: other,
                directory: inner,
            }
            | GrantScope::Target {
                kind: other,
                target: inner,
            },
        ) => kind == other && lies_in(Path::new(inner), Path::new(directory)),
        (
            GrantScope::Command { words, directory },
            GrantScope::Command {
                words: longer,
                directory: inner,
            },
        ) => {
            let is_there = match (directory, inner) {
                (None, _) => true,
                (Some(directory), Some(inner)) => lies_in(Path::new(inner), Path::new(directory)),
                (Some(_), None) => false,
            };
            is_there && !words.is_empty() && longer.starts_with(words)
        }
        (GrantScope::Host { host, port: None }, GrantScope::Host { host: other, .. }) => {
            host == other
        }
        _ => false,
    }
}

/// The kind of all requests that a matcher covers, where they have one.
fn kind_of(covers: &GrantScope) -> Option<&str> {
    match covers {
        GrantScope::Tool { .. } | GrantScope::Arguments { .. } => None,
        GrantScope::Request { kind, .. }
        | GrantScope::Target { kind, .. }
        | GrantScope::Kind { kind }
        | GrantScope::Tree { kind, .. } => Some(kind),
        GrantScope::Command { .. } => Some(COMMAND_RUN),
        GrantScope::Host { .. } => Some(NETWORK_CONNECT),
    }
}
