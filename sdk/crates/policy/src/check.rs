//! Rules that can never decide anything: each is a mistake of who wrote it, who thinks that it does.
//!
//! Only what is certain is said. A rule of which nothing is said here may decide nothing all the same.

use std::collections::HashMap;
use std::ptr;

use serde_json::Value;

use super::argument::{self, within};
use super::compiled::{CommandPatterns, CompiledRule, FilePatterns, RequestCondition};
use super::order::any_covers;
use super::problem::PolicyProblem;
use super::rule::{ArgumentTest, RuleVerdict};
use super::tools::NamePattern;
use toolwright::spec::CapabilityGrant;

/// Returns what is wrong with rules of which each can be read.
pub(super) fn problems(rules: &[CompiledRule]) -> Vec<PolicyProblem> {
    let mut problems = Vec::new();
    // By their conditions, so that not each of thousands of rules is compared with each.
    let mut alike: HashMap<&str, Vec<&CompiledRule>> = HashMap::new();
    for rule in rules {
        alike.entry(&rule.conditions).or_default().push(rule);
    }
    for rule in rules {
        let twins = alike.get(&*rule.conditions).map_or(&[][..], Vec::as_slice);
        let idle = matches_nothing(rule)
            .or_else(|| denied_by(rule, rules))
            .or_else(|| twin_of(rule, twins));
        problems.extend(idle.map(|message| PolicyProblem::of_rule(&rule.place, message)));
    }
    problems
}

/// Conditions that no call can fulfil together.
fn matches_nothing(rule: &CompiledRule) -> Option<String> {
    let tools = &rule.tools;
    let left_out =
        |named: &NamePattern| tools.excluded.iter().any(|left_out| left_out.covers(named));
    let none = if tools.named.is_empty() {
        tools.excluded.iter().any(is_any)
    } else {
        tools.named.iter().all(left_out)
    };
    if none {
        return Some(
            "it can never match: its `tools` leave out every tool that they name".to_owned(),
        );
    }
    for (index, (pointer, test)) in rule.arguments.iter().enumerate() {
        for (other, against) in rule.arguments.iter().skip(index + 1) {
            if pointer == other && argument::exclude(test, against) {
                return Some(format!(
                    "it can never match: nothing passes both of its tests of `{pointer}`"
                ));
            }
            let leads_into = |inner: &str, outer: &str| inner != outer && within(inner, outer);
            if leads_into(other, pointer) && has_no_parts(test, against)
                || leads_into(pointer, other) && has_no_parts(against, test)
            {
                return Some(format!(
                    "it can never match: nothing passes its tests of `{pointer}` and of `{other}`"
                ));
            }
        }
    }
    None
}

/// Returns true if what passes the outer test has no parts, of which the inner one looks at one.
fn has_no_parts(outer: &ArgumentTest, inner: &ArgumentTest) -> bool {
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    let bare = match outer {
        ArgumentTest::Equals(value) => plain(value),
        ArgumentTest::OneOf(values) => values.iter().all(plain),
        ArgumentTest::Range { .. } => true,
        ArgumentTest::Present(there) => !there,
    };
    bare && *inner != ArgumentTest::Present(false)
}

/// A denial goes before all other rules, so one that speaks of the same things leaves nothing of them.
fn denied_by(rule: &CompiledRule, rules: &[CompiledRule]) -> Option<String> {
    if rule.verdict == RuleVerdict::Deny {
        return None;
    }
    let mut denials = rules
        .iter()
        .filter(|other| other.verdict == RuleVerdict::Deny);
    let denial = denials.find(|denial| covers(denial, rule))?;
    Some(format!(
        "it can never decide anything: all that it speaks of is denied by {}; take one of them back, \
         or let the denial speak of less",
        denial.place
    ))
}

/// Returns what is wrong with a rule that has the same conditions as another: one says nothing new, or an ask outweighs
/// an allowance. `twins` are the rules with its conditions, in their order.
fn twin_of(rule: &CompiledRule, twins: &[&CompiledRule]) -> Option<String> {
    let mut before = twins.iter().take_while(|other| !ptr::eq(**other, rule));
    if let Some(twin) = before.find(|other| other.verdict == rule.verdict) {
        return Some(format!(
            "it says the same as {}: leave one of them out",
            twin.place
        ));
    }
    if rule.verdict != RuleVerdict::Allow {
        return None;
    }
    let ask = twins
        .iter()
        .find(|other| other.verdict == RuleVerdict::Ask)?;
    Some(format!(
        "it can never decide anything: {} speaks of exactly the same, and of two such rules the one \
         that asks counts; leave one of them out",
        ask.place
    ))
}

/// Returns true if the denial speaks of all that the rule speaks of.
fn covers(denial: &CompiledRule, rule: &CompiledRule) -> bool {
    denial.tools.covers(&rule.tools)
        && any_covers(&denial.effects, &rule.effects, PartialEq::eq)
        && any_covers(&denial.hints, &rule.hints, PartialEq::eq)
        && any_covers(
            &denial.capabilities,
            &rule.capabilities,
            CapabilityGrant::covers,
        )
        && argument::covers(&denial.arguments, &rule.arguments)
        && covers_requests(&denial.request, &rule.request)
}

fn covers_requests(wide: &RequestCondition, narrow: &RequestCondition) -> bool {
    match (wide, narrow) {
        // A denied call requests nothing.
        (RequestCondition::Nothing, _) => true,
        (_, RequestCondition::Nothing) => false,
        (RequestCondition::Kinds { kinds, targets }, _)
            if targets.is_empty() && kinds.iter().any(is_any) =>
        {
            true
        }
        (RequestCondition::Files(wide), RequestCondition::Files(narrow)) => {
            covers_files(wide, narrow)
        }
        (RequestCondition::Commands(wide), RequestCondition::Commands(narrow)) => {
            covers_commands(wide, narrow)
        }
        (RequestCondition::Hosts(wide), RequestCondition::Hosts(narrow)) => narrow
            .iter()
            .all(|narrow| wide.iter().any(|wide| wide.covers(narrow))),
        (
            RequestCondition::Kinds { kinds, targets },
            RequestCondition::Kinds {
                kinds: narrow,
                targets: narrow_targets,
            },
        ) => {
            let in_kinds = |narrow: &NamePattern| kinds.iter().any(|wide| wide.covers(narrow));
            narrow.iter().all(in_kinds) && any_covers(targets, narrow_targets, NamePattern::covers)
        }
        _ => false,
    }
}

fn covers_files(wide: &FilePatterns, narrow: &FilePatterns) -> bool {
    let within = |list: &[_], pattern| {
        let mut list = list.iter();
        list.any(|wide: &super::path::PathPattern| wide.covers(pattern))
    };
    let read = |pattern| within(&wide.either, pattern) || within(&wide.reads, pattern);
    let written = |pattern| within(&wide.either, pattern) || within(&wide.writes, pattern);
    narrow
        .either
        .iter()
        .all(|pattern| read(pattern) && written(pattern))
        && narrow.reads.iter().all(read)
        && narrow.writes.iter().all(written)
}

fn covers_commands(wide: &CommandPatterns, narrow: &CommandPatterns) -> bool {
    (!narrow.read_only || wide.read_only || wide.any_command().is_some())
        && narrow
            .patterns
            .iter()
            .all(|narrow| wide.patterns.iter().any(|wide| wide.covers(narrow)))
}

fn is_any(pattern: &NamePattern) -> bool {
    !pattern.is_exact() && pattern.literal().is_empty()
}

#[cfg(test)]
mod tests;
