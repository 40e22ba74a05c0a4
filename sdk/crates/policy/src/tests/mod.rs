#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

#[cfg(unix)]
mod below;
mod deciding;
mod declared;
mod documented;
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
use toolwright::ToolName;
use toolwright::arguments::Arguments;
use toolwright::spec::Effect;

/// The verdict over all.
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
        _ => Said::Deny,
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

/// Returns what an executor does with a call: it runs, asks or is denied.
fn judged(
    policy: &PermissionPolicy,
    tool: &ToolSpec,
    arguments: &Value,
    requests: &[PermissionRequest],
) -> Said {
    let arguments = Arguments::from(arguments);
    let call = CallView::new(tool, &arguments);
    let own = if policy.looks_at_arguments(tool) {
        policy.check_call(&call)
    } else {
        policy.check_tool(tool)
    };
    if said(&own) == Said::Deny && !own.is_fallback() {
        return Said::Deny;
    }
    let requested = requests
        .iter()
        .map(|request| policy.check_request(&call, request));
    // A verdict on the call as such counts besides its requests, unless it is a fallback.
    let counts = requests.is_empty() || !own.is_fallback();
    let all = requested.chain(counts.then_some(own));
    all.map(|verdict| said(&verdict))
        .max()
        .unwrap_or(Said::Allow)
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
