//! As much of a validator as the portable form needs.

use serde_json::Value;

use super::super::refs::resolved;

pub(super) fn is_valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let Some(Value::Object(node)) = resolved(root, schema) else {
        return *schema != Value::Bool(false);
    };
    node.iter().all(|(keyword, says)| match keyword.as_str() {
        "type" => match says {
            Value::Array(list) => list.iter().any(|one| has_type(value, one)),
            only => has_type(value, only),
        },
        "enum" => says.as_array().is_some_and(|list| list.contains(value)),
        "anyOf" => parts(says).any(|part| is_valid(value, part, root)),
        "allOf" => parts(says).all(|part| is_valid(value, part, root)),
        "not" => !is_valid(value, says, root),
        "minimum" => number(value).is_none_or(|n| Some(n) >= number(says)),
        "maximum" => number(value).is_none_or(|n| Some(n) <= number(says)),
        "minLength" => length(value).is_none_or(|n| Some(n) >= says.as_u64()),
        "maxLength" => length(value).is_none_or(|n| Some(n) <= says.as_u64()),
        "minItems" => items(value).is_none_or(|list| Some(list.len() as u64) >= says.as_u64()),
        "maxItems" => items(value).is_none_or(|list| Some(list.len() as u64) <= says.as_u64()),
        "required" => value.as_object().is_none_or(|map| {
            parts(says).all(|name| name.as_str().is_some_and(|name| map.contains_key(name)))
        }),
        "properties" => value.as_object().is_none_or(|map| {
            map.iter().all(|(name, inner)| {
                says.get(name)
                    .is_none_or(|schema| is_valid(inner, schema, root))
            })
        }),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let named = |name| {
                node.get("properties")
                    .is_some_and(|map| map.get(name).is_some())
            };
            map.iter()
                .all(|(name, inner)| named(name) || is_valid(inner, says, root))
        }),
        "prefixItems" => items(value).is_none_or(|list| {
            list.iter()
                .zip(parts(says))
                .all(|(inner, schema)| is_valid(inner, schema, root))
        }),
        "items" => items(value).is_none_or(|list| {
            let named = node
                .get("prefixItems")
                .map_or(0, |list| parts(list).count());
            list.iter()
                .skip(named)
                .all(|inner| is_valid(inner, says, root))
        }),
        _ => true,
    })
}

fn parts(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn items(value: &Value) -> Option<&Vec<Value>> {
    value.as_array()
}

fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

/// Wide enough for both `u64::MAX` and fractions in these tests.
fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => false,
    }
}
