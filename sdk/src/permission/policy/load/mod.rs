//! Policies from TOML.

mod file;
mod reader;
mod rule;
mod value;

#[cfg(test)]
mod tests;

use toml::de::{DeTable, DeValue};

use super::rule::{DefaultDecision, Rule, RuleVerdict, Tree};
use reader::{Place, Reader, Value};

pub(super) use reader::Flaw;

/// The most bytes of a policy file. One that people read is a hundredth of this.
pub(super) const MAX_SIZE: usize = 1024 * 1024;
crate::documented::documented_default!("file of a policy", bytes(MAX_SIZE));

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
const DEFAULTS: [(&str, DefaultDecision); 3] = [
    ("read-only", DefaultDecision::ReadOnly),
    ("ask", DefaultDecision::Ask),
    ("deny", DefaultDecision::Deny),
];
crate::documented::documented_default!(
    "default of a policy",
    DEFAULTS
        .iter()
        .find(|(_, unmatched)| *unmatched == DefaultDecision::default())
        .map_or("", |(name, _)| name)
);

/// What a policy file says, as far as it can be understood.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) default: Option<DefaultDecision>,
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
            place: Place::File,
            message: "the file has more than 1 MiB, which no policy takes that people read"
                .to_owned(),
        });
        return loaded;
    }
    match DeTable::parse(text) {
        Ok(table) => {
            for (key, value) in table.get_ref() {
                let name: &str = key.get_ref();
                reader.enter(Place::File);
                match name {
                    "default" => {
                        loaded.default = reader.text(name, value).and_then(|word| {
                            reader.word("default", word, &value.span(), &DEFAULTS)
                        });
                    }
                    "shared" => loaded.shared = reader.flag(name, value).unwrap_or_default(),
                    "trees" => loaded.rules.extend(trees(&mut reader, value)),
                    "allow" => {
                        let rules = rules(&mut reader, name, RuleVerdict::Allow, value);
                        loaded.rules.extend(rules);
                    }
                    "ask" => {
                        let rules = rules(&mut reader, name, RuleVerdict::Ask, value);
                        loaded.rules.extend(rules);
                    }
                    "deny" => {
                        let rules = rules(&mut reader, name, RuleVerdict::Deny, value);
                        loaded.rules.extend(rules);
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
        let DeValue::Table(table) = item.get_ref() else {
            reader.enter(Place::File);
            reader.wrong_type(key, item, &wrong);
            continue;
        };
        let line = reader.line(&item.span());
        reader.enter(Place::Rule {
            verdict,
            number: index + 1,
            line,
        });
        let mut rule = Rule::of(verdict);
        rule.line = Some(line);
        rule::fill(reader, &mut rule, item, table);
        rules.push(rule);
    }
    rules
}

/// Trees of files, in few words: each list is a rule or two.
fn trees(reader: &mut Reader, value: &Value<'_>) -> Vec<Rule> {
    reader.enter(Place::Trees);
    let Some(table) = value.get_ref().as_table() else {
        reader.wrong_type("trees", value, "a table; write `[trees]` above its keys");
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
                reader.unknown_key(key, &TREES);
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
