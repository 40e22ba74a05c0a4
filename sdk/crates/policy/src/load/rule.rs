//! The rules of a policy file.

use std::ops::Range;

use toml::de::DeTable;

use super::reader::Reader;
use super::value::arguments;
use crate::rule::{AnnotationName, AnnotationTest, LISTS, Rule};
use crate::toml_reader::Value;
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
            "effects" => {
                rule.effects = each(reader, name, value, |reader, text, at| {
                    reader.word("effect", text, at, &EFFECTS)
                });
            }
            "hints" => {
                rule.hints = each(reader, name, value, |reader, text, at| {
                    let (given, name) = match text.strip_prefix('!') {
                        Some(name) => (false, name),
                        None => (true, text),
                    };
                    let name = reader.word("hint", name, at, &HINTS)?;
                    Some(AnnotationTest { name, given })
                });
            }
            "arguments" => rule.arguments = arguments(reader, value),
            "read-only-commands" => {
                rule.read_only_commands = reader.flag(name, value).unwrap_or_default();
            }
            name if LISTS.contains(&name) => {
                rule.set_list(name, reader.strings(name, value));
            }
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
    let is_wrong = |key: &&str| rule.list(key).is_empty() && table.contains_key(*key);
    let (kinds, commands) = (
        is_wrong(&"kinds"),
        ["commands", "exact-commands"].iter().any(is_wrong),
    );
    for (is_wrong, key) in [(kinds, "targets"), (commands, "environment")] {
        if is_wrong {
            rule.lists.remove(key);
        }
    }
    // A key that says nothing, such as a list that is empty, was told of.
    let says_what = table.iter().any(|(key, value)| {
        let name: &str = key.get_ref();
        let off = name == "read-only-commands" && value.get_ref().as_bool() == Some(false);
        name != "reason" && !off
    });
    if !says_what {
        reader.mistake(
            &whole.span(),
            "the rule does not say what it is about; if it is about every tool, write `tools = [\"*\"]`",
        );
    }
}

/// Reads each text of a list. `None` if none can be read, which was told of.
fn each<T>(
    reader: &mut Reader,
    key: &str,
    value: &Value<'_>,
    read: impl Fn(&mut Reader, &str, &Range<usize>) -> Option<T>,
) -> Option<Vec<T>> {
    let texts = reader.filled(key, value).into_iter();
    let read: Vec<T> = texts
        .filter_map(|text| read(reader, text.get_ref().as_str()?, &text.span()))
        .collect();
    (!read.is_empty()).then_some(read)
}
