//! The things that no portable schema may contain, and a check of every position of one.

use serde_json::{Value, json};

use super::super::refs::resolved;
use super::super::walk::{Node, has_type, subschemas};

const FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

/// Panics where `root` breaks a rule of the portable form.
#[track_caller]
pub(super) fn check(root: &Value, input: bool) {
    assert_eq!(root["type"], json!("object"), "{root}");
    let problems = problems(root, root, input);
    assert!(problems.is_empty(), "{problems:#?} in {root:#}");
}

fn problems(schema: &Value, root: &Value, input: bool) -> Vec<String> {
    let Value::Object(node) = schema else {
        return vec![format!("not an object: {schema}")];
    };
    let mut found: Vec<String> = Vec::new();
    for keyword in [
        "$schema",
        "title",
        "$id",
        "const",
        "oneOf",
        "definitions",
        "unevaluatedProperties",
        "patternProperties",
    ] {
        if node.contains_key(keyword) {
            found.push(format!("`{keyword}` in {schema}"));
        }
    }
    if node.contains_key("$defs") && !std::ptr::eq(schema, root) {
        found.push(format!("definitions not at the root: {schema}"));
    }
    if node
        .get("format")
        .is_some_and(|f| FORMATS.iter().any(|format| f == format))
    {
        found.push(format!("the format of a number: {schema}"));
    }
    if node.get("required").is_some_and(|list| *list == json!([])) {
        found.push(format!("an empty `required`: {schema}"));
    }
    if node.contains_key("enum") && !node.contains_key("type") {
        found.push(format!("an enum without a type: {schema}"));
    }
    if has_type(node, "array") && !node.contains_key("items") {
        found.push(format!("an array without items: {schema}"));
    }
    if let Some(list) = node.get("anyOf")
        && list.as_array().is_none_or(|list| list.len() < 2)
    {
        found.push(format!("a union of one: {schema}"));
    }
    if let Some(target) = node.get("$ref") {
        if resolved(root, schema).is_none() {
            found.push(format!("{target} leads nowhere"));
        }
        let beside = |keyword: &String| {
            !matches!(
                keyword.as_str(),
                "$ref" | "description" | "default" | "examples" | "deprecated"
            )
        };
        if node.keys().any(beside) {
            found.push(format!("demands beside a reference: {schema}"));
        }
    }
    found.extend(integers(node));
    if input {
        found.extend(nullables(node));
        let open = node.contains_key("properties") && !node.contains_key("additionalProperties");
        if open {
            found.push(format!("an open object: {schema}"));
        }
    }
    subschemas(node, &mut |keyword, inner| {
        if !(keyword == "additionalProperties" && *inner == json!(false)) {
            found.extend(problems(inner, root, input));
        }
    });
    found
}

fn integers(node: &Node) -> Vec<String> {
    let mut found = Vec::new();
    if has_type(node, "integer") {
        for keyword in ["minimum", "maximum"] {
            if node
                .get(keyword)
                .is_some_and(|bound| !bound.is_i64() && !bound.is_u64())
            {
                found.push(format!("`{keyword}` is no integer: {node:?}"));
            }
        }
        for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
            if node.contains_key(keyword) {
                found.push(format!("`{keyword}`: {node:?}"));
            }
        }
    }
    found
}

fn nullables(node: &Node) -> Vec<String> {
    let mut found = Vec::new();
    let required = node.get("required").and_then(Value::as_array);
    for (name, schema) in node
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let Value::Object(property) = schema else {
            continue;
        };
        if required.is_some_and(|list| list.iter().any(|one| one == name)) {
            continue;
        }
        let null_type = has_type(property, "null") && property["type"] != "null";
        let null_branch = property
            .get("anyOf")
            .and_then(Value::as_array)
            .is_some_and(|list| {
                list.iter()
                    .filter_map(Value::as_object)
                    .any(|branch| has_type(branch, "null"))
            });
        let null_value = property
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|list| list.iter().any(Value::is_null));
        if null_type || null_branch || null_value || property.get("default") == Some(&Value::Null) {
            found.push(format!("`{name}` may be left out and be null: {schema}"));
        }
    }
    found
}

#[test]
fn the_checker_looks_by_position_only() {
    let fine = json!({
        "type": "object",
        "properties": {"title": {"type": "string"}, "$schema": {}, "const": {"type": "string"}},
        "additionalProperties": false,
    });
    assert_eq!(problems(&fine, &fine, true), Vec::<String>::new());
    for broken in [
        json!({"type": "object", "title": "T"}),
        json!({"type": "object", "properties": {"a": true}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"type": "array"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {}}),
    ] {
        assert_ne!(
            problems(&broken, &broken, true),
            Vec::<String>::new(),
            "{broken}"
        );
    }
}
