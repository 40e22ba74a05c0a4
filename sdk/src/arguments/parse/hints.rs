//! What models are known to get wrong, said where it is seen: arguments with something around them,
//! a word for "nothing" in place of nothing, an item that is in a list twice.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::words::found;
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{self, Hidden, PathPart};

/// The longest text that is looked into, in bytes.
const TEXT: usize = 1 << 16;
/// The longest item that is quoted, in bytes.
const ITEM: usize = 60;

/// Says more of problems of which more is known. The values of the arguments are found by the
/// first names of their pointers.
pub(super) fn hinted<'v>(
    problems: Vec<ArgumentProblem>,
    root: &Value,
    argument: &dyn Fn(&str) -> Option<&'v Value>,
) -> Vec<ArgumentProblem> {
    let hinted = problems.into_iter().map(|problem| {
        let keys: Vec<String> = problem
            .pointer()
            .split('/')
            .skip(1)
            .map(|key| key.replace("~1", "/").replace("~0", "~"))
            .collect();
        let Some((first, rest)) = keys.split_first() else {
            return problem;
        };
        let Some(value) = argument(first).and_then(|value| inside(value, rest)) else {
            return problem;
        };
        match problem.kind() {
            ProblemKind::Unknown if rest.is_empty() && problem.suggestion().is_none() => {
                if holds_arguments(value, root) {
                    let words = format!(
                        "there is no such argument: send what is in it as the arguments, without \
                         `{first}` around it"
                    );
                    return ArgumentProblem::new(ProblemKind::Unknown, problem.pointer(), words);
                }
                problem
            }
            ProblemKind::Type | ProblemKind::Constraint => of_value(problem, value, &keys, root),
            _ => problem,
        }
    });
    hinted.collect()
}

fn inside<'v>(value: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(value, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    })
}

/// Whether a value, or the JSON in a text, is an object that has arguments and nothing else.
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
    !members.is_empty()
        && members
            .keys()
            .all(|key| root["properties"].get(key).is_some())
}

/// The same of a value other than expected. Of a secret nothing was said to be found.
fn of_value(
    problem: ArgumentProblem,
    value: &Value,
    keys: &[String],
    root: &Value,
) -> ArgumentProblem {
    let (Some(expected), Some(_)) = (problem.expected(), problem.found()) else {
        return problem;
    };
    match value {
        Value::String(text) if is_nothing(text) => match may_be_left_out(keys, root) {
            Some(name) => {
                let expected = format!("{expected}, or no `{name}` at all");
                problem.with_expected(expected)
            }
            None => problem,
        },
        Value::Array(items) if problem.kind() == ProblemKind::Constraint => {
            match node(keys, root).and_then(|node| twice(items, node, problem.pointer(), root)) {
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

/// Whether a text is what models write for no value.
fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    ["", "null", "none", "nil", "undefined", "n/a"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// The name of a member that its object need not have.
fn may_be_left_out<'k>(keys: &'k [String], root: &Value) -> Option<&'k str> {
    let (name, above) = keys.split_last()?;
    let object = node(above, root)?;
    object.get("properties")?.get(name)?;
    let required = object["required"].as_array();
    let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
    (!is_required).then_some(name)
}

/// What the schema says of a place, in which names are no numbers.
fn node<'s>(keys: &[String], root: &'s Value) -> Option<&'s Value> {
    let part = |key: &'_ String| -> Option<usize> { key.parse().ok() };
    let path: Vec<PathPart<'_>> = keys
        .iter()
        .map(|key| part(key).map_or(PathPart::Key(key), PathPart::Index))
        .collect();
    schema::at(root, &path)
}

/// A text or number that is in a list twice where each item is to be there once.
fn twice(items: &[Value], node: &Value, pointer: &str, root: &Value) -> Option<String> {
    if node["uniqueItems"] != true {
        return None;
    }
    let mut seen = HashMap::new();
    let plain = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_array() && !item.is_object());
    let (again, places) = plain
        .map(|(index, item)| (index, item.to_string()))
        .find_map(|(index, item)| {
            let first = seen.insert(item.clone(), index)?;
            Some((item, [first, index]))
        })?;
    // The list may be shown and its items not. Which arguments are secret has been seen before.
    let mut hidden = Hidden::new(root, &[]);
    let is_secret = |index: &usize| hidden.on_the_way(&format!("{pointer}/{index}")).is_some();
    (again.len() <= ITEM && !places.iter().any(is_secret)).then_some(again)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(kind: ProblemKind, pointer: &str, arguments: &Value) -> String {
        let root = json!({"type": "object", "properties": {
            "a": {"type": "integer"},
            "o": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x"]},
            "l": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
        }, "required": ["a"]});
        let value = arguments.pointer(pointer).unwrap();
        let problem = match kind {
            ProblemKind::Unknown => ArgumentProblem::new(kind, pointer, "is unknown"),
            _ => ArgumentProblem::other(kind, pointer, "X", found(value)),
        };
        let hinted = hinted(vec![problem], &root, &|name| arguments.get(name));
        hinted[0].message().to_owned()
    }

    #[test]
    fn arguments_in_an_object_of_their_own_are_told_so() {
        let expected = "there is no such argument: send what is in it as the arguments, without \
                        `w` around it";
        for inner in [
            json!({"a": 1}),
            json!({"a": 1, "o": {}}),
            json!(r#" {"l": []}"#),
        ] {
            assert_eq!(
                said(ProblemKind::Unknown, "/w", &json!({"w": inner})),
                expected
            );
        }
        for inner in [
            json!({}),
            json!({"a": 1, "b": 1}),
            json!([{"a": 1}]),
            json!("{"),
            json!(""),
        ] {
            assert_eq!(
                said(ProblemKind::Unknown, "/w", &json!({"w": inner})),
                "is unknown"
            );
        }
    }

    #[test]
    fn nothing_is_said_by_leaving_out_what_may_be_left_out() {
        let of = |pointer, arguments| said(ProblemKind::Type, pointer, &arguments);
        assert_eq!(
            of("/o", json!({"o": "None"})),
            "expected X, or no `o` at all, found the text \"None\""
        );
        assert_eq!(
            of("/o/y", json!({"o": {"y": ""}})),
            "expected X, or no `y` at all, found the text \"\""
        );
        assert_eq!(
            of("/o/x", json!({"o": {"x": ""}})),
            "expected X, found the text \"\""
        );
        assert_eq!(
            of("/a", json!({"a": "null"})),
            "expected X, found the text \"null\""
        );
        assert_eq!(
            of("/l/0", json!({"l": ["null"]})),
            "expected X, found the text \"null\""
        );
        assert_eq!(
            of("/o", json!({"o": "no"})),
            "expected X, found the text \"no\""
        );
    }

    #[test]
    fn an_item_that_is_there_twice_is_named() {
        let of = |list: Value| said(ProblemKind::Constraint, "/l", &json!({"l": list}));
        let found = "expected X, found a list of 3 with \"b\" twice";
        assert_eq!(of(json!(["b", "a", "b"])), found);
        assert_eq!(of(json!(["b", "a"])), "expected X, found a list of 2");
        let long = "x".repeat(100);
        assert_eq!(of(json!([long, long])), "expected X, found a list of 2");
    }
}
