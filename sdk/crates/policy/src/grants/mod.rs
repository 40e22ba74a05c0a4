//! The coverage of grants by rules, which read shell lines and know the spellings of paths and hosts.
//!
//! | | |
//! |---|---|
//! | `rules` | grants as rules of a policy |
//! | `reach` | words by which a command goes beyond how it begins |
//! | `recent` | the rules of grants that were asked about last |

mod reach;
mod recent;
mod rules;
#[cfg(test)]
mod tests;

use std::path::{Component, Path};

pub(super) use recent::GrantRules;

use super::{PermissionPolicy, RuleVerdict};
use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use toolwright::PermissionRequest;
use toolwright::permission::{Coverage, GrantQuery, PathScope};
use toolwright::ticket::GrantScope;

impl PermissionPolicy {
    /// Returns what allowances cover together: each by itself, and of a line each command and each file that the shell
    /// opens.
    pub(super) fn granted(&self, grants: &[&GrantScope], query: &GrantQuery<'_>) -> Coverage {
        let request = query.request();
        if query.covered_by(grants) == Coverage::Yes {
            return Coverage::Yes;
        }
        if request.kind() != COMMAND_RUN || request.containment() == PathScope::Outside {
            return Coverage::No;
        }
        let here = grants.iter().copied();
        let here: Vec<&GrantScope> = here
            .filter(|covers| starts_there(covers, request))
            .collect();
        let rules = self.grants.of(RuleVerdict::Allow, &here);
        if rules.coverage(query) == Some(Coverage::Yes)
            && !reach::line_reaches_further(request, &here)
        {
            Coverage::Yes
        } else {
            Coverage::No
        }
    }

    /// Returns what a refusal covers: every spelling of what it speaks of.
    pub(super) fn refused(&self, refusal: &GrantScope, query: &GrantQuery<'_>) -> Coverage {
        let request = query.request();
        let plain = || query.refused_by(refusal);
        let ruled = || {
            let rules = self.grants.of(RuleVerdict::Deny, &[refusal]);
            rules.coverage(query)
        };
        match (Concern::of(refusal), request.kind()) {
            (Some(Concern::Commands | Concern::Files), COMMAND_RUN) => {
                // A grant that cannot be read as a rule may mean any command.
                ruled().unwrap_or(Coverage::Maybe)
            }
            (Some(Concern::Hosts), COMMAND_RUN) => Coverage::No,
            (Some(Concern::Files), FILE_READ | FILE_WRITE)
            | (Some(Concern::Hosts), NETWORK_CONNECT) => match (plain(), ruled()) {
                (Coverage::Yes, _) => Coverage::Yes,
                (plain, None) => plain,
                (_, Some(found)) => found,
            },
            _ => plain(),
        }
    }
}

/// The subject of a refusal that is a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concern {
    Commands,
    Files,
    Hosts,
}

impl Concern {
    /// `None` for a refusal that its text says all of.
    fn of(refusal: &GrantScope) -> Option<Self> {
        match refusal {
            GrantScope::Command { words, .. } => (!words.is_empty()).then_some(Self::Commands),
            GrantScope::Host { .. } => Some(Self::Hosts),
            GrantScope::Tree { kind, .. }
            | GrantScope::Target { kind, .. }
            | GrantScope::Request { kind, .. } => match kind.as_str() {
                FILE_READ | FILE_WRITE => Some(Self::Files),
                NETWORK_CONNECT => Some(Self::Hosts),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns true if a command starts where a grant of commands has to.
fn starts_there(covers: &GrantScope, request: &PermissionRequest) -> bool {
    match covers {
        GrantScope::Command {
            directory: Some(directory),
            ..
        } => {
            let start = request.details().get("directory");
            let start = start.and_then(|start| start.as_str());
            start.is_some_and(|start| lies_in(Path::new(start), Path::new(directory)))
        }
        _ => true,
    }
}

/// Returns true if a path is a directory, or lies in it, by their texts.
fn lies_in(path: &Path, directory: &Path) -> bool {
    let is_settled = |path: &Path| {
        path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
    };
    is_settled(path) && is_settled(directory) && path.starts_with(directory)
}
