//! Mistakes that models are known to make, told where they are seen: arguments with something around
//! them, a word for "nothing" in place of nothing, an item that is in a list twice.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::sentences::found;
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{Hidden, at, required};
use crate::util::pointer::{unescaped, value_at};

/// The longest text that is looked into, in bytes.
const TEXT: usize = 1 << 16;
/// The longest item that is quoted, in bytes.
const ITEM: usize = 60;

/// Adds what is known of the mistakes behind some problems.
pub(super) fn hinted(
    problems: Vec<ArgumentProblem>,
    root: &Value,
    tree: &Value,
) -> Vec<ArgumentProblem> {
    let hinted = problems.into_iter().map(|problem| {
        let pointer = problem.pointer();
        let Some((object, key)) = pointer.rsplit_once('/') else {
            return problem;
        };
        let Some(value) = value_at(tree, pointer) else {
            return problem;
        };
        match problem.kind() {
            ProblemKind::Unknown
                if object.is_empty()
                    && problem.suggestion().is_none()
                    && holds_arguments(value, root) =>
            {
                let words = format!(
                    "there is no such argument: send what is in it as the arguments, without \
                     `{}` around it",
                    unescaped(key)
                );
                ArgumentProblem::new(ProblemKind::Unknown, pointer, words)
            }
            ProblemKind::Type | ProblemKind::Constraint => of_value(problem, value, root),
            _ => problem,
        }
    });
    hinted.collect()
}

/// Returns true if a value, or the JSON in a text, is an object that has arguments and nothing else.
fn holds_arguments(value: &Value, root: &Value) -> bool {
    let members: Cow<'_, Map<String, Value>> = match value {
        Value::Object(members) => Cow::Borrowed(members),
        Value::String(text) if text.len() <= TEXT && text.trim_start().starts_with('{') => {
            match serde_json::from_str(text) {
                Ok(members) => Cow::Owned(members),
                Err(_) => return false,
            }
        }
        _ => return false,
    };
    let mut keys = members.keys();
    !members.is_empty() && keys.all(|key| root["properties"].get(key).is_some())
}

/// Adds the same to a problem of a value other than expected. Of a secret nothing was said to be found.
fn of_value(problem: ArgumentProblem, value: &Value, root: &Value) -> ArgumentProblem {
    let (Some(expected), Some(_)) = (problem.expected(), problem.found()) else {
        return problem;
    };
    match value {
        Value::String(text) if is_nothing(text) => match optional(problem.pointer(), root) {
            Some(name) => {
                let expected = format!("{expected}, or no `{name}` at all");
                problem.with_expected(expected)
            }
            None => problem,
        },
        Value::Array(items) if problem.kind() == ProblemKind::Constraint => {
            match twice(items, problem.pointer(), root) {
                Some(item) => {
                    let found = format!("{} with {item} twice", found(value));
                    problem.with_found(found)
                }
                None => problem,
            }
        }
        _ => problem,
    }
}

/// Returns true if a text is what models write for no value.
fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    ["", "null", "none", "nil", "undefined", "n/a"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns the name of a member that its object need not have.
fn optional(pointer: &str, root: &Value) -> Option<String> {
    let (above, name) = pointer.rsplit_once('/')?;
    let name = unescaped(name);
    let object = at(root, above)?;
    object.get("properties")?.get(&name)?;
    (!required(object).any(|one| one == name)).then_some(name)
}

/// Returns a text or number that is in a list twice where each item is to be there once.
fn twice(items: &[Value], pointer: &str, root: &Value) -> Option<String> {
    if at(root, pointer)?["uniqueItems"] != true {
        return None;
    }
    let mut seen = HashMap::new();
    let mut plain = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_array() && !item.is_object());
    let (again, places) = plain.find_map(|(index, item)| {
        let item = item.to_string();
        let first = seen.insert(item.clone(), index)?;
        Some((item, [first, index]))
    })?;
    // The list may be shown and its items not. Which arguments are secret is seen later.
    let mut hidden = Hidden::new(root, &[]);
    let is_secret = |index: &usize| hidden.on_the_way(&format!("{pointer}/{index}")).is_some();
    (again.len() <= ITEM && !places.iter().any(is_secret)).then_some(again)
}
