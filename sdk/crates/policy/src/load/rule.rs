//! The rules of a policy file.

use toml::de::DeTable;

use super::reader::{Reader, Value};
use super::value::arguments;
use crate::rule::{AnnotationName, AnnotationTest, Rule};
use toolwright::spec::Effect;

/// All keys of a rule.
pub(super) const KEYS: [&str; 16] = [
    "reason",
    "tools",
    "effects",
    "hints",
    "capabilities",
    "arguments",
    "paths",
    "reads",
    "writes",
    "commands",
    "exact-commands",
    "read-only-commands",
    "environment",
    "hosts",
    "kinds",
    "targets",
];

const EFFECTS: [(&str, Effect); 4] = [
    ("pure", Effect::Pure),
    ("read-only", Effect::ReadOnly),
    ("idempotent", Effect::Idempotent),
    ("at-most-once", Effect::AtMostOnce),
];

const HINTS: [(&str, AnnotationName); 4] = [
    named(AnnotationName::Destructive),
    named(AnnotationName::OpenWorld),
    named(AnnotationName::NeedsApproval),
    named(AnnotationName::Streaming),
];

const fn named(hint: AnnotationName) -> (&'static str, AnnotationName) {
    (hint.as_str(), hint)
}

/// Fills a rule from its table. Whether its conditions go together is not asked here.
pub(super) fn fill(reader: &mut Reader, rule: &mut Rule, whole: &Value<'_>, table: &DeTable<'_>) {
    for (key, value) in table {
        let name: &str = key.get_ref();
        match name {
            "reason" => rule.reason = reader.text(name, value).map(str::to_owned),
            "tools" => rule.tools = reader.strings(name, value),
            "effects" => rule.effects = words(reader, value, name, "effect", &EFFECTS),
            "hints" => rule.hints = hints(reader, value),
            "capabilities" => rule.capabilities = reader.strings(name, value),
            "arguments" => rule.arguments = arguments(reader, value),
            "paths" => rule.paths = reader.strings(name, value),
            "reads" => rule.reads = reader.strings(name, value),
            "writes" => rule.writes = reader.strings(name, value),
            "commands" => rule.commands = reader.strings(name, value),
            "exact-commands" => rule.exact_commands = reader.strings(name, value),
            "read-only-commands" => {
                rule.read_only_commands = reader.flag(name, value).unwrap_or_default();
            }
            "environment" => rule.environment = reader.strings(name, value),
            "hosts" => rule.hosts = reader.strings(name, value),
            "kinds" => rule.kinds = reader.strings(name, value),
            "targets" => rule.targets = reader.strings(name, value),
            // Keys after the heading of a table belong to that table, up to the next heading.
            _ => reader.misplaced_key(
                key,
                &KEYS,
                &[(
                    &["default", "shared"],
                    "at the top of the file, above the first `[`",
                )],
            ),
        }
    }
    // A list that could not be read is a mistake already; the keys that go with it are not a second one.
    let is_wrong = |key: &str, list: &[String]| list.is_empty() && table.contains_key(key);
    if is_wrong("kinds", &rule.kinds) {
        rule.targets.clear();
    }
    if is_wrong("commands", &rule.commands) || is_wrong("exact-commands", &rule.exact_commands) {
        rule.environment.clear();
    }
    // A key that says nothing, such as a list that is empty, was told of.
    let says_what = table.iter().any(|(key, value)| {
        let name: &str = key.get_ref();
        let off = name == "read-only-commands" && value.get_ref().as_bool() == Some(false);
        name != "reason" && !off
    });
    if !says_what {
        reader.flaw(
            &whole.span(),
            "the rule does not say what it is about; if it is about every tool, write `tools = [\"*\"]`",
        );
    }
}

fn words<T: Copy>(
    reader: &mut Reader,
    value: &Value<'_>,
    key: &str,
    what: &str,
    words: &[(&str, T)],
) -> Vec<T> {
    let texts = reader.texts(key, value).into_iter();
    texts
        .filter_map(|text| reader.word(what, text.get_ref().as_str()?, &text.span(), words))
        .collect()
}

fn hints(reader: &mut Reader, value: &Value<'_>) -> Vec<AnnotationTest> {
    let texts = reader.texts("hints", value).into_iter();
    texts
        .filter_map(|text| {
            let written = text.get_ref().as_str()?;
            let (given, name) = match written.strip_prefix('!') {
                Some(name) => (false, name),
                None => (true, written),
            };
            let name = reader.word("hint", name, &text.span(), &HINTS)?;
            Some(AnnotationTest { name, given })
        })
        .collect()
}
