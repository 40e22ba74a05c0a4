//! Why a value could not be read: the place that the error leads to, and what the schema says of it.

use serde_json::Value;

use super::cause::ReadError;
use super::faults::{Fault, faults};
use super::words::{expected, expected_found, nearest_of, unknown};
use crate::message::{ArgumentProblem, ProblemKind, push_key};
use crate::spec::schema::{self, PathPart};
use crate::strict::Flags;
use crate::tool::argument::TrackedError;

/// What is wrong with a value that could not be read: of an argument, or without a name the whole
/// object. The schema says it in words; serde's own words name private types.
pub(super) fn explain(
    problems: &mut Vec<ArgumentProblem>,
    name: Option<&str>,
    value: &Value,
    error: &TrackedError,
    flags: &Flags,
    root: &Value,
) {
    let mut kind = match error.inner() {
        ReadError::NotAllowed => ProblemKind::Constraint,
        ReadError::Unfit | ReadError::Unclear => ProblemKind::Type,
    };
    let mut path: Vec<PathPart<'_>> = name.map(PathPart::Key).into_iter().collect();
    let top = path.len();
    path.extend(parts(error.path()));
    let all = path.clone();
    // A path may lead through the name of a variant, which is no place in the value, or to where
    // the schema says nothing clear; what is around it is told then.
    let (place, found) = loop {
        let (place, found) = follow(name, value, &path[top..]);
        if let Some(found) = found
            && schema::at(root, &path).is_some()
        {
            break (place, found);
        }
        if path.len() == top {
            break (place, value);
        }
        path.pop();
    };
    // The schema does not say what an alias is another name of.
    if !flags.unknown()
        && let (Some(PathPart::Key(key)), Value::Object(fields)) = (all.get(path.len()), found)
        && let Some(value) = fields.get(*key)
        && schema::at(root, &path).is_some_and(|node| node["properties"].is_object())
    {
        let message = expected_found(&all[..=path.len()], value, root);
        let mut pointer = place;
        push_key(&mut pointer, key);
        problems.push(ArgumentProblem::new(kind, pointer, message));
        return;
    }
    let told = problems.len();
    if let (Some(node), Value::Object(fields)) = (schema::at(root, &path), found) {
        let known = || {
            node["properties"]
                .as_object()
                .into_iter()
                .flat_map(|p| p.keys())
        };
        if node["additionalProperties"] == Value::Bool(false) {
            for key in fields.keys().filter(|key| known().all(|k| k != *key)) {
                problems.push(unknown(key, &place, known().map(String::as_str)));
            }
        }
        let required = node["required"].as_array().into_iter().flatten();
        for key in required
            .filter_map(Value::as_str)
            .filter(|k| !fields.contains_key(*k))
        {
            let mut pointer = place.clone();
            push_key(&mut pointer, key);
            let inner: Vec<PathPart<'_>> =
                path.iter().copied().chain([PathPart::Key(key)]).collect();
            let message = format!(
                "is required and missing: expected {}",
                expected(&inner, root)
            );
            problems.push(ArgumentProblem::new(ProblemKind::Missing, pointer, message));
        }
    }
    if problems.len() > told {
        return;
    }
    // The error of what serde read from a copy of its own leads no further than to the whole, and
    // has none of what the branches of a union say.
    if let Some(node) = schema::at(root, &path) {
        let faults = faults(found, node, root, false);
        if found.is_object() || found.is_array() {
            problems.extend(faults.iter().map(|fault| fault.problem(&place, root)));
        } else if *error.inner() == ReadError::Unclear && is_union(node) {
            kind = faults.first().map_or(kind, Fault::kind);
        }
    }
    if problems.len() == told {
        let message = expected_found(&path, found, root);
        let problem = ArgumentProblem::new(kind, place, message);
        problems.push(with_near_choice(problem, &path, found, root));
    }
}

fn is_union(node: &Value) -> bool {
    node["anyOf"].is_array() || node["oneOf"].is_array()
}

/// The JSON pointer of a place in a value that is named or the whole, and what is there.
fn follow<'v>(
    name: Option<&str>,
    value: &'v Value,
    path: &[PathPart<'_>],
) -> (String, Option<&'v Value>) {
    let mut pointer = String::new();
    if let Some(name) = name {
        push_key(&mut pointer, name);
    }
    let mut found = Some(value);
    for part in path {
        found = match part {
            PathPart::Key(key) => {
                push_key(&mut pointer, key);
                found.and_then(|value| value.get(key))
            }
            PathPart::Index(index) => {
                push_key(&mut pointer, &index.to_string());
                found.and_then(|value| value.get(index))
            }
        };
    }
    (pointer, found)
}

/// Adds the choice that is probably meant, where a text is none of those that there are.
pub(super) fn with_near_choice(
    problem: ArgumentProblem,
    path: &[PathPart<'_>],
    found: &Value,
    root: &Value,
) -> ArgumentProblem {
    let choices = schema::at(root, path).and_then(|node| node["enum"].as_array());
    let choices = choices.into_iter().flatten().filter_map(Value::as_str);
    nearest_of(problem, found, choices)
}

fn parts(path: &serde_path_to_error::Path) -> Vec<PathPart<'_>> {
    use serde_path_to_error::Segment;
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(PathPart::Index(*index)),
            Segment::Map { key } => Some(PathPart::Key(key)),
            Segment::Enum { variant } => Some(PathPart::Key(variant)),
            Segment::Unknown => None,
        })
        .collect()
}
