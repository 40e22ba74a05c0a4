//! Advice on a judgement: the change of the policy, or of the call, that would lead to another one.

use std::path::Path;

use serde_json::Value;

use super::PermissionPolicy;
use super::command::has_sub_commands;
use super::finding::{CallFacts, Subject};
use super::judged::{Judged, Why};
use super::order::RuleMatch;
use super::path::escaped;
use super::rule::RuleVerdict;
use toolwright_shell::{Access, LineCommand, Word, quoted};

/// Returns a line for the policy's author. `hits` are the rules that speak of the subject.
pub(super) fn advice(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
    judged: &Judged<'_>,
    hits: &[RuleMatch<'_>],
) -> String {
    let fixed = match (judged.class, judged.why) {
        (RuleVerdict::Deny, Why::Rule(hit)) => {
            let rule = hit.rule.place.short();
            return format!("{rule} would have to go or to say less: no rule outweighs a denial");
        }
        (_, Why::Outside) => {
            "nothing in the policy would change that: a confined tool never gets there"
        }
        (_, Why::Unread) | (RuleVerdict::Ask, _) if matches!(thing, Subject::Unread { .. }) => {
            "no rule: the line would have to be written so that it can be read"
        }
        (_, Why::Below(hit)) => {
            let rule = hit.rule.place.short();
            return format!(
                "the command would have to name a directory without that, or {rule} to go or to say less"
            );
        }
        (_, Why::UnreadBelow) => "no rule: the directory cannot be read here",
        (_, Why::TooManyBelow) => "no rule: the command would have to name a smaller directory",
        (_, Why::MayChange) => "no rule: the command would have to be a call of its own",
        (_, Why::OtherRepository) => {
            "no rule: the command would have to run in the root's own repository"
        }
        (_, Why::ComparesFiles) => {
            "no rule: `diff` compares files, and each that it reads is judged"
        }
        (RuleVerdict::Allow, Why::Rule(hit)) => {
            return format!("it runs for as long as {} is there", hit.rule.place.short());
        }
        (RuleVerdict::Allow, _) => "a rule that asks or denies would stop it",
        (RuleVerdict::Ask | RuleVerdict::Deny, why) => {
            // Whatever else lets it run, what may be denied is asked about at least.
            let may_deny = |hit: &&RuleMatch<'_>| {
                hit.rule.verdict == RuleVerdict::Deny && hit.specificity.is_none()
            };
            let denying = hits.iter().filter(may_deny);
            let denying: Vec<String> = denying
                .map(|hit| hit.rule.place.short().to_string())
                .collect();
            if !denying.is_empty() {
                return format!(
                    "no rule lets run what another may deny: {} would have to go or to say less, or the call \
                     to say outright what it means",
                    denying.join(", ")
                );
            }
            match (condition(policy, called, thing), why) {
                (Some(condition), Why::Rule(hit)) => {
                    let rule = hit.rule.place.short();
                    return format!(
                        "a rule that allows {condition} and is more specific than {rule} would let it run"
                    );
                }
                (Some(condition), _) => {
                    return format!("a rule that allows {condition} would let it run");
                }
                (None, _) => {
                    "no rule can name it as it is: the call would have to say outright what it means"
                }
            }
        }
    };
    fixed.to_owned()
}

/// Returns the condition of a rule that names the subject and nothing else, as it stands in a policy's file. `None` if
/// no rule can name it.
fn condition(
    policy: &PermissionPolicy,
    called: &CallFacts<'_>,
    thing: &Subject<'_>,
) -> Option<String> {
    let tool = called.spec.name().as_str();
    Some(match thing {
        Subject::Call => list("tools", &[tool]),
        Subject::File { access, place, .. } => {
            let path = path_text(place.as_ref()?.place().real, &policy.root)?;
            let key = match access {
                Some(Access::Read) => "reads",
                Some(Access::Write) => "writes",
                None => "paths",
            };
            list(key, &[&path])
        }
        Subject::LineCommand { part, .. } => {
            // `xargs rm` is known, and what it runs is not.
            let whole = whole(part.words()).or_else(|| part.outer().iter().find_map(|o| whole(o)));
            let command = match whole {
                Some(words) => list("exact-commands", &[&quoted(&words)]),
                None => list("commands", &[&quoted(&sub_command(part)?)]),
            };
            let names = part.assignments().iter().map(|set| set.name.as_str());
            match names.collect::<Vec<_>>().as_slice() {
                [] => command,
                names => format!("{command} with {}", list("environment", names)),
            }
        }
        Subject::Host(host) => list("hosts", &[host]),
        Subject::Other { kind, target } if !target.ends_with('*') => {
            format!(
                "{} with {}",
                list("kinds", &[kind]),
                list("targets", &[target])
            )
        }
        Subject::Empty(_) | Subject::Unread { .. } | Subject::Other { .. } => return None,
    })
}

/// Writes a key of a policy's file with its list: what JSON escapes in a text, TOML reads.
fn list(key: &str, items: &[&str]) -> String {
    let items: Vec<String> = items
        .iter()
        .map(|item| Value::from(*item).to_string())
        .collect();
    format!("`{key} = [{}]`", items.join(", "))
}

/// Returns the pattern of a path, from the root if it lies below.
fn path_text(path: &Path, root: &Path) -> Option<String> {
    let below = path.strip_prefix(root).unwrap_or(path);
    Some(match below.to_str()? {
        "" => ".".to_owned(),
        text => escaped(text),
    })
}

/// Returns all words of a command, if they are known.
fn whole(words: &[Word]) -> Option<Vec<&str>> {
    words.iter().map(Word::known).collect()
}

/// Returns the words that a command begins with, as far as they are known: of a program with sub-commands, since of
/// any other they would say next to nothing of what may run.
fn sub_command(part: &LineCommand) -> Option<Vec<&str>> {
    let words: Vec<&str> = part.words().iter().map_while(Word::known).collect();
    let named = words.get(1).is_some_and(|word| !word.starts_with('-'));
    (named && has_sub_commands(part.program()?)).then_some(words)
}
