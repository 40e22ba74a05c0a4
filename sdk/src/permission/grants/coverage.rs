//! Whether an allowance covers a request, by the two alone: what it surely speaks of.

use std::path::Path;

use super::path::lies_in;
use super::reach::reaches_further;
use super::target::Target;
use crate::id::ToolName;
use crate::permission::command::{COMMAND_RUN, DIRECTORY};
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::{FileAccess, PathScope, PermissionRequest};
use crate::ticket::{GrantScope, KeyedDigest};

/// How surely a grant speaks of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coverage {
    No,
    /// Nobody can tell before the call runs.
    Maybe,
    Yes,
}

impl Coverage {
    pub(super) fn of(surely: bool) -> Self {
        if surely { Self::Yes } else { Self::No }
    }
}

/// What is asked about: a request of a call.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) tool: &'a ToolName,
    pub(crate) request: &'a PermissionRequest,
    /// Of the arguments, as [`digest`](super::arguments_digest) makes it. Nothing where they are not
    /// known.
    pub(crate) arguments: &'a dyn Fn() -> Option<KeyedDigest>,
}

impl Subject<'_> {
    /// Whether it leads to where no allowance reaches, whatever it says.
    pub(super) fn is_outside(&self) -> bool {
        self.request.containment() == PathScope::Outside
    }

    fn is_file(&self) -> bool {
        matches!(self.request.kind(), FILE_READ | FILE_WRITE)
    }

    pub(super) fn is_command(&self) -> bool {
        self.request.kind() == COMMAND_RUN
    }

    pub(super) fn is(&self, kind: &str, target: &str) -> bool {
        self.request.kind() == kind && self.request.target() == target
    }
}

/// Whether an allowance covers a request.
pub(super) fn allows(covers: &GrantScope, subject: &Subject<'_>) -> bool {
    if subject.is_outside() {
        return false;
    }
    let request = subject.request;
    match covers {
        GrantScope::Tool { tool } => tool == subject.tool,
        GrantScope::Arguments { tool, digest } => {
            // Where a path leads is not in the arguments: it may lead elsewhere the next time.
            tool == subject.tool
                && !subject.is_file()
                && !subject.is_command()
                && (subject.arguments)() == Some(*digest)
        }
        GrantScope::Request {
            kind,
            target,
            details,
        } => subject.is(kind, target) && request.details() == details,
        GrantScope::Target { kind, target } => {
            subject.is(kind, target)
                && (!subject.is_file()
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
        // With rules, they say what a command is.
        GrantScope::Command { words, .. } => {
            !cfg!(feature = "policy")
                && subject.is_command()
                && starts_there(covers, request)
                && argv(request)
                    .is_some_and(|argv| begins(&argv, words) && !reaches_further(&argv, words))
        }
        GrantScope::Host { host, port } => Target::of(request).is_some_and(|target| {
            target.is_canonical && target.host == *host && (port.is_none() || *port == target.port)
        }),
    }
}

/// Whether whoever allows one request allows the other with it: both are for files, and the first is
/// for a tree that holds all of the other.
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

/// Whether a command starts where a grant of commands has to.
pub(super) fn starts_there(covers: &GrantScope, request: &PermissionRequest) -> bool {
    match covers {
        GrantScope::Command {
            directory: Some(directory),
            ..
        } => {
            let start = request.details().get(DIRECTORY);
            let start = start.and_then(|start| start.as_str());
            start.is_some_and(|start| lies_in(Path::new(start), Path::new(directory)))
        }
        _ => true,
    }
}

/// The words of a command that runs without a shell.
pub(super) fn argv(request: &PermissionRequest) -> Option<Vec<&str>> {
    let words = request.details().get("argv")?.as_array()?;
    words.iter().map(|word| word.as_str()).collect()
}

pub(super) fn begins(words: &[&str], with: &[String]) -> bool {
    !with.is_empty() && words.len() >= with.len() && words.iter().zip(with).all(|(a, b)| a == b)
}
