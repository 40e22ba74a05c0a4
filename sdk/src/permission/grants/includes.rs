//! Whether one matcher covers whatever another covers.

use std::path::Path;

use super::path::lies_in;
use crate::pending::GrantMatcher;
use crate::permission::command::COMMAND_RUN;
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::host::NETWORK_CONNECT;

/// Whether whatever the narrow one covers is surely covered by the wide one too.
pub(in crate::permission) fn includes(wide: &GrantMatcher, narrow: &GrantMatcher) -> bool {
    if wide == narrow {
        return true;
    }
    match (wide, narrow) {
        (GrantMatcher::Tool { tool }, GrantMatcher::Arguments { tool: other, .. }) => tool == other,
        (
            GrantMatcher::Target { kind, target },
            GrantMatcher::Request {
                kind: other,
                target: named,
                ..
            },
        ) => {
            // Of a file the details tell what else is touched.
            !matches!(kind.as_str(), FILE_READ | FILE_WRITE) && kind == other && target == named
        }
        (GrantMatcher::Kind { kind }, narrow) => kind_of(narrow) == Some(kind),
        (
            GrantMatcher::Tree { kind, directory },
            GrantMatcher::Tree {
                kind: other,
                directory: inner,
            }
            | GrantMatcher::Target {
                kind: other,
                target: inner,
            },
        ) => kind == other && lies_in(Path::new(inner), Path::new(directory)),
        (
            GrantMatcher::Command { words, directory },
            GrantMatcher::Command {
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
        (GrantMatcher::Host { host, port: None }, GrantMatcher::Host { host: other, .. }) => {
            host == other
        }
        _ => false,
    }
}

/// The kind of all requests that a matcher covers, where they have one.
fn kind_of(covers: &GrantMatcher) -> Option<&str> {
    match covers {
        GrantMatcher::Tool { .. } | GrantMatcher::Arguments { .. } => None,
        GrantMatcher::Request { kind, .. }
        | GrantMatcher::Target { kind, .. }
        | GrantMatcher::Kind { kind }
        | GrantMatcher::Tree { kind, .. } => Some(kind),
        GrantMatcher::Command { .. } => Some(COMMAND_RUN),
        GrantMatcher::Host { .. } => Some(NETWORK_CONNECT),
    }
}
