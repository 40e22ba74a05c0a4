//! The reading of rules: each pattern once, and all that is wrong with a rule by itself.

use std::path::Path;

use super::argument;
use super::command::CommandPattern;
use super::compiled::{CommandPatterns, CompiledRule, FilePatterns, RequestCondition};
use super::host::HostPattern;
use super::matching::PatternError;
use super::path::PathPattern;
use super::problem::{PolicyProblem, RulePlace};
use super::rule::{ArgumentTest, Rule, RuleVerdict};
use super::tools::{NamePattern, ToolPatterns};
use crate::kinds::{COMMAND_RUN, FILE_READ, FILE_WRITE, NETWORK_CONNECT};
use toolwright::spec::CapabilityGrant;

/// Reads the patterns of all rules, and says all that is wrong with them.
pub(super) fn compile(
    rules: Vec<Rule>,
    places: &[RulePlace],
    root: &Path,
    problems: &mut Vec<PolicyProblem>,
) -> Vec<CompiledRule> {
    let mut compiled = Vec::with_capacity(rules.len());
    for (rule, place) in rules.into_iter().zip(places) {
        let mut reading = Reading {
            place,
            root,
            problems: Vec::new(),
        };
        let rule = reading.rule(rule);
        if reading.problems.is_empty() {
            compiled.push(rule);
        }
        problems.append(&mut reading.problems);
    }
    compiled
}

/// The reading of one rule.
struct Reading<'r> {
    place: &'r RulePlace,
    root: &'r Path,
    problems: Vec<PolicyProblem>,
}

