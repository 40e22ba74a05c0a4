//! Arrays: `items` always, since some providers refuse an array without.

use serde_json::{Value, json};

use crate::schema::walk::{Node, has_type};

/// Writes a tuple as the current draft does, and the refusal of further items as a length.
pub(super) fn spell_items(node: &mut Node) {
    if let Some(list @ Value::Array(_)) = node.get("items").cloned() {
        node.insert("prefixItems".to_owned(), list);
        node.remove("items");
        if let Some(rest) = node.remove("additionalItems") {
            node.insert("items".to_owned(), rest);
        }
    }
    if node.get("items") == Some(&Value::Bool(false)) {
        let length = prefix(node).map_or(0, Vec::len);
        node.remove("items");
        node.entry("maxItems").or_insert(json!(length));
    }
}

/// Writes a tuple of equal parts as a list of that length, and gives every array `items`.
pub(super) fn complete_items(node: &mut Node) {
    if let Some(parts) = prefix(node)
        && let Some(first) = parts.first()
        && parts.iter().all(|part| part == first)
        && node.get("minItems") == Some(&json!(parts.len()))
        && node.get("maxItems") == Some(&json!(parts.len()))
    {
        let first = first.clone();
        node.remove("prefixItems");
        node.insert("items".to_owned(), first);
    }
    if has_type(node, "array") {
        node.entry("items").or_insert_with(|| json!({}));
    }
}

fn prefix(node: &Node) -> Option<&Vec<Value>> {
    node.get("prefixItems")?.as_array()
}
