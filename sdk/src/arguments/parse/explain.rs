//! Why a value could not be read: the place that the error leads to, and what the schema says of it.

use serde_json::Value;

use super::cause::ReadError;
use super::complaint::TOO_MUCH;
use super::faults::faults;
use super::proof::{self, Reads, Told, proven, reaches};
use super::words::{expected, missing, other, secret, unknown_of};
use crate::arguments::argument::TrackedError;
use crate::arguments::strict::Flags;
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{self, Hidden, PathPart, marks_secret};
use crate::util::pointer::push_key;

/// What is wrong with a value that could not be read: of an argument, or without a name the whole
/// object. The schema says it in words; serde's own words name private types.
pub(super) fn explain(
    name: Option<&str>,
    value: &Value,
    root: &Value,
    (error, flags): (&TrackedError, &Flags),
    reads: Reads<'_>,
    effort: &mut usize,
) -> Told {
    let path: Vec<PathPart<'_>> = name.map(PathPart::Key).into_iter().collect();
    let mut told = match schema::at(root, &path) {
        Some(node) => {
            let faults = faults(value, node, root, false);
            proven(&faults, name, value, root, reads, effort)
        }
        None => Told::default(),
    };
    let at = proof::pointer(error);
    let is_told = |place: &String| reaches(place, &at) || reaches(&at, place);
    if told.omitted == 0 && !told.places.iter().any(is_told) {
        told.problems
            .push(at_the_error(name, value, error, flags, root));
        told.places.push(at);
    }
    told
}

/// What is wrong at the place that the error leads to.
fn at_the_error(
    name: Option<&str>,
    value: &Value,
    error: &TrackedError,
    flags: &Flags,
    root: &Value,
) -> ArgumentProblem {
    let mut path: Vec<PathPart<'_>> = name.map(PathPart::Key).into_iter().collect();
    let top = path.len();
    path.extend(parts(error.path()));
    if let (pointer, Some(Value::Object(_))) = follow(name, value, &path[top..]) {
        let inside = |key| {
            let mut pointer = pointer.clone();
            push_key(&mut pointer, key);
            pointer
        };
        match *error.inner() {
            ReadError::Missing(key) => {
                let at: Vec<PathPart<'_>> =
                    path.iter().copied().chain([PathPart::Key(key)]).collect();
                return missing(inside(key), expected(&at, root));
            }
            ReadError::Repeated(key) => {
                let words = "is given more than once, under different names";
                return ArgumentProblem::new(ProblemKind::Repeated, inside(key), words);
            }
            _ => {}
        }
    }
    let (pointer, _) = follow(name, value, &path[top..]);
    if *error.inner() == ReadError::TooMuch {
        return ArgumentProblem::new(ProblemKind::Limit, pointer, TOO_MUCH);
    }
    // No names of secret arguments are given, because the caller has looked at them before.
    if let Some(place) = Hidden::new(root, &[]).on_the_way(&pointer) {
        let path = &path[..place.matches('/').count()];
        if let Some(found) = follow(name, value, path.get(top..).unwrap_or_default()).1 {
            return secret(ProblemKind::Type, place.to_owned(), path, found, root);
        }
    }
    let kind = match error.inner() {
        ReadError::NotAllowed => ProblemKind::Constraint,
        _ => ProblemKind::Type,
    };
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
    if let (Some(PathPart::Key(key)), Value::Object(fields)) = (all.get(path.len()), found)
        && let Some(value) = fields.get(*key)
        && let Some(node) = schema::at(root, &path)
    {
        if flags.unknown() {
            return unknown_of(key, &place, node, Some(fields));
        }
        // The schema does not say what an alias is another name of.
        if node["properties"].is_object() {
            let mut pointer = place;
            push_key(&mut pointer, key);
            let mut properties = node["properties"].as_object().into_iter().flatten();
            if properties.any(|(_, node)| marks_secret(node, root)) {
                return secret(kind, pointer, &all[..=path.len()], value, root);
            }
            return other(kind, pointer, &all[..=path.len()], value, root);
        }
    }
    other(kind, place, &path, found, root)
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
