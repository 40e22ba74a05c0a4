//! Whether a refusal covers a request, by the two alone: every name of what it speaks of, and what it
//! may speak of, a person decides.

use std::path::Path;

use super::coverage::{Coverage, Subject, argv, begins};
use super::path::is_settled;
use super::target::Target;
use crate::permission::command::COMMAND_RUN;
use crate::permission::file::{FILE_READ, FILE_WRITE};
use crate::permission::host::{Host, NETWORK_CONNECT};
use crate::permission::{FileAccess, PermissionRequest};
use crate::ticket::GrantScope;

/// How surely a refusal covers a request.
pub(super) fn refuses(covers: &GrantScope, subject: &Subject<'_>) -> Coverage {
    let request = subject.request;
    match covers {
        GrantScope::Tool { tool } => Coverage::of(tool == subject.tool),
        GrantScope::Arguments { tool, digest } if tool == subject.tool => {
            match (subject.arguments)() {
                Some(arguments) => Coverage::of(arguments == *digest),
                None => Coverage::Maybe,
            }
        }
        GrantScope::Request {
            kind,
            target,
            details,
        } if kind == COMMAND_RUN => match subject.is(kind, target) {
            true if request.details() == details => Coverage::Yes,
            // The same elsewhere may be the same.
            true => Coverage::Maybe,
            false => Coverage::No,
        },
        GrantScope::Request { kind, target, .. } | GrantScope::Target { kind, target } => {
            match kind.as_str() {
                FILE_READ | FILE_WRITE => refuses_tree(kind, target, request),
                NETWORK_CONNECT => match Target::parse(target) {
                    Some(refused) => refuses_host(&refused.host, refused.port, request),
                    None => Coverage::of(subject.is(kind, target)),
                },
                _ => Coverage::of(subject.is(kind, target)),
            }
        }
        GrantScope::Kind { kind } => Coverage::of(request.kind() == kind),
        GrantScope::Tree { kind, directory } => refuses_tree(kind, directory, request),
        GrantScope::Command { words, .. } if subject.is_command() && !cfg!(feature = "policy") => {
            refuses_command(words, request)
        }
        GrantScope::Arguments { .. } | GrantScope::Command { .. } => Coverage::No,
        GrantScope::Host { host, port } => refuses_host(host, *port, request),
    }
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
