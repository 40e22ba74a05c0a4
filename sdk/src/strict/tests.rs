use super::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
struct Point {
    x: i32,
    #[serde(alias = "vertical")]
    y: Option<i32>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only read")]
enum Shape {
    Empty,
    Dot(Point),
    Line(Point, Point),
    Circle { center: Point, radius: f64 },
}

/// From text and from a tree alike.
fn takes<T: for<'de> Deserialize<'de>>(value: &Value) -> bool {
    let tree = Strict::<T>::new(&Flags::default())
        .deserialize(value)
        .is_ok();
    let text = value.to_string();
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let text = Strict::<T>::new(&Flags::default())
        .deserialize(&mut deserializer)
        .is_ok();
    assert_eq!(tree, text, "{value}");
    tree
}

#[test]
fn what_is_meant_is_taken() {
    assert!(takes::<Point>(&json!({"x": 1})));
    assert!(takes::<Point>(&json!({"x": 1, "vertical": 2})));
    assert!(takes::<Shape>(&json!("Empty")));
    assert!(takes::<Shape>(&json!({"Dot": {"x": 1}})));
    assert!(takes::<Shape>(&json!({"Line": [{"x": 1}, {"x": 2}]})));
    assert!(takes::<Shape>(
        &json!({"Circle": {"center": {"x": 1}, "radius": 2}})
    ));
    assert!(takes::<BTreeMap<String, Vec<Option<Point>>>>(
        &json!({"a": [null, {"x": 1}]})
    ));
    assert!(takes::<(u8, Point)>(&json!([1, {"x": 1}])));
    assert!(takes::<Value>(&json!({"any": ["thing", {"at": "all"}]})));
}

#[test]
fn unknown_fields_are_refused_at_any_depth() {
    assert!(!takes::<Point>(&json!({"x": 1, "z": 1})));
    assert!(!takes::<Shape>(&json!({"Dot": {"x": 1, "z": null}})));
    assert!(!takes::<Shape>(
        &json!({"Circle": {"center": {"x": 1}, "radius": 2, "z": 1}})
    ));
    assert!(!takes::<Shape>(
        &json!({"Line": [{"x": 1}, {"x": 2, "z": [1]}]})
    ));
    assert!(!takes::<BTreeMap<String, Vec<Option<Point>>>>(
        &json!({"a": [{"x": 1, "z": {}}]})
    ));
    assert!(!takes::<(u8, Point)>(&json!([1, {"x": 1, "z": 1}])));
}

#[test]
fn a_list_is_no_struct() {
    assert!(!takes::<Point>(&json!([1, 2])));
    assert!(!takes::<Shape>(&json!({"Dot": [1, 2]})));
    assert!(!takes::<Shape>(&json!({"Circle": [{"x": 1}, 2]})));
    assert!(!takes::<Vec<Point>>(&json!([[1, 2]])));
}
