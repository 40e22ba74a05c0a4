//! From text, from a tree, and from a tree with the place kept, which must agree.

mod expected;
mod hostile;
mod numbers;
mod types;
mod variants;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer};
use serde_json::{Value, json};

use super::*;

type Error = serde::de::value::Error;

impl TreeError for Error {}

/// As whoever reads does it: once more where that may help.
fn read<T>(read: impl Fn(&Flags) -> Option<T>) -> Option<T> {
    let flags = Flags::default();
    read(&flags).or_else(|| read(&flags.again()?))
}

fn from_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    read(|flags| {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let value = Strict::new(flags).deserialize(&mut deserializer).ok()?;
        deserializer.end().ok().map(|()| value)
    })
}

fn from_tree<T: DeserializeOwned>(tree: &Value) -> Option<T> {
    let cold = read(|flags| {
        let trace = Trace::default();
        let tree = Tree::<Error>::traced(tree, &trace);
        Strict::<T>::new(flags).deserialize(tree).ok()
    });
    let read = read(|flags| Strict::new(flags).deserialize(tree).ok());
    assert_eq!(read.is_some(), cold.is_some(), "{tree}");
    read
}

fn takes<T: DeserializeOwned>(value: &Value) -> bool {
    let (tree, text) = (from_tree::<T>(value), from_text::<T>(&value.to_string()));
    assert_eq!(tree.is_some(), text.is_some(), "{value}");
    tree.is_some()
}

#[derive(Debug, PartialEq, Deserialize)]
struct In<T> {
    v: T,
}

#[derive(Debug, PartialEq, Deserialize)]
struct New<T>(T);

#[derive(Debug, PartialEq, Deserialize)]
enum External<T> {
    New(T),
    Pair(T, T),
    Fields { v: T },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind")]
enum Internal<T> {
    Fields { v: T },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", content = "of")]
enum Adjacent<T> {
    New(T),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Fields { v: T },
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flat<T> {
    #[serde(flatten)]
    inner: In<T>,
}

/// Returns true if a value is taken wherever it stands; the last place is one that serde copies before it reads.
fn takes_everywhere<T: DeserializeOwned>(v: &Value) -> bool {
    let seen = takes_where_seen::<T>(v);
    assert_eq!(
        takes::<Internal<T>>(&json!({"kind": "Fields", "v": v})),
        seen,
        "{v}"
    );
    assert_eq!(takes::<Untagged<T>>(&json!({"v": v})), seen, "{v}");
    assert_eq!(takes::<Flat<T>>(&json!({"v": v})), seen, "{v}");
    assert_eq!(
        takes::<Vec<Flat<Internal<T>>>>(&json!([{"v": {"kind": "Fields", "v": v}}])),
        seen,
        "{v}"
    );
    seen
}

fn takes_where_seen<T: DeserializeOwned>(v: &Value) -> bool {
    let top = takes::<T>(v);
    let places = [
        takes::<In<T>>(&json!({"v": v})),
        takes::<New<T>>(v),
        takes::<Vec<T>>(&json!([v])),
        takes::<(u8, T)>(&json!([1, v])),
        takes::<Option<Option<T>>>(v),
        takes::<BTreeMap<String, T>>(&json!({"k": v})),
        takes::<BTreeMap<u8, Vec<In<T>>>>(&json!({"7": [{"v": v}]})),
        takes::<External<T>>(&json!({"New": v})),
        takes::<External<T>>(&json!({"Pair": [v, v]})),
        takes::<External<T>>(&json!({"Fields": {"v": v}})),
        takes::<Adjacent<T>>(&json!({"kind": "New", "of": v})),
    ];
    assert_eq!(places, [top; 11], "{v}");
    top
}

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
