//! The words of a problem: the one place with the sentences that a model reads of its arguments.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::invalid::InvalidArguments;
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{Violation, ViolationKind, at, describe, may_hold_secret, required, resolved};
use crate::spec::ToolSpec;
use crate::util::pointer::push_key;
use crate::util::suggestion::nearest;

/// The longest value that is quoted back, in characters.
const QUOTED: usize = 40;
/// The most names that are told which an object does not have.
const TOLD: usize = 20;
/// The most names of one object that are listed.
const NAMES: usize = 20;
/// The most choices that are held against what was found.
const CHOICES: usize = 2_000;

/// The words for a value that takes too much work to be judged.
pub(crate) const TOO_MUCH: &str =
    "takes too much work to be checked: send less of it, for instance in several calls";

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

/// Returns the place of a name in an object.
pub(crate) fn below(place: &str, name: &str) -> String {
    let mut below = place.to_owned();
    push_key(&mut below, name);
    below
}

/// Puts a violation into words: more than one problem if it is about several names.
pub(crate) fn worded(violation: &Violation<'_>, tree: &Value) -> Vec<ArgumentProblem> {
    let Violation {
        pointer,
        node,
        root,
        kind,
    } = violation;
    let node = node.unwrap_or(&Value::Null);
    let found_there = tree.pointer(pointer);
    let value = found_there.unwrap_or(&Value::Null);
    let expects = |schema: &Value| describe(schema, root);
    let of_node = |kind| other_than(kind, pointer.clone(), value, node, root);
    let one = match kind {
        ViolationKind::Unknown(all) => {
            let of_all = std::ptr::eq(node, *root) && pointer.is_empty();
            let problem = |name: &String| {
                if of_all {
                    unknown_argument(name, names_left(node, value.as_object()), root)
                } else {
                    unknown_of(name, pointer, node, value.as_object())
                }
            };
            return all.iter().take(TOLD).map(problem).collect();
        }
        ViolationKind::Branch(key, near) => {
            unknown(key, pointer, std::iter::once(*near), &Value::Null)
        }
        ViolationKind::Missing(name) => {
            let expected = node["properties"].get(name);
            let expected = expected.map_or_else(|| "a value".to_owned(), expects);
            missing(below(pointer, name), expected)
        }
        ViolationKind::Tag(tags) => {
            let listed: Vec<String> = tags.iter().map(|tag| format!("{tag:?}")).collect();
            let one_of = if listed.len() == 1 { "" } else { "one of " };
            let expected = format!("{one_of}{}", listed.join(", "));
            match found_there {
                None => missing(pointer.clone(), expected),
                Some(value) => {
                    let (kind, found) = (ProblemKind::Type, found(value));
                    let problem = ArgumentProblem::other(kind, pointer, expected, found);
                    nearest_of(problem, value, tags.iter().copied())
                }
            }
        }
        ViolationKind::Name(name) => {
            let message = format!("a name here must be {}", expects(&node["propertyNames"]));
            ArgumentProblem::new(ProblemKind::Constraint, below(pointer, name), message)
        }
        ViolationKind::Type => of_node(ProblemKind::Type),
        ViolationKind::Somewhere if pointer.is_empty() => {
            let message = "something in them does not fit the tool's schema, and it cannot be told \
                           what";
            ArgumentProblem::new(ProblemKind::Constraint, "", message)
        }
        ViolationKind::Other | ViolationKind::NotListed | ViolationKind::Somewhere => {
            of_node(ProblemKind::Constraint)
        }
        ViolationKind::Union => {
            let (kind, expected) = (ProblemKind::Type, union(node, root));
            other_of(kind, pointer.clone(), expected, value, (node, root))
        }
        ViolationKind::Rounded => {
            let expected = "an integer of at most 64 bits, written in digits alone";
            let found = format!("{}, which may have been rounded", found(value));
            ArgumentProblem::other(ProblemKind::Constraint, pointer.clone(), expected, found)
        }
        ViolationKind::TooMuch => too_much(pointer.clone()),
        _ => {
            let message = constraint(kind, node, value, root);
            ArgumentProblem::new(ProblemKind::Constraint, pointer.clone(), message)
        }
    };
    vec![one]
}

