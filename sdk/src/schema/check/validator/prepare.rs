//! The schema that is compiled in place of another: it says the same but for two things.

use serde_json::{Value, json};

use super::Whose;
use super::places::{Places, pointer_of};
use crate::schema::check::fits::refused;
use crate::schema::walk::{has_type, is_annotation};

/// The keyword of an integer that must not have been rounded.
pub(super) const EXACT: &str = "x-toolwright-exact";

/// A schema to be compiled.
pub(super) struct Prepared {
    pub(super) schema: Value,
    /// The places of properties whose default is let through beside what they say, in the schema
    /// as it was, outer ones first.
    pub(super) defaults: Vec<String>,
    pub(super) patterns: Patterns,
}

/// A value that equals the declared default is right, whatever else is said of it; and an integer
/// must not have been rounded.
pub(super) fn prepare(schema: &Value, places: &Places<'_>, whose: Whose) -> Prepared {
    let mut ready = schema.clone();
    let patterns = bound_patterns(&mut ready, places);
    if whose == Whose::Types {
        // Their defaults fit, and they read integers as they were written.
        return Prepared {
            schema: ready,
            defaults: Vec::new(),
            patterns,
        };
    }
    for (pointer, place) in &places.all {
        let Value::Object(node) = place else { continue };
        if has_type(node, "integer")
            && !has_type(node, "number")
            && let Some(Value::Object(node)) = ready.pointer_mut(pointer)
        {
            node.insert(EXACT.to_owned(), json!(true));
        }
    }
    let defaults = questionable(&places.all);
    // From the inside out, so that the pointers lead where they did.
    for pointer in defaults.iter().rev() {
        if let Some(node) = ready.pointer_mut(pointer) {
            let inner = node.take();
            let default = inner["default"].clone();
            *node = json!({"anyOf": [{"const": default}, inner]});
        }
    }
    Prepared {
        schema: ready,
        defaults,
        patterns,
    }
}

/// The longest text that is matched with a pattern that looks around or back, in characters. Each
/// time it does, it may read all of the text again.
const LONGEST: u64 = 1 << 16;
crate::util::documented::documented_default!(
    "text for a pattern that looks around or back",
    with(LONGEST, "characters")
);

/// Patterns whose cost is more than the length of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Patterns {
    /// There are some of texts.
    pub(super) of_texts: bool,
    /// There are some of names.
    pub(super) of_names: bool,
    /// Something is allowed because something else is not, so that a text that is not matched may
    /// not just be one that does not match.
    inverted: bool,
}

impl Patterns {
    /// Returns true if a value is too long for them to be matched over and over.
    pub(super) fn are_slow(self, value: &Value) -> bool {
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) if self.of_texts && text.len() as u64 > LONGEST => return true,
                Value::Array(items) => left.extend(items),
                Value::Object(members) => left.extend(members.values()),
                _ => {}
            }
        }
        false
    }

    /// Returns true if something in a value is too long to be matched, so that nobody knows.
    pub(super) fn refuse(self, value: &Value) -> bool {
        self.has_long_name(value) || (self.inverted && self.are_slow(value))
    }

    fn has_long_name(self, value: &Value) -> bool {
        let mut left = vec![value];
        while let Some(value) = left.pop().filter(|_| self.of_names) {
            match value {
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    if members.keys().any(|name| name.len() > 1024) {
                        return true;
                    }
                    left.extend(members.values());
                }
                _ => {}
            }
        }
        false
    }
}

/// Bounds the texts that such patterns are matched with, before they are.
fn bound_patterns(ready: &mut Value, places: &Places<'_>) -> Patterns {
    let mut found = Patterns::default();
    for (pointer, place) in &places.all {
        found.inverted |= ["not", "if", "oneOf", "contains"]
            .iter()
            .any(|keyword| place.get(keyword).is_some());
        let patterns = place.get("patternProperties").and_then(Value::as_object);
        found.of_names |= patterns.is_some_and(|all| all.keys().any(|p| is_slow(p)))
            || place["propertyNames"]["pattern"]
                .as_str()
                .is_some_and(is_slow);
        if !place
            .get("pattern")
            .and_then(Value::as_str)
            .is_some_and(is_slow)
        {
            continue;
        }
        found.of_texts = true;
        if let Some(Value::Object(node)) = ready.pointer_mut(pointer) {
            let most = node.get("maxLength").and_then(Value::as_u64);
            let most = most.map_or(LONGEST, |most| most.min(LONGEST));
            // First, because keywords are judged in this order until one refuses.
            let rest = std::mem::take(node);
            node.insert("maxLength".to_owned(), json!(most));
            node.extend(
                rest.into_iter()
                    .filter(|(keyword, _)| keyword != "maxLength"),
            );
        }
    }
    found
}

/// Returns true if a pattern may go back in the text, so that it is not matched in one pass.
pub(super) fn is_slow(pattern: &str) -> bool {
    let around = ["(?=", "(?!", "(?<", "(?>", "(?(", "(?R"];
    let twice = ["++", "*+", "?+", "}+"];
    let mut escaped = pattern.split('\\').skip(1);
    around
        .iter()
        .chain(&twice)
        .any(|part| pattern.contains(part))
        || escaped.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || "kgGKZ".contains(c)))
}

/// The most steps to match defaults with patterns.
const EFFORT: usize = 1_000_000;

/// The places of properties that may refuse their own default, outer ones first.
fn questionable(places: &[(String, &Value)]) -> Vec<String> {
    let nodes = places.iter().filter_map(|(_, place)| place.as_object());
    let targets: Vec<String> = nodes.filter_map(pointer_of).collect();
    let has_resources = places
        .iter()
        .any(|(pointer, place)| !pointer.is_empty() && place.get("$id").is_some());
    if has_resources {
        // A look at references does then not tell what they lead to.
        return Vec::new();
    }
    let is_property = |pointer: &str| {
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        parent.ends_with("/properties") || parent == "/properties"
    };
    let leads_into = |pointer: &str| {
        let within = |target: &String| {
            let rest = target.strip_prefix(pointer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        targets.iter().any(within)
    };
    let mut effort = EFFORT;
    let mut found: Vec<String> = places
        .iter()
        .filter(|(pointer, place)| is_property(pointer) && is_questionable(place, &mut effort))
        .filter(|(pointer, _)| !leads_into(pointer))
        .map(|(pointer, _)| pointer.clone())
        .collect();
    found.sort_by_key(String::len);
    found
}

fn is_questionable(place: &Value, effort: &mut usize) -> bool {
    let (Some(node), Some(default)) = (place.as_object(), place.get("default")) else {
        return false;
    };
    let plain = |keyword: &String| {
        is_annotation(keyword)
            || matches!(keyword.as_str(), "type" | "enum" | "minimum" | "maximum")
    };
    !node.keys().all(plain) || refused(default, place, effort).is_some() || *effort == 0
}
