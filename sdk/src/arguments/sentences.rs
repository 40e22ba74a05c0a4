//! The words of a problem: the one place with the sentences that a model reads of its arguments.

use serde_json::{Map, Value, json};

use super::invalid::InvalidArguments;
use super::{ArgumentProblem, ProblemKind};
use crate::schema::{Violation, ViolationKind, describe, required};
use crate::spec::ToolSpec;
use crate::util::pointer::{below, value_at};

mod names;
mod values;

use names::names_left;
pub(crate) use names::{unknown, unknown_argument, unknown_of, valid};
pub(crate) use values::{expected, found, other_than, secret, shortened};
use values::{nearest_of, other_of, shows_parts};

/// The most names that are told which an object does not have.
const TOLD: usize = 20;

/// The words for a value that takes too much work to be judged.
pub(crate) const TOO_MUCH: &str =
    "takes too much work to be checked: send less of it, for instance in several calls";

/// Puts a violation into words: more than one problem if it is about several names.
pub(crate) fn worded(violation: &Violation<'_>, tree: &Value) -> Vec<ArgumentProblem> {
    let Violation {
        pointer,
        node,
        root,
        kind,
    } = violation;
    let node = node.unwrap_or(&Value::Null);
    let found_there = value_at(tree, pointer);
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

pub(crate) fn too_much(pointer: String) -> ArgumentProblem {
    ArgumentProblem::new(ProblemKind::Limit, pointer, TOO_MUCH)
}

pub(crate) fn missing(pointer: String, expected: impl Into<String>) -> ArgumentProblem {
    let words = "is required and missing";
    ArgumentProblem::new(ProblemKind::Missing, pointer, words).with_expected(expected)
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
    fn nothing_is_said_after_too_much_work() {
        let node = json!({"allOf": [{"$ref": "#"}, {"type": "string"}, {"type": "boolean"}]});
        let found = violations(&json!(1), &node, Unions::Named);
        let kinds: Vec<_> = found.iter().map(|violation| &violation.kind).collect();
        assert_eq!(kinds, [&ViolationKind::TooMuch]);
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
