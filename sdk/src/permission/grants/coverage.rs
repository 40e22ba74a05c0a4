//! Whether a grant speaks of a request, by the two alone.
//!
//! An allowance covers what it surely speaks of. A refusal is the other way round: it covers every
//! name of what it speaks of, and what it may speak of, a person decides.

use std::path::{Component, Path};

use super::reach::reaches_further;

use crate::id::ToolName;
use crate::pending::{Digest, GrantMatcher};
use crate::permission::command::COMMAND_RUN;
use crate::permission::file::{FILE_READ, FILE_WRITE, Place};
use crate::permission::host::{Host, NETWORK_CONNECT};
use crate::permission::{Containment, FileAccess, PermissionRequest};

/// How surely a grant speaks of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coverage {
    No,
    /// Nobody can tell before the call runs.
    Maybe,
    Yes,
}

impl Coverage {
    fn of(surely: bool) -> Self {
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
    pub(crate) arguments: &'a dyn Fn() -> Option<Digest>,
}

impl Subject<'_> {
    /// Whether it leads to where no allowance reaches, whatever it says.
    pub(super) fn is_outside(&self) -> bool {
        self.request.containment() == Containment::Outside
    }

    fn is_file(&self) -> bool {
        matches!(self.request.kind(), FILE_READ | FILE_WRITE)
    }

    pub(super) fn is_command(&self) -> bool {
        self.request.kind() == COMMAND_RUN
    }

    fn is(&self, kind: &str, target: &str) -> bool {
        self.request.kind() == kind && self.request.target() == target
    }
}

/// Whether an allowance covers a request.
pub(super) fn allows(covers: &GrantMatcher, subject: &Subject<'_>) -> Coverage {
    Coverage::of(!subject.is_outside() && surely_allows(covers, subject))
}

fn surely_allows(covers: &GrantMatcher, subject: &Subject<'_>) -> bool {
    let request = subject.request;
    match covers {
        GrantMatcher::Tool { tool } => tool == subject.tool,
        GrantMatcher::Arguments { tool, digest } => {
            // Where a path leads is not in the arguments: it may lead elsewhere the next time.
            tool == subject.tool
                && !subject.is_file()
                && !subject.is_command()
                && (subject.arguments)() == Some(*digest)
        }
        GrantMatcher::Request {
            kind,
            target,
            details,
        } => subject.is(kind, target) && request.details() == details,
        GrantMatcher::Target { kind, target } => {
            subject.is(kind, target)
                && (!subject.is_file()
                    || FileAccess::place_of(request)
                        .is_some_and(|place| !place.tree && place.entry.is_none()))
        }
        GrantMatcher::Tree { kind, directory } => {
            request.kind() == kind
                && FileAccess::place_of(request)
                    .is_some_and(|place| lies_below(&place, Path::new(directory)))
        }
        // With rules, they say what a command is.
        GrantMatcher::Command { words, .. } => {
            !cfg!(feature = "policy")
                && subject.is_command()
                && starts_there(covers, request)
                && argv(request)
                    .is_some_and(|argv| begins(&argv, words) && !reaches_further(&argv, words))
        }
        GrantMatcher::Host { host, port } => Target::of(request).is_some_and(|target| {
            target.is_canonical && target.host == *host && (port.is_none() || *port == target.port)
        }),
    }
}

/// How surely a refusal covers a request.
pub(super) fn refuses(covers: &GrantMatcher, subject: &Subject<'_>) -> Coverage {
    let request = subject.request;
    match covers {
        GrantMatcher::Tool { tool } => Coverage::of(tool == subject.tool),
        GrantMatcher::Arguments { tool, digest } if tool == subject.tool => {
            match (subject.arguments)() {
                Some(arguments) => Coverage::of(arguments == *digest),
                None => Coverage::Maybe,
            }
        }
        GrantMatcher::Request {
            kind,
            target,
            details,
        } if kind == COMMAND_RUN => match subject.is(kind, target) {
            true if request.details() == details => Coverage::Yes,
            // The same elsewhere may be the same.
            true => Coverage::Maybe,
            false => Coverage::No,
        },
        GrantMatcher::Request { kind, target, .. } | GrantMatcher::Target { kind, target } => {
            match kind.as_str() {
                FILE_READ | FILE_WRITE => refuses_tree(kind, target, request),
                NETWORK_CONNECT => match Target::parse(target) {
                    Some(refused) => refuses_host(&refused.host, refused.port, request),
                    None => Coverage::of(subject.is(kind, target)),
                },
                _ => Coverage::of(subject.is(kind, target)),
            }
        }
        GrantMatcher::Tree { kind, directory } => refuses_tree(kind, directory, request),
        GrantMatcher::Command { words, .. }
            if subject.is_command() && !cfg!(feature = "policy") =>
        {
            refuses_command(words, request)
        }
        GrantMatcher::Arguments { .. } | GrantMatcher::Command { .. } => Coverage::No,
        GrantMatcher::Host { host, port } => refuses_host(host, *port, request),
    }
}

/// Whether whoever allows one request allows the other with it: both are for files, and the first is
/// for a tree that holds all of the other.
pub(crate) fn is_in_tree(request: &PermissionRequest, tree: &PermissionRequest) -> bool {
    let (Some(place), Some(above)) = (FileAccess::place_of(request), FileAccess::place_of(tree))
    else {
        return false;
    };
    let is_outside = |request: &PermissionRequest| request.containment() == Containment::Outside;
    above.tree
        && request.kind() == tree.kind()
        && !is_outside(request)
        && !is_outside(tree)
        && lies_below(&place, above.real)
}

