//! The decisions that a person may make once for all about a request: ready-made options, the narrowest first.
//!
//! The offered options are safe to choose by their labels. Some scopes are not offered, though a host may grant them
//! in code or a tool may offer them: the top of the file system, the home directory and the directories around it; a
//! program that runs others or removes things; and every call of a tool that can reach anything.

mod commands;
mod places;
#[cfg(test)]
mod tests;

use super::command::COMMAND_RUN;
use super::file::{FILE_READ, FILE_WRITE};
use super::grants::{Coverage, GrantQuery, host_and_port};
use super::host::NETWORK_CONNECT;
use super::{PathScope, PermissionEvaluator, PermissionRequest, TOOL_CALL};
use crate::id::ToolName;
use crate::ticket::{GrantScope, KeyedDigest, TrustOption};
use crate::util::character::one_line;

/// The most characters of a text that a label quotes: more than a path may have. Labels that were cut would
/// be the same for two directories with a long path in common.
const QUOTED: usize = 4096;

/// Returns a text as a label quotes it, which is all of it. `None` if it is too long, so that it gets no
/// option: nobody should choose what they cannot read.
fn quoted(text: &str) -> Option<String> {
    let line = one_line(text, usize::MAX);
    (line.chars().count() <= QUOTED).then_some(line)
}

/// The options for a request of a call of the tool; by the checker, each covers the request. The digest is that
/// of the call's arguments, if they are known.
pub(crate) fn trust_options(
    judge: &PermissionEvaluator,
    tool: &ToolName,
    request: &PermissionRequest,
    arguments: Option<KeyedDigest>,
) -> Vec<TrustOption> {
    let mut options = request.trust_options().to_vec();
    if request.containment() == PathScope::Outside {
        // No grant covers a path outside of the root, so only this call can be allowed.
        return options;
    }
    let mut made = Vec::new();
    match request.kind() {
        TOOL_CALL => of_call(tool, arguments, &mut made),
        FILE_READ | FILE_WRITE => places::options(request, &mut made),
        COMMAND_RUN => commands::options(request, &mut made),
        NETWORK_CONNECT => of_host(request, &mut made),
        _ => {
            of_target(request, &mut made);
            of_call(tool, arguments, &mut made);
        }
    }
    let digest = || arguments;
    let query = GrantQuery::new(tool, request).with_arguments(&digest);
    // An option that does not cover the request would have no effect.
    made.retain(|option| judge.grant_covers(&[option.covers()], &query) == Coverage::Yes);
    if matches!(request.kind(), FILE_READ | FILE_WRITE) {
        places::once(&mut made);
    }
    for option in made {
        let is_new = options
            .iter()
            .all(|other| other.covers() != option.covers());
        if is_new {
            options.push(option);
        }
    }
    options
}

/// The request itself: the parts that are not in the label are in its summary, above the options.
fn this_request(label: &str, request: &PermissionRequest) -> TrustOption {
    TrustOption::new(
        label,
        GrantScope::Request {
            kind: request.kind().to_owned(),
            target: request.target().to_owned(),
            details: request.details().clone(),
        },
    )
}

fn of_call(tool: &ToolName, arguments: Option<KeyedDigest>, options: &mut Vec<TrustOption>) {
    if let Some(digest) = arguments {
        options.push(TrustOption::new(
            format!("`{tool}` with just these arguments"),
            GrantScope::Arguments {
                tool: tool.clone(),
                digest,
            },
        ));
    }
    options.push(TrustOption::new(
        format!("every call of `{tool}`"),
        GrantScope::tool(tool.clone()),
    ));
}

fn of_target(request: &PermissionRequest, options: &mut Vec<TrustOption>) {
    options.push(this_request(
        &format!("just this: {}", request.summary()),
        request,
    ));
    if request.details().is_empty() {
        return;
    }
    if let Some(label) = labelled("whatever its details: ", request.kind(), request.target()) {
        let covers = GrantScope::target(request.kind(), request.target());
        options.push(TrustOption::new(label, covers));
    }
}

fn of_host(request: &PermissionRequest, options: &mut Vec<TrustOption>) {
    let Some((host, port)) = host_and_port(request) else {
        return;
    };
    if let Some(port) = port {
        options.push(TrustOption::new(
            format!("the host {host} at port {port}"),
            GrantScope::host(host.as_str(), Some(port)),
        ));
    }
    options.push(TrustOption::new(
        format!("the host {host} at any port"),
        GrantScope::host(host.as_str(), None),
    ));
}

/// Words of ours, and what a call says, which comes last: nothing in it can take back what stands
/// before.
fn labelled(ours: &str, kind: &str, theirs: &str) -> Option<String> {
    Some(format!("{ours}{} {}", quoted(kind)?, quoted(theirs)?))
}