/// Returns the words against a value as such.
fn constraint(kind: &ViolationKind<'_>, node: &Value, value: &Value, root: &Value) -> String {
    let expects = |schema: &Value| describe(schema, root);
    let bound = |keyword: &str| node[keyword].as_u64();
    let words = match kind {
        ViolationKind::Excluded => {
            let excluded = of_the_type(&node["not"], node);
            return format!("must not be {}", expects(&excluded));
        }
        ViolationKind::Contains => {
            let expected = expects(&node["contains"]);
            return match (bound("minContains"), bound("maxContains")) {
                (least, Some(most)) => {
                    let least = least.unwrap_or(1);
                    format!("must have from {least} to {most} times {expected}")
                }
                (Some(least), None) if least != 1 => {
                    format!("must have at least {least} times {expected}")
                }
                _ => format!("must have {expected} in it"),
            };
        }
        ViolationKind::Count => {
            let found = value.as_object().map_or(0, Map::len);
            let expected = match (bound("minProperties"), bound("maxProperties")) {
                (Some(least), Some(most)) => format!("{least} to {most}"),
                (Some(least), None) => format!("at least {least}"),
                (None, Some(most)) => format!("at most {most}"),
                (None, None) => "another number of".to_owned(),
            };
            return format!("expected an object of {expected} members, found one of {found}");
        }
        ViolationKind::Several => {
            let union = union(node, root);
            return format!("fits more than one of what it may be: {union}");
        }
        ViolationKind::Pattern => {
            let expected = expects(node);
            return format!("takes too long to be matched with the pattern: expected {expected}");
        }
        ViolationKind::Repeated => "must not have the same value twice",
        ViolationKind::Never => "nothing is allowed here",
        ViolationKind::Unjudged => {
            "the tool's input schema cannot be enforced here, so the tool takes no call"
        }
        _ => "is not as the schema says",
    };
    words.to_owned()
}

/// Returns the alternatives of a schema.
fn union(node: &Value, root: &Value) -> String {
    let branches = node.get("anyOf").or_else(|| node.get("oneOf"));
    let needed = |branch: &Value| {
        let names: Vec<String> = required(branch).map(|name| format!("`{name}`")).collect();
        let is_plain = branch.as_object().is_some_and(|branch| branch.len() == 1);
        (is_plain && !names.is_empty()).then(|| names.join(" and "))
    };
    let all = branches.and_then(Value::as_array);
    let needed: Option<Vec<String>> = all.and_then(|all| all.iter().map(needed).collect());
    match needed {
        Some(needed) if !needed.is_empty() => {
            format!("an object with {}", needed.join(" or with "))
        }
        _ => describe(&json!({"anyOf": branches}), root),
    }
}

/// Returns a schema with the type of the one around it, if it has none of its own.
fn of_the_type(schema: &Value, around: &Value) -> Value {
    let mut schema = schema.clone();
    if let (Value::Object(node), Some(kind)) = (&mut schema, around.get("type"))
        && !["type", "$ref", "anyOf", "oneOf"]
            .iter()
            .any(|keyword| node.contains_key(*keyword))
    {
        node.insert("type".to_owned(), kind.clone());
    }
    schema
}

/// Returns what arguments are told that are no object.
pub(crate) fn not_an_object(found_instead: &Value, spec: &ToolSpec) -> InvalidArguments {
    let (kind, expected) = (ProblemKind::Type, "an object of arguments");
    let problem = if spec.has_secrets() && shows_parts(found_instead) {
        secret(kind, String::new(), expected.to_owned(), found_instead)
    } else {
        ArgumentProblem::other(kind, "", expected, found(found_instead))
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

/// Returns the problem of a value other than expected. If a part of what belongs there is secret, the
/// value may be that: a text that should have been read as JSON, or the secret alone.
fn other_of(
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

pub(crate) fn too_much(pointer: String) -> ArgumentProblem {
    ArgumentProblem::new(ProblemKind::Limit, pointer, TOO_MUCH)
}

pub(crate) fn missing(pointer: String, expected: impl Into<String>) -> ArgumentProblem {
    let words = "is required and missing";
    ArgumentProblem::new(ProblemKind::Missing, pointer, words).with_expected(expected)
}

/// Returns the problem of a name that no argument has. The names are those that are not given.
pub(crate) fn unknown_argument<'n>(
    key: &str,
    names: impl Iterator<Item = &'n str>,
    root: &Value,
) -> ArgumentProblem {
    let problem = unknown(key, "", names, root);
    let mut properties = root["properties"].as_object().into_iter().flatten();
    let has = |(_, node): &(&String, &Value)| {
        resolved(root, node).is_some_and(|node| node["properties"].get(key).is_some())
    };
    match properties.find(has) {
        Some((name, _)) if problem.suggestion().is_none() => {
            let words = format!("there is no such argument here; it belongs inside `{name}`");
            ArgumentProblem::new(ProblemKind::Unknown, problem.pointer(), words)
        }
        _ => problem,
    }
}

/// Returns the problem of a name that an object does not have, with the one that is probably meant: of
/// the names that are not given, one that is required and missing before all others.
pub(crate) fn unknown<'n>(
    key: &str,
    parent: &str,
    names: impl Iterator<Item = &'n str>,
    object: &Value,
) -> ArgumentProblem {
    let pointer = below(parent, &shortened(key));
    let problem = ArgumentProblem::new(ProblemKind::Unknown, pointer, "there is no such argument");
    let required: HashSet<&str> = required(object).collect();
    let (first, others): (Vec<&str>, Vec<&str>) = names.partition(|name| required.contains(name));
    match nearest(key, first).or_else(|| nearest(key, others)) {
        Some(name) => problem.with_suggestion(name),
        None => problem,
    }
}

/// Returns the names of an object that are not given.
fn names_left<'n>(
    object: &'n Value,
    given: Option<&'n Map<String, Value>>,
) -> impl Iterator<Item = &'n str> {
    names(object).filter(move |name| given.is_none_or(|given| !given.contains_key(*name)))
}

