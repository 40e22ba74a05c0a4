//! From a place in a value to its schema.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool;
use crate::schema::path::at;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Order {
    id: u8,
    lines: Vec<Line>,
    pair: (String, u8),
    notes: HashMap<String, Vec<String>>,
    shape: Option<Shape>,
    parent: Option<Box<Order>>,
    shapes: Vec<Option<Shape>>,
    any: Value,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Line {
    count: u16,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Shape {
    Circle { radius: u8, label: String },
    Square { side: u16, label: String },
    Point { side: bool },
}

fn found(pointer: &str) -> Option<Value> {
    let root = tool::<Order>(true);
    at(&root, &format!("/it{pointer}")).cloned()
}

#[test]
fn steps_into_objects_lists_tuples_and_maps() {
    let text = Some(json!({"type": "string"}));
    let of = |max: u32| Some(json!({"type": "integer", "minimum": 0, "maximum": max}));
    assert_eq!(found("/id"), of(255));
    assert_eq!(found("/lines/7/count"), of(65535));
    assert_eq!(found("/pair/0"), text);
    assert_eq!(found("/pair/1"), of(255));
    assert_eq!(found("/notes/x/0"), text);
    assert_eq!(found("/parent/parent/id"), of(255));
    assert_eq!(found("/any"), Some(json!({})));
    assert_eq!(
        found("").and_then(|node| node.get("type").cloned()),
        Some(json!("object"))
    );
}

#[test]
fn takes_the_branch_that_alone_knows_the_way() {
    assert_eq!(
        found("/shape/radius"),
        Some(json!({"type": "integer", "minimum": 0, "maximum": 255}))
    );
    assert_eq!(found("/shape/label"), Some(json!({"type": "string"})));
    assert_eq!(found("/shapes/0/radius"), found("/shape/radius"));
    assert_eq!(found("/shape/side"), None, "two branches differ");
    assert_eq!(found("/shape/type"), None);
    assert!(found("/shape").is_some_and(|node| node.get("anyOf").is_some()));
}

#[test]
fn knows_nothing_of_other_places() {
    for pointer in ["/nope", "/id/x", "/id/0", "/lines/x", "/pair/2", "/any/x"] {
        assert_eq!(found(pointer), None, "{pointer}");
    }
}

#[test]
fn foreign_schemas_do_no_harm() {
    let endless = json!({
        "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}],
        "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}]}},
    });
    assert_eq!(at(&endless, "/a"), None);
    let odd = json!({
        "properties": {"a~/b": {"$ref": "#/$defs/x~1y%20z"}, "never": false, "loop": {"$ref": "#/properties/loop"}},
        "patternProperties": {"^x": {}}, "additionalProperties": {},
        "$defs": {"x/y z": {"type": "null"}},
    });
    assert_eq!(at(&odd, "/a~0~1b"), Some(&json!({"type": "null"})));
    assert_eq!(at(&odd, "/xyz"), None);
    assert_eq!(at(&odd, "/never"), None);
    assert_eq!(at(&odd, "/loop"), None);
    assert_eq!(at(&json!(true), ""), Some(&json!(true)));
    assert_eq!(at(&json!(5), "/a"), None);
}
