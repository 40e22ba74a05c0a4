//! Which places hold values that are shown to nobody.

use std::collections::HashSet;

use serde_json::Value;

use crate::spec::schema::resolved;

/// How many schemas are looked at. Where there are more, there may be a secret among them.
const LOOKED_AT: usize = 2_000;

/// Whether a schema says of its own value that it is shown to nobody.
pub(super) fn is_secret(node: &Value, root: &Value) -> bool {
    is_secret_within(node, root, 4)
}

fn is_secret_within(node: &Value, root: &Value, links: usize) -> bool {
    if node["writeOnly"] == Value::Bool(true) {
        return true;
    }
    let Some(links) = links.checked_sub(1) else {
        return false;
    };
    let target = node.get("$ref").and_then(|_| resolved(root, node));
    let parts = node["allOf"].as_array().into_iter().flatten();
    target
        .into_iter()
        .chain(parts)
        .any(|part| is_secret_within(part, root, links))
}

/// Whether any part of a schema says so.
pub(super) fn names_secret(root: &Value) -> bool {
    let mut left = vec![root];
    while let Some(schema) = left.pop() {
        match schema {
            Value::Array(list) => left.extend(list),
            Value::Object(keywords) => {
                if keywords.get("writeOnly") == Some(&Value::Bool(true)) {
                    return true;
                }
                left.extend(keywords.values());
            }
            _ => {}
        }
    }
    false
}

/// Whether there may be a secret anywhere in a value of this schema.
pub(super) fn may_hold_secret(node: &Value, root: &Value) -> bool {
    let mut seen: HashSet<*const Value> = HashSet::new();
    let mut left = vec![node];
    while let Some(schema) = left.pop() {
        if !seen.insert(schema) {
            continue;
        }
        if seen.len() > LOOKED_AT {
            return true;
        }
        match schema {
            Value::Array(list) => left.extend(list),
            Value::Object(keywords) => {
                if keywords.get("writeOnly") == Some(&Value::Bool(true)) {
                    return true;
                }
                if keywords.contains_key("$ref") {
                    left.extend(resolved(root, schema));
                }
                left.extend(keywords.values());
            }
            _ => {}
        }
    }
    false
}