/// Returns the same with the names that there are, for an object that the list of arguments does not show.
pub(crate) fn unknown_of(
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

/// Returns the names of an object, sorted.
fn names(object: &Value) -> impl Iterator<Item = &str> {
    let names = object["properties"].as_object().into_iter().flatten();
    let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.into_iter()
}

/// Adds the one of some choices that is probably meant.
fn nearest_of<'c>(
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

/// Returns the arguments that there are, as the model should read them: what is required first.
pub(crate) fn valid(root: &Value) -> Vec<String> {
    let branches = root["anyOf"].as_array().into_iter().flatten();
    let objects = std::iter::once(root).chain(branches);
    let objects: Vec<&Value> = objects
        .filter(|object| names(object).next().is_some())
        .collect();
    let is_required = |name: &str| {
        let mut objects = objects.iter();
        objects.all(|object| required(object).any(|key| key == name))
    };
    let mut all: Vec<(bool, &str)> = objects
        .iter()
        .flat_map(|object| names(object))
        .map(|name| (!is_required(name), name))
        .collect();
    all.sort_unstable();
    all.dedup();
    let word = |(is_optional, name): (bool, &str)| {
        let required = if is_optional { "" } else { " (required)" };
        format!("`{name}`{required}")
    };
    all.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Unions, violations};

    fn told(value: &Value, node: &Value) -> Vec<String> {
        violations(value, node, Unions::Named)
            .iter()
            .filter(|violation| violation.kind != ViolationKind::TooMuch)
            .flat_map(|violation| worded(violation, value))
            .map(|problem| problem.to_string())
            .collect()
    }

    #[test]
    fn a_schema_without_end_has_one() {
        let node = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
        assert!(told(&json!({"a": 1}), &node).is_empty());
        let nowhere = json!({"$ref": "#/$defs/none"});
        assert!(told(&json!(1), &nowhere).is_empty());
    }

    #[test]
    fn what_tells_branches_apart_is_asked_first() {
        let branch = |tag: &str, other: &str| {
            json!({
                "type": "object",
                "properties": {"v": {"enum": ["1"]}, "tag": {"enum": [tag]}, other: {"type": "null"}},
                "required": ["v", "tag"],
                "additionalProperties": false,
            })
        };
        let node = json!({"anyOf": [branch("a", "left"), branch("b", "right")]});
        assert!(told(&json!({"v": "1", "tag": "b", "right": null}), &node).is_empty());
        assert_eq!(
            told(&json!({"v": "1", "tag": "b", "rigth": null}), &node),
            ["`/rigth`: there is no such argument; did you mean `right`?"]
        );
        assert_eq!(
            told(&json!({"v": "1"}), &node),
            ["`/tag`: is required and missing: expected one of \"a\", \"b\""]
        );
        assert_eq!(
            told(&json!({"v": 2, "tag": "a"}), &node),
            ["`/v`: expected \"1\", found 2"]
        );
    }

    #[test]
    fn values_are_held_against_every_keyword() {
        for (node, good, bad) in [
            (
                json!({"type": "integer", "minimum": 2, "maximum": 3}),
                json!(2),
                json!(4),
            ),
            (
                json!({"type": "number", "exclusiveMaximum": 1}),
                json!(0.5),
                json!(1),
            ),
            (json!({"exclusiveMinimum": 1}), json!(1.5), json!(1)),
            (
                json!({"type": "string", "minLength": 2, "maxLength": 2}),
                json!("äö"),
                json!("a"),
            ),
            (json!({"pattern": "^a"}), json!("ab"), json!("b")),
            (
                json!({"format": "date"}),
                json!("2030-01-31"),
                json!("today"),
            ),
            (
                json!({"type": ["array", "null"], "maxItems": 1}),
                json!(null),
                json!([1, 2]),
            ),
            (json!({"enum": [1, "a"]}), json!("a"), json!("b")),
            (json!({"type": "integer"}), json!(7), json!(7.5)),
        ] {
            assert!(told(&good, &node).is_empty(), "{node} {good}");
            assert_eq!(told(&bad, &node).len(), 1, "{node} {bad}");
        }
    }
}
