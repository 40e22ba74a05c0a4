#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

#[cfg(unix)]
mod below;
mod deciding;
mod declared;
#[cfg(unix)]
mod evading;
mod explaining;
mod fitting;
#[cfg(unix)]
mod lines;
mod random;
pub(super) mod source;

use serde_json::Value;

use super::*;
use crate::id::ToolName;
use crate::message::Arguments;
use crate::permission::AnyChecker;
use crate::permission::judge::Judge;
use crate::spec::Effect;

/// What is said over all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Allow,
    Ask,
    Deny,
}

fn said(verdict: &Verdict) -> Said {
    match verdict {
        Verdict::Allow => Said::Allow,
        Verdict::Ask(_) => Said::Ask,
        Verdict::Deny(_) | Verdict::Unknown => Said::Deny,
    }
}

/// A tool that promises nothing.
fn tool(name: &str) -> ToolSpec {
    ToolSpec::new(ToolName::new(name.to_owned()).unwrap(), "A tool.")
}

fn reader(name: &str) -> ToolSpec {
    tool(name).with_effect(Effect::ReadOnly)
}

fn policy(rules: impl IntoIterator<Item = Rule>) -> PermissionPolicy {
    PermissionPolicy::builder("/srv/app")
        .rules(rules)
        .build()
        .unwrap()
}

/// What an executor does with a call: it runs, asks or is denied.
fn judged(
    policy: &PermissionPolicy,
    tool: &ToolSpec,
    arguments: &Value,
    requests: &[PermissionRequest],
) -> Said {
    let arguments = Arguments::from(arguments);
    let call = CallView::new(tool, &arguments);
    let judge = Judge::new(AnyChecker::new(policy.clone()), "");
    let own = if judge.looks_at_arguments(tool) {
        judge.call(&call)
    } else {
        judge.tool(tool)
    };
    let requests = match &own {
        Verdict::Deny(_) if !own.is_fallback() => &[],
        _ => requests,
    };
    let ruling = judge.weigh(&call, &own, requests);
    match judge.refusal(tool.name(), ruling) {
        Ok(()) => Said::Allow,
        Err(refused) if refused.code() == "approval_unavailable" => Said::Ask,
        Err(_) => Said::Deny,
    }
}

fn explained(
    policy: &PermissionPolicy,
    tool: &ToolSpec,
    arguments: &Value,
    requests: &[PermissionRequest],
) -> Explanation {
    let arguments = Arguments::from(arguments);
    policy.explain(&CallView::new(tool, &arguments), requests)
}
