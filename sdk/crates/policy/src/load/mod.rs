//! Policies from TOML.

mod file;
mod reader;
mod rule;
mod value;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::problem::{PolicyProblem, RulePlace};
use super::rule::{DefaultDecision, Rule, RuleVerdict, Tree};
use super::toml_reader::{MAX_SIZE, Value};
use reader::{Place, Reader};

/// All keys of a policy file.
const KEYS: [&str; 6] = ["default", "shared", "trees", "allow", "ask", "deny"];

const TREES: [&str; 3] = ["allowed", "read-only", "forbidden"];

/// The table of a file in which a policy stands: the file itself, or a table by its dotted name.
#[derive(Debug, Clone, Default)]
pub(super) struct Section(Option<Arc<str>>);

impl Section {
    pub(super) fn named(name: &str) -> Self {
        Self(Some(name.into()))
    }

    /// The keys on the way to the table.
    fn path(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|section| section.split('.'))
    }

    /// The name of a table of the policy, as it stands in the file: `policy.allow`.
    pub(super) fn key(&self, key: &str) -> String {
        match &self.0 {
            None => key.to_owned(),
            Some(section) => format!("{section}.{key}"),
        }
    }
}

/// The words for a policy's default.
pub(super) const DEFAULTS: [(&str, DefaultDecision); 3] = [
    ("read-only", DefaultDecision::ReadOnly),
    ("ask", DefaultDecision::Ask),
    ("deny", DefaultDecision::Deny),
];

/// The contents of a policy file, as far as they can be understood.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) default: Option<DefaultDecision>,
    pub(super) shared: bool,
    pub(super) rules: Vec<Rule>,
    /// The mistakes in the file. If there are none, the rest is all that it says.
    pub(super) problems: Vec<PolicyProblem>,
}

/// Reads the text of a policy file, or a section of a file. `None` if there is no such section.
pub(super) fn read(text: &str, section: &Section, file: Option<&Arc<str>>) -> Option<Loaded> {
    let mut loaded = Loaded::default();
    let mut reader = Reader::new(text, Place::File);
    if text.len() > MAX_SIZE {
        let message = "the file has more than 1 MiB, which no policy takes that people read";
        let problem = PolicyProblem::of_policy(None, message).in_file(file);
        loaded.problems.push(problem);
        return Some(loaded);
    }
    match DeTable::parse(text) {
        Ok(whole) => {
            let mut table = whole.get_ref();
            for name in section.path() {
                let (key, value) = table.get_key_value(name)?;
                let path = section.key("");
                let path = path.trim_end_matches('.');
                let Some(inner) = reader.table(path, key.get_ref(), value) else {
                    loaded.problems = reader.into_problems(file);
                    return Some(loaded);
                };
                table = inner;
            }
            let trees_at = format!("below `[{}]`", section.key("trees"));
            let [allow, ask, deny] = ["allow", "ask", "deny"].map(|verdict| section.key(verdict));
            let rules_at = format!("in a rule, below `[[{allow}]]`, `[[{ask}]]` or `[[{deny}]]`");
            // The places of keys that are not of the file itself.
            let elsewhere: [(&[&str], &str); 2] = [(&TREES, &trees_at), (&rule::KEYS, &rules_at)];
            for (key, value) in table {
                let name: &str = key.get_ref();
                reader.place = Place::File;
                match name {
                    "default" => {
                        loaded.default = reader.text(name, value).and_then(|word| {
                            reader.word("default", word, &value.span(), &DEFAULTS)
                        });
                    }
                    "shared" => loaded.shared = reader.flag(name, value).unwrap_or_default(),
                    "trees" => loaded.rules.extend(trees(&mut reader, section, value)),
                    "allow" | "ask" | "deny" => {
                        let verdict = match name {
                            "allow" => RuleVerdict::Allow,
                            "ask" => RuleVerdict::Ask,
                            _ => RuleVerdict::Deny,
                        };
                        let rules = rules(&mut reader, file, &section.key(name), verdict, value);
                        loaded.rules.extend(rules);
                    }
                    _ => reader.misplaced_key(key, &KEYS, &elsewhere),
                }
            }
        }
        Err(error) => {
            let mut at = error.span().unwrap_or_default();
            // Something is missing after the end of the text before, which may be lines before.
            if at.is_empty() {
                at.start = text
                    .get(..at.start)
                    .map_or(0, |before| before.trim_end().len());
            }
            reader.mistake(&at, format!("this is no TOML: {}", error.message()));
        }
    }
    // In the order of the file, as its author thinks of them.
    loaded.rules.sort_by_key(|rule| rule.line);
    loaded.problems = reader.into_problems(file);
    Some(loaded)
}

/// The rules of one verdict.
fn rules(
    reader: &mut Reader,
    file: Option<&Arc<str>>,
    key: &str,
    verdict: RuleVerdict,
    value: &Value<'_>,
) -> Vec<Rule> {
    let wrong = format!("a list of rules; write `[[{key}]]` above each");
    let Some(items) = value.get_ref().as_array() else {
        reader.wrong_type(key, value, &wrong);
        return Vec::new();
    };
    let mut rules = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let DeValue::Table(table) = item.get_ref() else {
            reader.place = Place::File;
            reader.wrong_type(key, item, &wrong);
            continue;
        };
        let line = reader.line(&item.span());
        let place = RulePlace::new(verdict, index + 1, Some(line), file.cloned());
        reader.place = Place::Rule(place);
        let mut rule = Rule::of(verdict);
        rule.line = Some(line);
        rule::fill(reader, &mut rule, item, table);
        rules.push(rule);
    }
    rules
}

/// Trees of files, in few words: each list is a rule or two.
fn trees(reader: &mut Reader, section: &Section, value: &Value<'_>) -> Vec<Rule> {
    reader.place = Place::Trees(section.key("trees"));
    let Some(table) = reader.table(&section.key("trees"), "trees", value) else {
        return Vec::new();
    };
    let mut rules = Vec::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        let tree = match name {
            "allowed" => Tree::Allowed,
            "read-only" => Tree::ReadOnly,
            "forbidden" => Tree::Forbidden,
            _ => {
                reader.misplaced_key(key, &TREES, &[]);
                continue;
            }
        };
        let paths = reader.strings(name, value);
        if paths.is_empty() {
            continue;
        }
        let line = reader.line(&key.span());
        rules.extend(tree.rules(paths).into_iter().map(|rule| Rule {
            line: Some(line),
            ..rule
        }));
    }
    rules
}
