//! What a schema's judge says of a value, in words for a model.

use serde_json::{Value, json};

use super::words::{found, missing, names_left, of_node, other_of, unknown, unknown_of};
use crate::arguments::{ArgumentProblem, ProblemKind};
use crate::schema::{Complaint, What, describe};
use crate::util::pointer::push_key;

/// How many names of one object are told that it does not have.
const TOLD: usize = 20;

/// The words for a value that takes too much work to be judged.
pub(crate) const TOO_MUCH: &str =
    "takes too much work to be checked: send less of it, for instance in several calls";

/// A complaint in words: more than one problem where it is about several names.
pub(crate) fn worded(complaint: &Complaint<'_>, tree: &Value) -> Vec<ArgumentProblem> {
    let Complaint {
        pointer,
        node,
        root,
        what,
    } = complaint;
    let node = node.unwrap_or(&Value::Null);
    let value = tree.pointer(pointer).unwrap_or(&Value::Null);
    let expects = |schema: &Value| describe(schema, root);
    let below = |name: &str| {
        let mut below = pointer.clone();
        push_key(&mut below, name);
        below
    };
    let one = match what {
        What::Unknown(all) => {
            let of_all = std::ptr::eq(node, *root) && pointer.is_empty();
            let problem = |name: &String| {
                if of_all {
                    unknown(name, pointer, names_left(node, value.as_object()), node)
                } else {
                    unknown_of(name, pointer, node, value.as_object())
                }
            };
            return all.iter().take(TOLD).map(problem).collect();
        }
        What::Missing(name) => {
            let expected = node["properties"].get(name);
            let expected = expected.map_or_else(|| "a value".to_owned(), expects);
            missing(below(name), expected)
        }
        What::Name(name) => {
            let message = format!("a name here must be {}", expects(&node["propertyNames"]));
            ArgumentProblem::new(ProblemKind::Constraint, below(name), message)
        }
        What::Type => of_node(ProblemKind::Type, pointer.clone(), value, node, root),
        What::Some if pointer.is_empty() => {
            let message = "something in them does not fit the tool's schema, and it cannot be told \
                           what";
            ArgumentProblem::new(ProblemKind::Constraint, "", message)
        }
        What::Other | What::Some => {
            of_node(ProblemKind::Constraint, pointer.clone(), value, node, root)
        }
        What::Union => {
            let (kind, expected) = (ProblemKind::Type, union(node, root));
            other_of(kind, pointer.clone(), expected, value, (node, root))
        }
        What::Rounded => {
            let (kind, expected) = (
                ProblemKind::Constraint,
                "an integer of at most 64 bits, written in digits alone",
            );
            let found = format!("{}, which may have been rounded", found(value));
            ArgumentProblem::other(kind, pointer.clone(), expected, found)
        }
        What::TooMuch => ArgumentProblem::new(ProblemKind::Limit, pointer.clone(), TOO_MUCH),
        _ => {
            let message = constraint(what, node, value, root);
            ArgumentProblem::new(ProblemKind::Constraint, pointer.clone(), message)
        }
    };
    vec![one]
}

/// What is said against a value as such.
fn constraint(what: &What, node: &Value, value: &Value, root: &Value) -> String {
    let expects = |schema: &Value| describe(schema, root);
    let words = match what {
        What::Not => return format!("must not be {}", expects(&of_the_type(&node["not"], node))),
        What::Contains => return contains(node, &expects(&node["contains"])),
        What::Count => return count(node, value),
        What::Several => {
            let union = union(node, root);
            return format!("fits more than one of what it may be: {union}");
        }
        What::Pattern => {
            let expected = expects(node);
            return format!("takes too long to be matched with the pattern: expected {expected}");
        }
        What::Repeated => "must not have the same value twice",
        What::Never => "nothing is allowed here",
        What::Unjudged => {
            "the tool's input schema cannot be enforced here, so the tool takes no call"
        }
        _ => "is not as the schema says",
    };
    words.to_owned()
}

/// The alternatives of a schema.
fn union(node: &Value, root: &Value) -> String {
    let branches = node.get("anyOf").or_else(|| node.get("oneOf"));
    let all = branches.and_then(Value::as_array);
    let required = |branch: &Value| {
        let names = branch["required"].as_array()?;
        let names = names.iter().filter_map(Value::as_str);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    };
    let needed: Option<Vec<String>> = all.and_then(|all| {
        let plain = |branch: &Value| branch.as_object().is_some_and(|b| b.len() == 1);
        all.iter()
            .map(|b| required(b).filter(|_| plain(b)))
            .collect()
    });
    match needed {
        Some(needed) if !needed.is_empty() => {
            format!("an object with {}", needed.join(" or with "))
        }
        _ => describe(&json!({"anyOf": branches}), root),
    }
}

/// A schema with the type of the one around it, if it has none of its own.
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

fn contains(node: &Value, expected: &str) -> String {
    let bound = |keyword: &str| node[keyword].as_u64();
    match (bound("minContains"), bound("maxContains")) {
        (least, Some(most)) => format!(
            "must have from {} to {most} times {expected}",
            least.unwrap_or(1)
        ),
        (Some(least), None) if least != 1 => format!("must have at least {least} times {expected}"),
        _ => format!("must have {expected} in it"),
    }
}

fn count(node: &Value, value: &Value) -> String {
    let bound = |keyword: &str| node[keyword].as_u64();
    let found = value.as_object().map_or(0, serde_json::Map::len);
    let expected = match (bound("minProperties"), bound("maxProperties")) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "another number of".to_owned(),
    };
    format!("expected an object of {expected} members, found one of {found}")
}
