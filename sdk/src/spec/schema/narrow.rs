//! Demands on a value, said where its type is.

use serde_json::Value;

use super::merge::both;
use super::walk::{Node, has_type};

/// The types that a keyword says something of.
fn types_of(keyword: &str) -> &'static [&'static str] {
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &["integer", "number"]
        }
        "minLength" | "maxLength" | "pattern" | "format" => &["string"],
        "minItems" | "maxItems" | "uniqueItems" => &["array"],
        "minProperties" | "maxProperties" => &["object"],
        _ => &[],
    }
}

/// Adds demands to a schema in the portable form, which keeps its own.
pub(crate) fn narrow(node: &mut Node, demands: Node) {
    match both(node.clone(), demands.clone()) {
        Ok(narrowed) => *node = narrowed,
        // What nothing satisfies is the author's to see as it was written.
        Err(_) => node.extend(demands),
    }
    share_out(node);
}

/// Moves what stands beside a union, and is about values of some types, into the branches of those types: what a
/// reader looks at first is the branch.
pub(super) fn share_out(node: &mut Node) {
    let Some(Value::Array(branches)) = node.get("anyOf") else {
        return;
    };
    let typed = |branch: &Value| {
        branch
            .get("type")
            .is_some_and(|only| only.is_string() || only.is_array())
    };
    if node.contains_key("type") || !branches.iter().all(typed) {
        return;
    }
    let (demands, mut rest): (Node, Node) = std::mem::take(node)
        .into_iter()
        .partition(|(keyword, _)| !types_of(keyword).is_empty());
    if let Some(Value::Array(branches)) = rest.get_mut("anyOf").filter(|_| !demands.is_empty()) {
        for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
            let about =
                |keyword: &String| types_of(keyword).iter().any(|name| has_type(branch, name));
            let demands = demands.iter().filter(|(keyword, _)| about(keyword));
            let demands: Node = demands
                .map(|(keyword, value)| (keyword.clone(), value.clone()))
                .collect();
            match both(branch.clone(), demands.clone()) {
                Ok(narrowed) => *branch = narrowed,
                Err(_) => branch.extend(demands),
            }
        }
    }
    *node = rest;
}
