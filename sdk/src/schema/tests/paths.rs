//! From a place in a value to its schema.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool;
use crate::schema::path::PathPart::{Index, Key};
use crate::schema::path::{PathPart, at};

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

fn found(path: &[PathPart<'_>]) -> Option<Value> {
    let root = tool::<Order>(true);
    let mut whole = vec![Key("it")];
    whole.extend(path);
    at(&root, &whole).cloned()
}

#[test]
fn steps_into_objects_lists_tuples_and_maps() {
    let text = Some(json!({"type": "string"}));
    let of = |max: u32| Some(json!({"type": "integer", "minimum": 0, "maximum": max}));
    assert_eq!(found(&[Key("id")]), of(255));
    assert_eq!(found(&[Key("lines"), Index(7), Key("count")]), of(65535));
    assert_eq!(found(&[Key("pair"), Index(0)]), text);
    assert_eq!(found(&[Key("pair"), Index(1)]), of(255));
    assert_eq!(found(&[Key("notes"), Key("x"), Index(0)]), text);
    assert_eq!(found(&[Key("parent"), Key("parent"), Key("id")]), of(255));
    assert_eq!(found(&[Key("any")]), Some(json!({})));
    assert_eq!(
        found(&[]).and_then(|node| node.get("type").cloned()),
        Some(json!("object"))
    );
}

#[test]
fn takes_the_branch_that_alone_knows_the_way() {
    assert_eq!(
        found(&[Key("shape"), Key("radius")]),
        Some(json!({"type": "integer", "minimum": 0, "maximum": 255}))
    );
    assert_eq!(
        found(&[Key("shape"), Key("label")]),
        Some(json!({"type": "string"}))
    );
    assert_eq!(
        found(&[Key("shapes"), Index(0), Key("radius")]),
        found(&[Key("shape"), Key("radius")])
    );
    assert_eq!(
        found(&[Key("shape"), Key("side")]),
        None,
        "two branches differ"
    );
    assert_eq!(found(&[Key("shape"), Key("type")]), None);
    assert!(found(&[Key("shape")]).is_some_and(|node| node.get("anyOf").is_some()));
}

#[test]
fn knows_nothing_of_other_places() {
    for path in [
        &[Key("nope")][..],
        &[Key("id"), Key("x")],
        &[Key("id"), Index(0)],
        &[Key("lines"), Key("0")],
        &[Key("pair"), Index(2)],
        &[Key("any"), Key("x")],
    ] {
        assert_eq!(found(path), None, "{path:?}");
    }
}

#[test]
fn foreign_schemas_do_no_harm() {
    let endless = json!({
        "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}],
        "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}]}},
    });
    assert_eq!(at(&endless, &[Key("a")]), None);
    let odd = json!({
        "properties": {"a~/b": {"$ref": "#/$defs/x~1y%20z"}, "never": false, "loop": {"$ref": "#/properties/loop"}},
        "patternProperties": {"^x": {}}, "additionalProperties": {},
        "$defs": {"x/y z": {"type": "null"}},
    });
    assert_eq!(at(&odd, &[Key("a~/b")]), Some(&json!({"type": "null"})));
    assert_eq!(at(&odd, &[Key("xyz")]), None);
    assert_eq!(at(&odd, &[Key("never")]), None);
    assert_eq!(at(&odd, &[Key("loop")]), None);
    assert_eq!(at(&json!(true), &[]), Some(&json!(true)));
    assert_eq!(at(&json!(5), &[Key("a")]), None);
}
