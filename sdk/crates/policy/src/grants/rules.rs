//! Grants as rules of a policy, which reads shell lines and knows the spellings of paths and hosts.

use std::path::Path;

use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use crate::path::escaped;
use crate::{DefaultDecision, PermissionPolicy, Rule, RuleVerdict};
use toolwright::arguments::Arguments;
use toolwright::permission::{
    CallView, Coverage, GrantQuery, PathScope, PermissionChecker, Verdict, real_path,
};
use toolwright::spec::ToolSpec;
use toolwright::ticket::GrantScope;

/// Some grants as rules on files, commands and hosts: each command of a line has to be
/// covered, by one grant or another, and each file that the shell opens.
#[derive(Debug)]
pub(super) struct Rules {
    verdict: RuleVerdict,
    /// `None`: there is nothing to say.
    policy: Option<PermissionPolicy>,
    /// True if one of them is no rule, so that nothing is known of what it speaks of.
    unread: bool,
    /// True if one of them speaks of what commands do.
    of_commands: bool,
}

impl Rules {
    /// The rules of allowances, or of refusals.
    pub(super) fn new(verdict: RuleVerdict, grants: &[&GrantScope]) -> Self {
        let mut unread = false;
        let mut of_commands = false;
        let mut rules = Vec::new();
        for covers in grants {
            let Some(rule) = rule(verdict, covers) else {
                continue;
            };
            // Each is read alone, so that one which cannot be read takes no other with it.
            match policy(verdict, vec![rule.clone()]) {
                Some(_) => {
                    of_commands |= !matches!(covers, GrantScope::Host { .. });
                    rules.push(rule);
                }
                None => unread = true,
            }
        }
        let policy = if rules.is_empty() {
            None
        } else {
            let policy = policy(verdict, rules);
            unread |= policy.is_none();
            policy
        };
        Self {
            verdict,
            policy,
            unread,
            of_commands,
        }
    }

    /// Returns how surely they speak of a request. `None` if one of them is no rule, and the others do not.
    pub(super) fn coverage(&self, query: &GrantQuery<'_>) -> Option<Coverage> {
        let found = self.found(query);
        if found == Coverage::No && self.unread {
            None
        } else {
            Some(found)
        }
    }

    fn found(&self, query: &GrantQuery<'_>) -> Coverage {
        let request = query.request();
        let Some(policy) = &self.policy else {
            return Coverage::No;
        };
        if request.kind() == COMMAND_RUN && !self.of_commands {
            return Coverage::No;
        }
        // Grants do not speak of where a request may lead.
        let unconfined = request.clone().with_containment(PathScope::Unconfined);
        let none = Arguments::empty();
        // The rules speak of no tools and no arguments.
        let nominal = ToolSpec::new(query.tool().clone(), "");
        let call = CallView::new(&nominal, &none);
        match (self.verdict, policy.check_request(&call, &unconfined)) {
            (RuleVerdict::Allow, Verdict::Allow) => Coverage::Yes,
            (RuleVerdict::Allow, _) | (_, Verdict::Allow) => Coverage::No,
            (_, Verdict::Deny(_)) => Coverage::Yes,
            (_, _) => Coverage::Maybe,
        }
    }
}

fn policy(verdict: RuleVerdict, rules: Vec<Rule>) -> Option<PermissionPolicy> {
    // No rule has a relative path.
    let root = std::path::absolute("/").ok()?;
    let mut builder = PermissionPolicy::builder(root)
        .default_verdict(DefaultDecision::Ask)
        .rules(rules);
    if verdict == RuleVerdict::Deny {
        // Refusals say nothing about other requests.
        builder = builder.rule(Rule::allow());
    }
    // Two grants may say the same.
    builder.readable().ok()
}

/// The rule that a grant is, if it speaks of what rules know more of than their text.
fn rule(verdict: RuleVerdict, covers: &GrantScope) -> Option<Rule> {
    let rule = Rule::of(verdict);
    match covers {
        GrantScope::Command { words, .. } if !words.is_empty() => {
            // Each in quotes, for a word may be one that the shell reserves.
            let quoted = words
                .iter()
                .map(|word| format!("'{}'", word.replace('\'', r"'\''")));
            Some(rule.commands([quoted.collect::<Vec<_>>().join(" ")]))
        }
        GrantScope::Tree {
            kind, directory, ..
        } => tree(rule, verdict, kind, directory),
        GrantScope::Host { host, port, .. } => Some(rule.hosts([match port {
            Some(port) => format!("{host}:{port}"),
            None => host.clone(),
        }])),
        // An allowance of a target is its text, and a refusal more than that.
        GrantScope::Target { kind, target, .. } | GrantScope::Request { kind, target, .. }
            if verdict == RuleVerdict::Deny =>
        {
            match kind.as_str() {
                FILE_READ | FILE_WRITE => tree(rule, verdict, kind, target),
                NETWORK_CONNECT => Some(rule.hosts([target.clone()])),
                _ => None,
            }
        }
        _ => None,
    }
}

fn tree(rule: Rule, verdict: RuleVerdict, kind: &str, directory: &str) -> Option<Rule> {
    let path = Path::new(directory);
    // A rule follows the links of its path, and a grant is for the directory that it names: one
    // that has become a link since covers nothing.
    if verdict == RuleVerdict::Allow && real_path(path).ok().as_deref() != Some(path) {
        return None;
    }
    let pattern = escaped(directory);
    match kind {
        FILE_READ => Some(rule.reads([pattern])),
        FILE_WRITE => Some(rule.writes([pattern])),
        _ => None,
    }
}
