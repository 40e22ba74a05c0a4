//! Which places hold values that are shown to nobody.

use std::collections::HashSet;

use serde_json::Value;

use crate::spec::schema::resolved;

/// How many schemas are looked at. Where there are more, there may be a secret among them.
const LOOKED_AT: usize = 2_000;

/// Whether any part of a schema says that it is shown to nobody.
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
