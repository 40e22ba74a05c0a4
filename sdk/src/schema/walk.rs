//! The places at which a schema holds further schemas, and the subjects of its keywords.

use serde_json::{Map, Value};

/// A schema that is not a boolean.
pub(super) type Node = Map<String, Value>;

/// The way in which a keyword holds schemas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    One,
    List,
    ByName,
}

pub(super) fn holds(keyword: &str, value: &Value) -> Option<Holds> {
    match keyword {
        "items" if value.is_array() => Some(Holds::List),
        "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => Some(Holds::One),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Some(Holds::List),
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            Some(Holds::ByName)
        }
        _ => None,
    }
}

/// Visits each schema that stands directly in `node`, with the keyword that holds it.
///
/// Only by position: a property that is called `title` or `items` is a property.
pub(super) fn subschemas<'s>(node: &'s Node, visit: &mut dyn FnMut(&'s str, &'s Value)) {
    for (keyword, value) in node {
        match (holds(keyword, value), value) {
            (Some(Holds::One), schema) => visit(keyword, schema),
            (Some(Holds::List), Value::Array(list)) => {
                for schema in list {
                    visit(keyword, schema);
                }
            }
            (Some(Holds::ByName), Value::Object(map)) => {
                for schema in map.values() {
                    visit(keyword, schema);
                }
            }
            _ => {}
        }
    }
}

/// [`subschemas`], with the keys that lead to each. Also what older drafts hold.
#[cfg(feature = "json-schema")]
pub(super) fn subschemas_at<'s>(node: &'s Node, visit: &mut dyn FnMut(&[&str], &'s Value)) {
    for (keyword, value) in node {
        let older = (keyword == "dependencies").then_some(Holds::ByName);
        match (holds(keyword, value).or(older), value) {
            (Some(Holds::One), schema) => visit(&[keyword], schema),
            (Some(Holds::List), Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    visit(&[keyword, &index.to_string()], schema);
                }
            }
            (Some(Holds::ByName), Value::Object(map)) => {
                for (name, schema) in map {
                    visit(&[keyword, name], schema);
                }
            }
            _ => {}
        }
    }
}

/// [`subschemas`], to change them.
///
/// In the order of the keywords' names, because names are given to definitions on the way.
pub(super) fn subschemas_mut(node: &mut Node, visit: &mut dyn FnMut(&str, &mut Value)) {
    sort(node);
    for (keyword, value) in node.iter_mut() {
        match (holds(keyword, value), value) {
            (Some(Holds::One), schema) => visit(keyword, schema),
            (Some(Holds::List), Value::Array(list)) => {
                for schema in list {
                    visit(keyword, schema);
                }
            }
            (Some(Holds::ByName), Value::Object(map)) => {
                sort(map);
                for schema in map.values_mut() {
                    visit(keyword, schema);
                }
            }
            _ => {}
        }
    }
}

/// Puts members into the order of their names, which they have unless a crate of the program makes
/// `serde_json` keep another.
pub(super) fn sort(node: &mut Node) {
    node.sort_keys();
}

/// Returns true if a keyword only describes a value and allows or forbids none.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$schema"
            | "$id"
            | "$comment"
    ) || keyword.starts_with("x-")
}

/// Takes a schema apart into what it says and what it demands.
pub(super) fn split_annotations(node: Node) -> (Node, Node) {
    node.into_iter()
        .partition(|(keyword, _)| is_annotation(keyword))
}

/// Returns true if `node` names `name` as a type, alone or among others.
pub(super) fn has_type(node: &Node, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// Returns true if `node` constrains the keys of an object.
pub(super) fn is_about_objects(node: &Node) -> bool {
    has_type(node, "object")
        || [
            "properties",
            "required",
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
        ]
        .iter()
        .any(|keyword| node.contains_key(*keyword))
}

/// The schema that nothing satisfies.
pub(super) fn never() -> Node {
    Node::from_iter([("not".to_owned(), Value::Object(Node::new()))])
}

/// Returns true if nothing satisfies `schema`, at a glance.
pub(super) fn is_never(schema: &Value) -> bool {
    let Value::Object(node) = schema else {
        return *schema == Value::Bool(false);
    };
    let empty = |keyword| {
        node.get(keyword)
            .and_then(Value::as_array)
            .is_some_and(Vec::is_empty)
    };
    let refuses_all = |not: &Value| match not {
        Value::Object(not) => not.is_empty(),
        other => *other == Value::Bool(true),
    };
    node.get("not").is_some_and(refuses_all) || empty("enum") || empty("anyOf") || empty("oneOf")
}

/// Returns true if only `null` satisfies `schema`.
pub(super) fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|only| only == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || schema
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_null))
}

/// Adds a line to the description.
pub(super) fn add_to_description(node: &mut Node, line: &str) {
    let text = match node.get("description").and_then(Value::as_str) {
        Some(before) if !before.is_empty() => format!("{before}\n{line}"),
        _ => line.to_owned(),
    };
    node.insert("description".to_owned(), Value::String(text));
}
