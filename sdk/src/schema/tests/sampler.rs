//! Values that a schema takes: each end of a range, each branch, each property with and without.

use serde_json::{Map, Value, json};

use super::super::refs::resolved;

/// Some values that satisfy `schema`; none where nothing does, or `depth` is not enough.
pub(super) fn samples(schema: &Value, root: &Value, depth: usize) -> Vec<Value> {
    let Some(Value::Object(node)) = resolved(root, schema) else {
        return Vec::new();
    };
    if depth == 0 || node.contains_key("not") || node.contains_key("pattern") {
        return Vec::new();
    }
    if let Some(Value::Array(list)) = node.get("enum") {
        return list.clone();
    }
    if let Some(Value::Array(list)) = node.get("anyOf") {
        return list
            .iter()
            .flat_map(|branch| samples(branch, root, depth))
            .collect();
    }
    let types = match node.get("type") {
        Some(Value::Array(list)) => list.clone(),
        Some(only) => vec![only.clone()],
        None => return vec![json!(null), json!("any"), json!({"a": [1]})],
    };
    types
        .iter()
        .filter_map(Value::as_str)
        .flat_map(|name| match name {
            "null" => vec![json!(null)],
            "boolean" => vec![json!(false), json!(true)],
            "number" => ends(node, &json!(-1.5), &json!(1e9)),
            "integer" => ends(node, &json!(i64::MIN), &json!(i64::MAX)),
            "string" => vec![text(node)],
            "array" => arrays(node, root, depth),
            _ => objects(node, root, depth),
        })
        .collect()
}

fn ends(node: &Map<String, Value>, low: &Value, high: &Value) -> Vec<Value> {
    let end = |keyword, other: &Value| node.get(keyword).unwrap_or(other).clone();
    vec![end("minimum", low), end("maximum", high)]
}

fn text(node: &Map<String, Value>) -> Value {
    let length = |keyword| node.get(keyword).and_then(Value::as_u64);
    let characters = length("minLength").or(length("maxLength")).unwrap_or(2);
    match node.get("format").and_then(Value::as_str) {
        Some("ip" | "ipv4") => json!("127.0.0.1"),
        _ => (0..characters).map(|_| 'é').collect::<String>().into(),
    }
}

fn arrays(node: &Map<String, Value>, root: &Value, depth: usize) -> Vec<Value> {
    if let Some(Value::Array(parts)) = node.get("prefixItems") {
        let parts: Vec<Vec<Value>> = parts
            .iter()
            .map(|part| samples(part, root, depth - 1))
            .collect();
        let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
        if parts.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        return (0..longest)
            .map(|i| {
                parts
                    .iter()
                    .map(|part| part[i % part.len()].clone())
                    .collect()
            })
            .collect();
    }
    let length = |keyword| node.get(keyword).and_then(Value::as_u64);
    let least = usize::try_from(length("minItems").unwrap_or(0)).unwrap();
    let items = samples(&node["items"], root, depth - 1);
    let mut found = Vec::new();
    if least == 0 {
        found.push(json!([]));
    }
    if length("maxItems") != Some(0) {
        found.extend(
            items
                .into_iter()
                .map(|item| Value::Array(vec![item; least.max(1)])),
        );
    }
    found
}

fn objects(node: &Map<String, Value>, root: &Value, depth: usize) -> Vec<Value> {
    let empty = Map::new();
    let properties = node
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let required: Vec<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .map_or(Vec::new(), |list| {
            list.iter().filter_map(Value::as_str).collect()
        });

    let of = |name: &str| {
        properties
            .get(name)
            .map_or(Vec::new(), |s| samples(s, root, depth - 1))
    };
    let mut least = Map::new();
    for name in &required {
        match of(name).first() {
            Some(value) => least.insert((*name).to_owned(), value.clone()),
            None => return Vec::new(),
        };
    }
    let mut found = vec![Value::Object(least.clone())];
    let mut most = least.clone();
    for name in properties.keys() {
        for value in of(name) {
            let mut object = least.clone();
            object.insert(name.clone(), value.clone());
            most.insert(name.clone(), value);
            found.push(Value::Object(object));
        }
    }
    found.push(Value::Object(most));
    let by_number = node
        .get("description")
        .is_some_and(|text| text.to_string().contains("number"));
    if let Some(rest @ Value::Object(_)) = node.get("additionalProperties") {
        for value in samples(rest, root, depth - 1) {
            let mut object = least.clone();
            object.insert(if by_number { "7" } else { "é" }.to_owned(), value);
            found.push(Value::Object(object));
        }
    }
    found
}
