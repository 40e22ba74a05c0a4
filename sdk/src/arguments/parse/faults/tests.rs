use super::*;
use serde_json::json;

fn told(value: &Value, node: &Value) -> Vec<String> {
    let all = faults(value, node, node, false);
    all.iter()
        .map(|fault| fault.problem("", node).to_string())
        .collect()
}

#[test]
fn a_schema_without_end_has_one() {
    let node = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
    assert!(told(&json!({"a": 1}), &node).is_empty());
    let nowhere = json!({"$ref": "#/$defs/none"});
    assert!(told(&json!(1), &nowhere).is_empty());
}

#[test]
fn what_tells_branches_apart_is_asked_first() {
    let branch = |tag: &str, other: &str| {
        json!({
            "type": "object",
            "properties": {"v": {"enum": ["1"]}, "tag": {"enum": [tag]}, other: {"type": "null"}},
            "required": ["v", "tag"],
            "additionalProperties": false,
        })
    };
    let node = json!({"anyOf": [branch("a", "left"), branch("b", "right")]});
    assert!(told(&json!({"v": "1", "tag": "b", "right": null}), &node).is_empty());
    assert_eq!(
        told(&json!({"v": "1", "tag": "b", "rigth": null}), &node),
        ["`/rigth`: there is no such argument; did you mean `right`?"]
    );
    assert_eq!(
        told(&json!({"v": "1"}), &node),
        ["`/tag`: is required and missing: expected one of \"a\", \"b\""]
    );
    assert_eq!(
        told(&json!({"v": 2, "tag": "a"}), &node),
        ["`/v`: expected \"1\", found 2"]
    );
}

#[test]
fn values_are_held_against_every_keyword() {
    for (node, good, bad) in [
        (
            json!({"type": "integer", "minimum": 2, "maximum": 3}),
            json!(2),
            json!(4),
        ),
        (
            json!({"type": "number", "exclusiveMaximum": 1}),
            json!(0.5),
            json!(1),
        ),
        (json!({"exclusiveMinimum": 1}), json!(1.5), json!(1)),
        (
            json!({"type": "string", "minLength": 2, "maxLength": 2}),
            json!("äö"),
            json!("a"),
        ),
        (json!({"pattern": "^a"}), json!("ab"), json!("b")),
        (
            json!({"format": "date"}),
            json!("2030-01-31"),
            json!("today"),
        ),
        (
            json!({"type": ["array", "null"], "maxItems": 1}),
            json!(null),
            json!([1, 2]),
        ),
        (json!({"enum": [1, "a"]}), json!("a"), json!("b")),
        (json!({"type": "integer"}), json!(7), json!(7.5)),
    ] {
        assert!(told(&good, &node).is_empty(), "{node} {good}");
        assert_eq!(told(&bad, &node).len(), 1, "{node} {bad}");
    }
}
