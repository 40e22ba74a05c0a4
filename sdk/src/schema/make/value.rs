//! Fixed values and what a schema says of them.

use serde_json::{Value, json};

use crate::schema::walk::{Node, add_to_description, has_type};

/// `const` becomes an `enum` of one, `null` a type.
pub(super) fn spell_const(node: &mut Node) {
    let Some(only) = node.remove("const") else {
        return;
    };
    if only.is_null() {
        node.insert("type".to_owned(), json!("null"));
        node.remove("enum");
    } else {
        node.insert("enum".to_owned(), json!([only]));
    }
}

/// Names the type of an `enum` that does not, where its values have one.
pub(super) fn name_type(node: &mut Node) {
    if node.contains_key("type") {
        return;
    }
    let Some(Value::Array(list)) = node.get("enum") else {
        return;
    };
    let mut types: Vec<&str> = list.iter().map(type_of).collect();
    types.sort_unstable();
    types.dedup();
    if let [only] = types[..] {
        node.insert("type".to_owned(), json!(only));
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Puts the exclusion of single values, which few providers read, into words.
pub(super) fn say_exclusions(node: &mut Node) {
    let Some(Value::Object(not)) = node.get("not") else {
        return;
    };
    let values = match (not.len(), not.get("const"), not.get("enum")) {
        (1, Some(only), _) => vec![only.clone()],
        (1, _, Some(Value::Array(list))) if !list.is_empty() => list.clone(),
        _ => return,
    };
    let words: Vec<String> = values.iter().map(Value::to_string).collect();
    node.remove("not");
    add_to_description(node, &format!("Not {}.", words.join(", ")));
}

/// Takes `null` out of what may be left out.
pub(super) fn strip_null(node: &mut Node) {
    if node.get("default").is_some_and(Value::is_null) {
        node.remove("default");
    }
    if let Some(Value::Array(list)) = node.get_mut("enum")
        && !list.iter().all(Value::is_null)
    {
        list.retain(|value| !value.is_null());
    }
    if let Some(kind) = node.get_mut("type")
        && let Value::Array(list) = kind
    {
        list.retain(|one| one != "null");
        match &mut list[..] {
            [] => *kind = json!("null"),
            [only] => *kind = only.take(),
            _ => {}
        }
    }
}

/// Takes the `null`s of what may be left out from a default, which shows what it stands for.
pub(super) fn strip_null_from_default(default: &mut Value, schema: &Node) {
    match default {
        Value::Object(map) => {
            let Some(Value::Object(properties)) = schema.get("properties") else {
                return;
            };
            let required = schema.get("required").and_then(Value::as_array);
            let optional = |name: &String| {
                properties.contains_key(name)
                    && !required.is_some_and(|list| list.iter().any(|one| one == name))
            };
            map.retain(|name, value| !(value.is_null() && optional(name)));
            for (name, value) in map.iter_mut() {
                if let Some(Value::Object(inner)) = properties.get(name) {
                    strip_null_from_default(value, inner);
                }
            }
        }
        Value::Array(list) => {
            if let Some(Value::Object(items)) = schema.get("items") {
                for value in list {
                    strip_null_from_default(value, items);
                }
            }
        }
        _ => {}
    }
}

/// Writes the default of a 32-bit float as short as Rust does: 0.1, not 0.10000000149011612.
pub(super) fn shorten_default(node: &mut Node) {
    if node.get("format").is_none_or(|format| format != "float") || !has_type(node, "number") {
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "widened from 32 bits, so nothing is lost on the way back"
    )]
    let short = node
        .get("default")
        .and_then(Value::as_f64)
        .and_then(|wide| (wide as f32).to_string().parse::<f64>().ok());
    if let Some(short) = short {
        node.insert("default".to_owned(), json!(short));
    }
}
