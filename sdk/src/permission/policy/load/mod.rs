//! Policies from TOML.

mod reader;
mod rule;
mod value;

#[cfg(test)]
mod tests;

use toml::de::{DeTable, DeValue};

use super::DefaultVerdict;
use super::rule::{Rule, RuleVerdict};
use reader::{Reader, Value};

pub(super) use reader::Flaw;
pub(super) use value::wrong_pointer;

/// The most bytes of a policy file. One that people read is a hundredth of this.
pub(super) const MAX_SIZE: usize = 1024 * 1024;

/// All keys of a policy file.
const KEYS: [&str; 6] = ["default", "shared", "trees", "allow", "ask", "deny"];

const TREES: [&str; 3] = ["allowed", "read-only", "forbidden"];

/// Where keys belong that are not of the file itself.
const ELSEWHERE: [(&[&str], &str); 2] = [
    (&TREES, "below `[trees]`"),
    (
        &rule::KEYS,
        "in a rule, below `[[allow]]`, `[[ask]]` or `[[deny]]`",
    ),
];

/// The words for a policy's default.
const DEFAULTS: [(&str, DefaultVerdict); 3] = [
    ("read-only", DefaultVerdict::ReadOnly),
    ("ask", DefaultVerdict::Ask),
    ("deny", DefaultVerdict::Deny),
];

/// What a policy file says, as far as it can be understood.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) default: Option<DefaultVerdict>,
    pub(super) shared: bool,
    pub(super) rules: Vec<Rule>,
    /// What is wrong with the file. If nothing is, the rest is all that it says.
    pub(super) flaws: Vec<Flaw>,
}

/// Reads the text of a policy file.
pub(super) fn read(text: &str) -> Loaded {
    let mut loaded = Loaded::default();
    let mut reader = Reader::new(text);
    if text.len() > MAX_SIZE {
        loaded.flaws.push(Flaw {
            line: None,
            place: None,
            message: "the file has more than 1 MiB, which no policy takes that people read"
                .to_owned(),
        });
        return loaded;
    }
    match DeTable::parse(text) {
        Ok(table) => {
            for (key, value) in table.get_ref() {
                let name: &str = key.get_ref();
                reader.enter(None);
                match name {
                    "default" => {
                        loaded.default = reader.text(name, value).and_then(|word| {
                            reader.word("default", word, &value.span(), &DEFAULTS)
                        });
                    }
                    "shared" => loaded.shared = reader.flag(name, value).unwrap_or_default(),
                    "trees" => loaded.rules.extend(trees(&mut reader, value)),
                    "allow" => {
                        loaded
                            .rules
                            .extend(rules(&mut reader, name, RuleVerdict::Allow, value))
                    }
                    "ask" => loaded
                        .rules
                        .extend(rules(&mut reader, name, RuleVerdict::Ask, value)),
                    "deny" => {
                        loaded
                            .rules
                            .extend(rules(&mut reader, name, RuleVerdict::Deny, value))
                    }
                    _ => reader.misplaced_key(key, &KEYS, &ELSEWHERE),
                }
            }
        }
        Err(error) => {
            let mut at = error.span().unwrap_or_default();
            // What is missing is missing where the text before ends, which may be lines before.
            if at.is_empty() {
                at.start = text
                    .get(..at.start)
                    .map_or(0, |before| before.trim_end().len());
            }
            reader.flaw(&at, format!("this is no TOML: {}", error.message()));
        }
    }
    // In the order of the file, as its author thinks of them.
    loaded.rules.sort_by_key(|rule| rule.line);
    loaded.flaws = reader.into_flaws();
    loaded
}

/// The rules of one verdict.
fn rules(reader: &mut Reader, key: &str, verdict: RuleVerdict, value: &Value<'_>) -> Vec<Rule> {
    let wrong = format!("a list of rules; write `[[{key}]]` above each");
    let Some(items) = value.get_ref().as_array() else {
        reader.wrong_type(key, value, &wrong);
        return Vec::new();
    };
    let mut rules = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        reader.enter(Some(format!("[[{key}]] number {}", index + 1)));
        let DeValue::Table(table) = item.get_ref() else {
            reader.enter(None);
            reader.wrong_type(key, item, &wrong);
            continue;
        };
        let mut rule = Rule::new(verdict);
        rule.line = Some(reader.line(&item.span()));
        rule::fill(reader, &mut rule, item, table);
        rules.push(rule);
    }
    rules
}

/// Trees of files, in few words: each list is a rule or two.
fn trees(reader: &mut Reader, value: &Value<'_>) -> Vec<Rule> {
    reader.enter(Some("[trees]".to_owned()));
    let Some(table) = value.get_ref().as_table() else {
        reader.wrong_type("trees", value, "a table; write `[trees]` above its keys");
        return Vec::new();
    };
    let mut rules = Vec::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        let line = Some(reader.line(&key.span()));
        let mut rule = |verdict, reason: Option<&str>, fill: &dyn Fn(&mut Rule)| {
            let mut rule = Rule::new(verdict);
            rule.line = line;
            rule.reason = reason.map(str::to_owned);
            fill(&mut rule);
            rules.push(rule);
        };
        if !TREES.contains(&name) {
            reader.unknown_key(key, &TREES);
            continue;
        }
        let paths = reader.strings(name, value);
        match name {
            _ if paths.is_empty() => {}
            "allowed" => rule(RuleVerdict::Allow, None, &|rule| {
                rule.paths.clone_from(&paths)
            }),
            "forbidden" => rule(RuleVerdict::Deny, Some("that tree is forbidden"), &|rule| {
                rule.paths.clone_from(&paths);
            }),
            _ => {
                rule(RuleVerdict::Allow, None, &|rule| {
                    rule.reads.clone_from(&paths)
                });
                rule(RuleVerdict::Deny, Some("that tree is read-only"), &|rule| {
                    rule.writes.clone_from(&paths);
                });
            }
        }
    }
    rules
}
