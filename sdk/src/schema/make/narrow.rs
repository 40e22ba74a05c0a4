//! Demands on a value, said where its type is.

use serde_json::Value;

use super::merge::both;
use crate::schema::walk::{Node, has_type};

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

/// Adds demands to a schema, which keeps its own.
pub(crate) fn narrow(node: &mut Node, demands: Node) {
    demand(node, demands);
    share_out(node);
}

fn demand(node: &mut Node, demands: Node) {
    match both(node.clone(), demands.clone()) {
        Ok(narrowed) => *node = narrowed,
        // A schema that nothing satisfies stays as the author wrote it.
        Err(_) => node.extend(demands),
    }
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
            let demands = demands.map(|(keyword, value)| (keyword.clone(), value.clone()));
            demand(branch, demands.collect());
        }
    }
    *node = rest;
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Node, narrow, share_out};

    fn node(value: Value) -> Node {
        match value {
            Value::Object(node) => node,
            other => panic!("{other} is no node"),
        }
    }

    #[test]
    fn a_demand_goes_to_the_branches_that_it_is_about() {
        let mut union = node(json!({
            "description": "D",
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 255},
                {"type": ["number", "null"], "multipleOf": 0.5},
                {"type": "array", "items": {}},
                {"type": "string"},
                {"type": "null"},
            ],
            "minimum": 5,
            "multipleOf": 2,
            "uniqueItems": true,
            "title": "T",
        }));
        share_out(&mut union);
        assert_eq!(
            Value::Object(union),
            json!({
                "description": "D",
                "anyOf": [
                    {"type": "integer", "minimum": 5, "maximum": 255, "multipleOf": 2},
                    {"type": ["number", "null"], "multipleOf": 2, "minimum": 5},
                    {"type": "array", "items": {}, "uniqueItems": true},
                    {"type": "string"},
                    {"type": "null"},
                ],
                "title": "T",
            })
        );
    }

    #[test]
    fn a_branch_that_may_be_anything_keeps_the_demand_beside_the_union() {
        for branch in [json!({"$ref": "#/$defs/A"}), json!({}), json!(true)] {
            let before = node(json!({"anyOf": [{"type": "integer"}, branch], "multipleOf": 2}));
            let mut after = before.clone();
            share_out(&mut after);
            assert_eq!(after, before);
        }
    }

    #[test]
    fn what_a_schema_demands_already_stays() {
        let cases = [
            (
                json!({"type": "integer", "minimum": 2}),
                json!({"minimum": 1}),
                json!({"type": "integer", "minimum": 2}),
            ),
            (
                json!({"type": "integer", "multipleOf": 4}),
                json!({"multipleOf": 6}),
                json!({"type": "integer", "multipleOf": 12}),
            ),
            (
                json!({"type": "number", "multipleOf": 0.1}),
                json!({"multipleOf": 0.3}),
                json!({"type": "number", "multipleOf": 0.3}),
            ),
            (
                json!({"type": "number", "multipleOf": 0.2}),
                json!({"multipleOf": 0.3}),
                json!({"type": "number", "multipleOf": 0.2, "allOf": [{"multipleOf": 0.3}]}),
            ),
            (
                json!({"type": "integer", "multipleOf": u64::MAX}),
                json!({"multipleOf": 2}),
                json!({"type": "integer", "multipleOf": u64::MAX, "allOf": [{"multipleOf": 2}]}),
            ),
            (
                json!({"type": "integer", "multipleOf": 0}),
                json!({"multipleOf": 2}),
                json!({"type": "integer", "multipleOf": 0, "allOf": [{"multipleOf": 2}]}),
            ),
            (
                json!({"enum": [1]}),
                json!({"enum": [2]}),
                json!({"enum": [2]}),
            ),
        ];
        for (schema, demands, expected) in cases {
            let mut schema = node(schema);
            narrow(&mut schema, node(demands));
            assert_eq!(Value::Object(schema), expected);
        }
    }
}
