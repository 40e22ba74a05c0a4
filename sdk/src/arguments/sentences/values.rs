//! The words for a value, found and expected.

use serde_json::{Map, Value};

use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{at, describe, may_hold_secret, resolved};
use crate::util::suggestion::nearest;

/// The longest value that is quoted back, in characters.
const QUOTED: usize = 40;

/// The most choices that are held against what was found.
const CHOICES: usize = 2_000;

/// Returns the words for a value that was found: the value itself, if it is short.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().count() <= QUOTED => format!("the text {text:?}"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) if is_short(members) => {
            let names = members
                .keys()
                .map(|name| format!("`{}`", name.escape_debug()));
            format!("an object with {}", names.collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => format!("an object of {} names", members.len()),
    }
}

/// Returns true if an object is shown by its names.
fn is_short(members: &Map<String, Value>) -> bool {
    members.len() <= 4 && members.keys().map(String::len).sum::<usize>() <= 2 * QUOTED
}

/// Returns a name, cut where it is long.
pub(crate) fn shortened(key: &str) -> String {
    match key.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
}

/// Returns true if a value is shown by its content, and not by its kind and size alone.
pub(super) fn shows_parts(value: &Value) -> bool {
    match value {
        Value::Null | Value::Array(_) => false,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        Value::Object(members) => !members.is_empty(),
    }
}

/// Returns the problem of a value other than expected. If a part of what belongs there is secret, the
/// value may be that: a text that should have been read as JSON, or the secret alone.
pub(super) fn other_of(
    kind: ProblemKind,
    pointer: String,
    expected: String,
    value: &Value,
    (node, root): (&Value, &Value),
) -> ArgumentProblem {
    if shows_parts(value) && may_hold_secret(node, root) {
        return secret(kind, pointer, expected, value);
    }
    ArgumentProblem::other(kind, pointer, expected, found(value))
}

/// Returns the problem of a value other than a schema says of its place.
pub(crate) fn other_than(
    kind: ProblemKind,
    pointer: String,
    value: &Value,
    node: &Value,
    root: &Value,
) -> ArgumentProblem {
    let expected = match outside(value, node) {
        Some([least, most]) => format!("an integer from {least} to {most}"),
        None => describe(node, root),
    };
    let problem = other_of(kind, pointer, expected, value, (node, root));
    if problem.found().is_none() {
        return problem;
    }
    nearest_of(problem, value, choices(node, root))
}

/// Returns the problem of a secret value, without anything of the value.
pub(crate) fn secret(
    kind: ProblemKind,
    pointer: String,
    expected: String,
    value: &Value,
) -> ArgumentProblem {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    ArgumentProblem::secret(kind, pointer, expected, found)
}

/// Adds the one of some choices that is probably meant.
pub(super) fn nearest_of<'c>(
    problem: ArgumentProblem,
    found: &Value,
    choices: impl Iterator<Item = &'c str>,
) -> ArgumentProblem {
    let near = |found| nearest(found, choices.take(CHOICES));
    match found.as_str().and_then(near) {
        Some(choice) => problem.with_suggestion(choice),
        None => problem,
    }
}

/// Returns the texts that a schema lists, itself or in the branches of a union.
fn choices<'s>(node: &'s Value, root: &'s Value) -> impl Iterator<Item = &'s str> {
    let unions = ["anyOf", "oneOf"].into_iter();
    let branches = unions
        .filter_map(|keyword| node[keyword].as_array())
        .flatten();
    let branches = branches.filter_map(|branch| resolved(root, branch));
    let listed = std::iter::once(node).chain(branches);
    let listed = listed.filter_map(|node| node["enum"].as_array()).flatten();
    listed.filter_map(Value::as_str)
}

/// Returns the ends of an integer, if a whole number is outside of those that a description leaves out:
/// the ends of 32 and 64 bits tell nothing unless they are what is wrong.
fn outside<'n>(value: &Value, node: &'n Value) -> Option<[&'n Value; 2]> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    if node["type"] != "integer" || node.get("enum").is_some() {
        return None;
    }
    let (least, most) = (node.get("minimum")?, node.get("maximum")?);
    // An integer that does not fit into 64 bits is read as the nearest that a float can be.
    let is_rounded = |end: f64| value.is_f64() && number.total_cmp(&end).is_eq();
    let is_below = |end: f64| number < end || is_rounded(end);
    let is_above = |end: f64| number > end || is_rounded(end);
    let lowest = [i64::MIN, i32::MIN.into()];
    let highest = [u64::MAX, i64::MAX as u64, u32::MAX.into(), i32::MAX as u64];
    let below = least.as_i64().is_some_and(|end| lowest.contains(&end));
    let above = most.as_u64().is_some_and(|end| highest.contains(&end));
    let outside = (below && least.as_f64().is_some_and(is_below))
        || (above && most.as_f64().is_some_and(is_above));
    outside.then_some([least, most])
}

/// Returns what is expected at a place.
pub(crate) fn expected(pointer: &str, root: &Value) -> String {
    match at(root, pointer) {
        Some(node) => describe(node, root),
        None => "another value".to_owned(),
    }
}