impl Reading<'_> {
    fn rule(&mut self, rule: Rule) -> CompiledRule {
        for key in rule.empty() {
            self.wrong(format!(
                "`{key}` lists nothing, and so speaks of nothing: list something, or leave it out"
            ));
        }
        if rule
            .reason
            .as_ref()
            .is_some_and(|text| text.trim().is_empty())
        {
            self.wrong("the reason is empty: say why, or leave it out");
        }
        let request = self.request(&rule);
        self.arguments(&rule.arguments);
        let (tools, errors) = ToolPatterns::new(rule.list("tools"));
        for error in errors {
            self.wrong(error.message);
        }
        let capability = |text: &String| {
            CapabilityGrant::new(text.clone()).map_err(|error| PatternError::new(error.to_string()))
        };
        let capabilities = self.patterns(rule.list("capabilities"), capability);
        CompiledRule {
            conditions: rule.conditions(),
            verdict: rule.verdict,
            place: self.place.clone(),
            reason: rule.reason,
            tools,
            effects: rule.effects.unwrap_or_default(),
            hints: rule.hints.unwrap_or_default(),
            capabilities,
            arguments: rule.arguments,
            request,
        }
    }

    fn request(&mut self, rule: &Rule) -> RequestCondition {
        let lists = |key: &&str| !rule.list(key).is_empty();
        let files = ["paths", "reads", "writes"].iter().any(lists);
        let commands = ["commands", "exact-commands"].iter().any(lists) || rule.read_only_commands;
        let (hosts, kinds) = (lists(&"hosts"), lists(&"kinds"));
        let sorts = [
            (files, "paths"),
            (commands, "commands"),
            (hosts, "hosts"),
            (kinds, "kinds"),
        ];
        let given: Vec<&str> = sorts
            .iter()
            .filter(|(given, _)| *given)
            .map(|(_, s)| *s)
            .collect();
        if given.len() > 1 {
            self.wrong(format!(
                "it speaks of {}, and no request is of two sorts: make a rule of each",
                given.join(" and of ")
            ));
        }
        self.environment(rule, commands);
        self.targets(rule, kinds);
        let root = self.root;
        let path = |text: &String| PathPattern::new(text, root);
        if files {
            RequestCondition::Files(FilePatterns {
                either: self.patterns(rule.list("paths"), path),
                reads: self.patterns(rule.list("reads"), path),
                writes: self.patterns(rule.list("writes"), path),
            })
        } else if commands {
            let mut patterns = self.patterns(rule.list("commands"), |text| {
                CommandPattern::new(text, false)
            });
            let exact = self.patterns(rule.list("exact-commands"), |text| {
                CommandPattern::new(text, true)
            });
            patterns.extend(exact);
            RequestCondition::Commands(CommandPatterns {
                patterns,
                read_only: rule.read_only_commands,
                environment: rule.list("environment").to_vec(),
            })
        } else if hosts {
            RequestCondition::Hosts(
                self.patterns(rule.list("hosts"), |text| HostPattern::new(text)),
            )
        } else if kinds {
            self.kinds(rule.list("kinds"));
            RequestCondition::Kinds {
                kinds: self.patterns(rule.list("kinds"), |text| NamePattern::new(text)),
                targets: self.patterns(rule.list("targets"), |text| NamePattern::new(text)),
            }
        } else {
            RequestCondition::Nothing
        }
    }

    fn environment(&mut self, rule: &Rule, commands: bool) {
        if rule.list("environment").is_empty() {
            return;
        }
        if rule.verdict != RuleVerdict::Allow {
            self.wrong(
                "`environment` says what an allowed command may set, and this rule allows nothing: \
                 leave it out; the rule holds whatever is set",
            );
        } else if !commands {
            self.wrong(
                "`environment` says what a command may set, and the rule names no commands: add \
                 `commands`, or leave it out",
            );
        }
        for name in rule.list("environment") {
            let mut characters = name.chars();
            let begins = characters
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
            if !begins || !characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
                self.wrong(format!(
                    "`{name}` is no name of a variable: write one as in `RUST_LOG`, without its value"
                ));
            }
        }
    }

    /// An app may have kinds of its own, so that one that is not known is right, such as `file.rename`;
    /// but not a slip in a known one, which would speak of nothing.
    fn kinds(&mut self, kinds: &[String]) {
        let known = [FILE_READ, FILE_WRITE, COMMAND_RUN, NETWORK_CONNECT];
        for kind in kinds {
            if known.contains(&kind.as_str()) || kind.contains('*') {
                continue;
            }
            if let Some(meant) = known.into_iter().find(|known| is_slip(kind, known)) {
                self.wrong(format!(
                    "there is no kind `{kind}`; did you mean `{meant}`?"
                ));
            }
        }
    }

    fn targets(&mut self, rule: &Rule, kinds: bool) {
        if rule.list("targets").is_empty() {
            return;
        }
        if !kinds {
            self.wrong("`targets` goes with `kinds`: add the kinds whose targets they are");
            return;
        }
        let understood = [
            (FILE_READ, "`reads`"),
            (FILE_WRITE, "`writes`"),
            (COMMAND_RUN, "`commands`"),
            (NETWORK_CONNECT, "`hosts`"),
        ];
        for text in rule.list("kinds") {
            let Ok(pattern) = NamePattern::new(text) else {
                continue;
            };
            for (kind, condition) in understood {
                if pattern.matches(kind).is_some() {
                    self.wrong(format!(
                        "`targets` compares texts, and a `{kind}` is more than its text: use \
                         {condition}"
                    ));
                }
            }
        }
    }

    fn arguments(&mut self, tests: &[(String, ArgumentTest)]) {
        for (pointer, test) in tests {
            if let Some(wrong) = argument::wrong_pointer(pointer) {
                self.wrong(wrong);
            }
            if argument::is_empty(test) {
                self.wrong(format!(
                    "no value passes what is said of `{pointer}`: the list is empty, or the least is \
                     above the greatest"
                ));
            }
        }
    }

    fn patterns<P>(
        &mut self,
        texts: &[String],
        read: impl Fn(&String) -> Result<P, PatternError>,
    ) -> Vec<P> {
        let mut pattern = |text| read(text).map_err(|error| self.wrong(error.message)).ok();
        texts.iter().filter_map(&mut pattern).collect()
    }

    fn wrong(&mut self, message: impl Into<String>) {
        self.problems
            .push(PolicyProblem::of_rule(self.place, message));
    }
}

/// Returns true if a kind is another but for letter case, blanks or one character.
fn is_slip(kind: &str, known: &str) -> bool {
    let plain: String = kind
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .take(known.len() + 2)
        .collect();
    strsim::damerau_levenshtein(&plain, known) <= 1
}
