//! The words for the names in an object.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::values::shortened;
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{required, resolved};
use crate::util::pointer::below;
use crate::util::suggestion::nearest;

/// The most names of one object that are listed.
const NAMES: usize = 20;

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
pub(super) fn names_left<'n>(
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