/// Whether whoever refuses one request for files may have refused the other with it.
pub(crate) fn may_touch(request: &PermissionRequest, refused: &PermissionRequest) -> bool {
    let Some(place) = FileAccess::place_of(refused) else {
        return false;
    };
    let names = [Some(place.real), place.named, place.entry];
    let mut names = names.into_iter().flatten().filter_map(Path::to_str);
    names.any(|name| refuses_tree(refused.kind(), name, request) != Coverage::No)
}

/// Whether all that a request touches is in a directory, or is it.
fn lies_below(place: &Place<'_>, directory: &Path) -> bool {
    let is_below =
        |path: &Path| is_settled(path) && is_settled(directory) && path.starts_with(directory);
    is_below(place.real) && place.entry.is_none_or(is_below)
}

/// Whether a path says by its text alone where it is.
fn is_settled(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// Whether a command starts where a grant of commands has to.
pub(super) fn starts_there(covers: &GrantMatcher, request: &PermissionRequest) -> bool {
    match covers {
        GrantMatcher::Command {
            directory: Some(directory),
            ..
        } => {
            let start = request.details().get("directory");
            start.and_then(|start| start.as_str()).is_some_and(|start| {
                let (start, directory) = (Path::new(start), Path::new(directory));
                is_settled(start) && is_settled(directory) && start.starts_with(directory)
            })
        }
        _ => true,
    }
}

fn refuses_tree(kind: &str, directory: &str, request: &PermissionRequest) -> Coverage {
    if request.kind() != kind {
        return Coverage::No;
    }
    let Some(place) = FileAccess::place_of(request) else {
        return Coverage::Maybe;
    };
    let refused = folded(Path::new(directory));
    let names = [Some(place.real), place.named, place.entry];
    let mut found = Coverage::No;
    for name in names.into_iter().flatten() {
        let name_folded = folded(name);
        found = found.max(if !is_settled(name) {
            Coverage::Maybe
        } else if name_folded.starts_with(&refused) {
            Coverage::Yes
        } else if place.tree && refused.starts_with(&name_folded) {
            Coverage::Maybe
        } else {
            Coverage::No
        });
    }
    found
}

/// The parts of a path, alike for names that some file systems hold for one.
fn folded(path: &Path) -> Vec<String> {
    path.components()
        .map(|part| part.as_os_str().to_string_lossy().to_lowercase())
        .collect()
}

/// The words of a command that runs without a shell.
fn argv(request: &PermissionRequest) -> Option<Vec<&str>> {
    let words = request.details().get("argv")?.as_array()?;
    words.iter().map(|word| word.as_str()).collect()
}

fn begins(words: &[&str], with: &[String]) -> bool {
    !with.is_empty() && words.len() >= with.len() && words.iter().zip(with).all(|(a, b)| a == b)
}

fn refuses_command(refused: &[String], request: &PermissionRequest) -> Coverage {
    // Of a line of the shell nothing is known here, and of words nobody knows what they run.
    let Some(words) = argv(request) else {
        return Coverage::Maybe;
    };
    let Some((program, rest)) = refused.split_first() else {
        return Coverage::Maybe;
    };
    let base = |program: &str| {
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
        name.to_lowercase()
    };
    match words.split_first() {
        Some((first, arguments)) if base(first) == base(program) => {
            if rest.is_empty() || begins(arguments, rest) {
                Coverage::Yes
            } else {
                // The same words may stand in another order, or in another spelling.
                Coverage::Maybe
            }
        }
        Some((first, _)) if runs_others(&base(first)) => Coverage::Maybe,
        _ if words.iter().any(|word| base(word) == base(program)) => Coverage::Maybe,
        _ => Coverage::No,
    }
}

/// Whether a program is known to run what its words say.
fn runs_others(program: &str) -> bool {
    const THESE: [&str; 24] = [
        "awk",
        "bash",
        "busybox",
        "cmd",
        "cmd.exe",
        "dash",
        "doas",
        "env",
        "find",
        "ksh",
        "node",
        "nohup",
        "perl",
        "php",
        "powershell",
        "pwsh",
        "python",
        "python3",
        "ruby",
        "sh",
        "ssh",
        "sudo",
        "xargs",
        "zsh",
    ];
    THESE.contains(&program)
}

/// The target of a request for a connection.
struct Target {
    host: String,
    port: Option<u16>,
    is_canonical: bool,
}

impl Target {
    fn of(request: &PermissionRequest) -> Option<Self> {
        (request.kind() == NETWORK_CONNECT)
            .then(|| Self::parse(request.target()))
            .flatten()
    }

    fn parse(target: &str) -> Option<Self> {
        let (host, port) = match target.rsplit_once(':') {
            // The last part of an IPv6 address is in the brackets.
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (target, None),
        };
        let host = Host::parse(host).ok()?.to_string();
        let spelled = match port {
            Some(port) => format!("{host}:{port}"),
            None => host.clone(),
        };
        Some(Self {
            is_canonical: spelled == target,
            host,
            port,
        })
    }
}

fn refuses_host(host: &str, port: Option<u16>, request: &PermissionRequest) -> Coverage {
    if request.kind() != NETWORK_CONNECT {
        return Coverage::No;
    }
    let Some(target) = Target::of(request) else {
        return Coverage::Maybe;
    };
    let refused = Host::parse(host).map_or_else(|_| host.to_owned(), |host| host.to_string());
    match (port, target.port) {
        _ if target.host != refused => Coverage::No,
        (Some(port), Some(asked)) => Coverage::of(port == asked),
        (Some(_), None) => Coverage::Maybe,
        (None, _) => Coverage::Yes,
    }
}

/// Splits the target of a request for a connection into its host and port.
pub(in crate::permission) fn host_and_port(
    request: &PermissionRequest,
) -> Option<(String, Option<u16>)> {
    Target::of(request)
        .filter(|target| target.is_canonical)
        .map(|target| (target.host, target.port))
}
