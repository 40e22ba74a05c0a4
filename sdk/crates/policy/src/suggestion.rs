//! What would change what a policy says.

use std::path::Path;

use serde::Serialize;

use super::PermissionPolicy;
use super::command::has_sub_commands;
use super::compile::compile;
use super::finding::{CallFacts, Subject, hit};
use super::judge::{Judged, Why};
use super::order::{Class, RuleMatch, decide};
use super::problem::RulePlace;
use super::rule::{Rule, RuleVerdict};
use toolwright_shell::quoted;
use toolwright_shell::{Access, LineCommand, Word};

/// A change of the policy, or of the call, that would change the judgement on a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    text: String,
    rule: Option<String>,
}

impl Suggestion {
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            rule: None,
        }
    }

    /// Returns a line for the policy's author.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The smallest rule that allows it, as TOML for the policy's file, if there is one. It was
    /// tried: with it, the policy says that the thing may run.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }
}

/// Returns what would change what was judged, of which these rules speak.
pub(super) fn suggestion(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    judged: &Judged<'_>,
    hits: &[RuleMatch<'_>],
) -> Suggestion {
    match (judged.class, judged.why) {
        (Class::Deny, Why::Rule(hit)) => Suggestion::new(format!(
            "{} would have to go or to say less: no rule outweighs a denial",
            hit.rule.place.short()
        )),
        (_, Why::Outside) => {
            Suggestion::new("nothing in the policy would change that: a confined tool never gets there")
        }
        (_, Why::Unread) | (Class::Ask, _) if matches!(thing, Subject::Unread { .. }) => {
            Suggestion::new("no rule: the line would have to be written so that it can be read")
        }
        (_, Why::Below(hit)) => Suggestion::new(format!(
            "the command would have to name a directory without that, or {} to go or to say less",
            hit.rule.place.short()
        )),
        (_, Why::UnreadBelow) => Suggestion::new("no rule: the directory cannot be read here"),
        (_, Why::TooManyBelow) => {
            Suggestion::new("no rule: the command would have to name a smaller directory")
        }
        (_, Why::MayChange) => {
            Suggestion::new("no rule: the command would have to be a call of its own")
        }
        (_, Why::OtherRepository) => {
            Suggestion::new("no rule: the command would have to run in the root's own repository")
        }
        (_, Why::ComparesFiles) => {
            Suggestion::new("no rule: `diff` compares files, and each that it reads is judged")
        }
        (Class::Allow, Why::Rule(hit)) => Suggestion::new(format!(
            "it runs for as long as {} is there",
            hit.rule.place.short()
        )),
        (Class::Allow, _) => Suggestion::new("a rule that asks or denies would stop it"),
        // Whatever else lets it run, what may be denied is asked about at least.
        (Class::Ask | Class::Deny, _) if hits.iter().any(may_deny) => Suggestion::new(format!(
            "no rule lets run what another may deny: {} would have to go or to say less, or the call to say \
             outright what it means",
            may_denying(hits)
        )),
        (_, why) => match smallest(policy, called, thing, hits) {
            Some(rule) => Suggestion {
                text: "this rule would let it run:".to_owned(),
                rule: Some(rule),
            },
            None => Suggestion::new(match why {
                Why::Rule(hit) if hit.specificity.is_some() => format!("{} would have to go or to say less", hit.rule.place.short()),
                _ => "no rule can name it as it is: the call would have to say outright what it means".to_owned(),
            }),
        },
    }
}

/// Returns true if it denies, but only perhaps this.
fn may_deny(hit: &RuleMatch<'_>) -> bool {
    hit.rule.verdict == RuleVerdict::Deny && hit.specificity.is_none()
}

/// The rules that may deny it, by name.
fn may_denying(hits: &[RuleMatch<'_>]) -> String {
    let rules = hits.iter().filter(|hit| may_deny(hit));
    let rules: Vec<String> = rules
        .map(|hit| hit.rule.place.short().to_string())
        .collect();
    rules.join(", ")
}

/// The smallest rule with which the thing would be allowed, tried out.
fn smallest(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    hits: &[RuleMatch<'_>],
) -> Option<String> {
    let condition = condition(policy, called, thing)?;
    let alone = Rule::allow();
    let with_tool = Rule::allow().tools([called.spec.name().as_str()]);
    // A rule that is no more specific than one that asks changes nothing, so it also says what that
    // one says.
    let asking = hits
        .iter()
        .filter(|hit| hit.rule.verdict == RuleVerdict::Ask);
    let like = asking.map(|hit| Rule {
        effects: hit.rule.effects.clone(),
        hints: hit.rule.hints.clone(),
        capabilities: hit
            .rule
            .capabilities
            .iter()
            .map(|c| c.as_str().to_owned())
            .collect(),
        arguments: hit.rule.arguments.clone(),
        ..with_tool.clone()
    });
    for rule in [alone, with_tool.clone()].into_iter().chain(like) {
        let rule = condition.clone().join(rule);
        if allows(policy, called, thing, hits, &rule) {
            return rule.to_toml(&policy.section);
        }
    }
    None
}

/// Returns true if the thing is allowed once the rule is there.
fn allows(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    hits: &[RuleMatch<'_>],
    rule: &Rule,
) -> bool {
    let rules = vec![rule.clone()];
    let places = RulePlace::of_all(&rules, None);
    let mut problems = Vec::new();
    let compiled = compile(rules, &places, &policy.root, &mut problems);
    let Some(added) = compiled.iter().find_map(|rule| hit(rule, called, thing)) else {
        return false;
    };
    let said = decide(hits.iter().copied().chain([added]));
    said.may_deny.is_none() && matches!(said.surely, Some((Class::Allow, _)))
}

/// A rule with nothing but the condition that names the thing.
fn condition(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
) -> Option<Rule> {
    let rule = Rule::allow();
    Some(match thing {
        Subject::Call => rule.tools([called.spec.name().as_str()]),
        Subject::File { access, place, .. } => {
            let path = path_text(place.as_ref()?.place().real, &policy.root)?;
            match access {
                Some(Access::Read) => rule.reads([path]),
                Some(Access::Write) => rule.writes([path]),
                None => rule.paths([path]),
            }
        }
        Subject::LineCommand { part, .. } => {
            let rule = match whole(part.words()) {
                Some(words) => rule.exact_commands([quoted(&words)]),
                // `xargs rm` is known, and what it runs is not.
                None => match part.outer().iter().find_map(|outer| whole(outer)) {
                    Some(words) => rule.exact_commands([quoted(&words)]),
                    None => rule.commands([quoted(&sub_command(part)?)]),
                },
            };
            let names = part.assignments().iter().map(|set| set.name.as_str());
            let names: Vec<&str> = names.collect();
            if names.is_empty() {
                rule
            } else {
                rule.environment(names)
            }
        }
        Subject::Host(host) => rule.hosts([*host]),
        Subject::Other { kind, target } if !target.ends_with('*') => {
            rule.kinds([*kind]).targets([*target])
        }
        Subject::Empty(_) | Subject::Unread { .. } | Subject::Other { .. } => return None,
    })
}

/// A path as a pattern names it, from the root if it lies below.
fn path_text(path: &Path, root: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok();
    let text = match below {
        Some(below) if below.as_os_str().is_empty() => ".",
        Some(below) => below.to_str()?,
        None => path.to_str()?,
    };
    // After `\\` these stand for themselves.
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    Some(pattern)
}

/// All words of a command, if they are known.
fn whole(words: &[Word]) -> Option<Vec<&str>> {
    words.iter().map(Word::known).collect()
}

/// The words that a command begins with, as far as they are known: of a program with sub-commands, since
/// of any other they would say next to nothing of what may run.
fn sub_command(part: &LineCommand) -> Option<Vec<&str>> {
    let words: Vec<&str> = part.words().iter().map_while(Word::known).collect();
    let named = words.get(1).is_some_and(|word| !word.starts_with('-'));
    (named && has_sub_commands(part.program()?)).then_some(words)
}

impl Rule {
    /// This rule's condition on requests, with the other's conditions on tools and calls.
    fn join(self, other: Self) -> Self {
        Self {
            effects: other.effects,
            hints: other.hints,
            capabilities: other.capabilities,
            arguments: other.arguments,
            tools: if self.tools.is_empty() {
                other.tools
            } else {
                self.tools
            },
            ..self
        }
    }
}
