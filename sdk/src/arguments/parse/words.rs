//! The words of a problem: what was expected, what was found, and what was probably meant.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::branches::required;
use crate::arguments::{ArgumentProblem, InvalidArguments, ProblemKind, shortened};
use crate::schema::{self, PathPart, may_hold_secret};
use crate::spec::ToolSpec;
use crate::util::pointer::push_key;
use crate::util::suggestion::nearest;

pub(super) use crate::arguments::found;

/// What arguments are told that are no object.
pub(crate) fn not_an_object(what: &Value, spec: &ToolSpec) -> InvalidArguments {
    let (kind, expected) = (ProblemKind::Type, "an object of arguments");
    let problem = if spec.has_secrets() && shows_parts(what) {
        secret_of(kind, String::new(), expected.to_owned(), what)
    } else {
        ArgumentProblem::other(kind, "", expected, found(what))
    };
    InvalidArguments::new(vec![problem])
}

/// Returns true if a value is shown by its content, and not by its kind and size alone.
fn shows_parts(value: &Value) -> bool {
    match value {
        Value::Null | Value::Array(_) => false,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        Value::Object(members) => !members.is_empty(),
    }
}

/// A value other than expected. Where a part of what belongs there is secret, it may be that: a text
/// that should have been read as JSON, or the secret alone.
pub(super) fn other_of(
    kind: ProblemKind,
    pointer: String,
    expected: String,
    value: &Value,
    (node, root): (&Value, &Value),
) -> ArgumentProblem {
    if shows_parts(value) && may_hold_secret(node, root) {
        return secret_of(kind, pointer, expected, value);
    }
    ArgumentProblem::other(kind, pointer, expected, found(value))
}

/// The pointer of an argument.
pub(super) fn top(name: &str) -> String {
    let mut pointer = String::new();
    push_key(&mut pointer, name);
    pointer
}

pub(super) fn missing(pointer: String, expected: impl Into<String>) -> ArgumentProblem {
    let words = "is required and missing";
    ArgumentProblem::new(ProblemKind::Missing, pointer, words).with_expected(expected)
}

/// A name that no argument has. The names are those that are not given.
pub(super) fn unknown_argument<'n>(
    key: &str,
    names: impl Iterator<Item = &'n str>,
    root: &Value,
) -> ArgumentProblem {
    let problem = unknown(key, "", names, root);
    let mut properties = root["properties"].as_object().into_iter().flatten();
    let has = |(_, node): &(&String, &Value)| {
        schema::resolved(root, node).is_some_and(|node| node["properties"].get(key).is_some())
    };
    match properties.find(has) {
        Some((name, _)) if problem.suggestion().is_none() => {
            let words = format!("there is no such argument here; it belongs inside `{name}`");
            ArgumentProblem::new(ProblemKind::Unknown, problem.pointer(), words)
        }
        _ => problem,
    }
}

/// A name that an object does not have, with the one that is probably meant: of those that are not
/// given, which the names are, one that is required and missing before all others.
pub(super) fn unknown<'n>(
    key: &str,
    parent: &str,
    names: impl Iterator<Item = &'n str>,
    object: &Value,
) -> ArgumentProblem {
    let mut pointer = parent.to_owned();
    push_key(&mut pointer, &shortened(key));
    let problem = ArgumentProblem::new(ProblemKind::Unknown, pointer, "there is no such argument");
    let required: HashSet<&str> = required(object).collect();
    let (first, others): (Vec<&str>, Vec<&str>) = names.partition(|name| required.contains(name));
    match nearest(key, first).or_else(|| nearest(key, others)) {
        Some(name) => problem.with_suggestion(name),
        None => problem,
    }
}

/// The names of an object that are not given.
pub(super) fn names_left<'n>(
    object: &'n Value,
    given: Option<&'n Map<String, Value>>,
) -> impl Iterator<Item = &'n str> {
    names(object).filter(move |name| given.is_none_or(|given| !given.contains_key(*name)))
}

/// The same with the names that there are, for an object that the list of arguments does not show.
pub(super) fn unknown_of(
    key: &str,
    parent: &str,
    object: &Value,
    given: Option<&Map<String, Value>>,
) -> ArgumentProblem {
    let problem = unknown(key, parent, names_left(object, given), object);
    if problem.suggestion().is_some() {
        return problem;
    }
    let mut all: Vec<String> = names(object).map(|name| format!("`{name}`")).collect();
    let count = all.len();
    if count > NAMES {
        all.truncate(NAMES);
        all.push(format!(".. ({count} in all)"));
    }
    match count {
        0 => problem.with_expected("no names at all"),
        _ => problem.with_expected(all.join(", ")),
    }
}

/// The most names of one object that are listed.
const NAMES: usize = 20;

pub(super) fn names(object: &Value) -> impl Iterator<Item = &str> {
    let names = object["properties"].as_object().into_iter().flatten();
    let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.into_iter()
}

/// The most choices that are held against what was found.
const CHOICES: usize = 2_000;

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

/// The texts that a schema lists, itself or in the branches of a union.
fn choices<'s>(node: &'s Value, root: &'s Value) -> impl Iterator<Item = &'s str> {
    let unions = ["anyOf", "oneOf"].into_iter();
    let branches = unions
        .filter_map(|keyword| node[keyword].as_array())
        .flatten();
    let branches = branches.filter_map(|branch| schema::resolved(root, branch));
    let listed = std::iter::once(node).chain(branches);
    let listed = listed.filter_map(|node| node["enum"].as_array()).flatten();
    listed.filter_map(Value::as_str)
}

pub(super) fn expected(path: &[PathPart<'_>], root: &Value) -> String {
    match schema::at(root, path) {
        Some(node) => schema::describe(node, root),
        None => "another value".to_owned(),
    }
}

/// A value other than the schema says of a place.
pub(super) fn other(
    kind: ProblemKind,
    pointer: String,
    path: &[PathPart<'_>],
    value: &Value,
    root: &Value,
) -> ArgumentProblem {
    match schema::at(root, path) {
        Some(node) => of_node(kind, pointer, value, node, root),
        None => ArgumentProblem::other(kind, pointer, expected(path, root), found(value)),
    }
}

/// The same where the schema of the place is known.
pub(super) fn of_node(
    kind: ProblemKind,
    pointer: String,
    value: &Value,
    node: &Value,
    root: &Value,
) -> ArgumentProblem {
    let expected = match outside(value, node) {
        Some([least, most]) => format!("an integer from {least} to {most}"),
        None => schema::describe(node, root),
    };
    let problem = other_of(kind, pointer, expected, value, (node, root));
    if problem.found().is_none() {
        return problem;
    }
    nearest_of(problem, value, choices(node, root))
}

/// The ends of an integer, where a whole number is outside of those that a description leaves out:
/// the ends of 32 and 64 bits tell nothing unless they are what is wrong.
fn outside<'n>(value: &Value, node: &'n Value) -> Option<[&'n Value; 2]> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    if node["type"] != "integer" || node.get("enum").is_some() {
        return None;
    }
    let (least, most) = (node.get("minimum")?, node.get("maximum")?);
    // What does not fit into 64 bits is read as the nearest that a float can be.
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

/// The same of a place that is secret, without anything of the value.
pub(super) fn secret(
    kind: ProblemKind,
    pointer: String,
    path: &[PathPart<'_>],
    value: &Value,
    root: &Value,
) -> ArgumentProblem {
    secret_of(kind, pointer, expected(path, root), value)
}

pub(super) fn secret_of(
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
