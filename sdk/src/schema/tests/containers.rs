//! Lists, tuples and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{required, takes};

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, JsonSchema)]
enum Side {
    Left,
    Right,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only parsed")]
struct Pair(String, u8);

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only parsed")]
struct Item {
    name: String,
}

#[test]
fn lists_have_items() {
    assert_eq!(
        required::<Vec<String>>(),
        json!({"type": "array", "items": {"type": "string"}})
    );
    assert_eq!(
        required::<Vec<Value>>(),
        json!({"type": "array", "items": {}})
    );
    assert_eq!(
        required::<BTreeSet<u8>>(),
        json!({
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 255},
            "uniqueItems": true,
        })
    );
    takes::<Vec<Item>>(
        &[json!([]), json!([{"name": "a"}])],
        &[
            json!([{"name": "a", "x": 1}]),
            json!({"name": "a"}),
            json!([1]),
        ],
    );
}

#[test]
fn a_required_place_keeps_null() {
    assert_eq!(
        required::<Vec<Option<u8>>>(),
        json!({
            "type": "array",
            "items": {"type": ["integer", "null"], "minimum": 0, "maximum": 255},
        })
    );
    takes::<Vec<Option<Item>>>(
        &[json!([null, {"name": "a"}])],
        &[json!([{"name": "a", "x": 1}]), json!(["null"])],
    );
    takes::<Vec<Option<Side>>>(&[json!([null, "Left"])], &[json!(["left"]), json!([0])]);
    takes::<BTreeMap<String, Option<u8>>>(&[json!({"a": null, "b": 1})], &[json!({"a": ""})]);
    takes::<(Option<u8>, u8)>(&[json!([null, 1])], &[json!([1, null])]);
}

#[test]
fn tuples_and_arrays_have_their_length() {
    assert_eq!(
        required::<(u8, String)>(),
        json!({
            "type": "array",
            "prefixItems": [
                {"type": "integer", "minimum": 0, "maximum": 255},
                {"type": "string"},
            ],
            "items": {},
            "minItems": 2,
            "maxItems": 2,
        })
    );
    let two_texts = json!({
        "type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2,
    });
    assert_eq!(required::<(String, String)>(), two_texts);
    assert_eq!(required::<[String; 2]>(), two_texts);
    assert_eq!(
        required::<[u8; 0]>(),
        json!({"type": "array", "items": {}, "maxItems": 0})
    );
    takes::<(u8, String)>(
        &[json!([1, "a"])],
        &[
            json!([1]),
            json!([1, "a", 2]),
            json!(["a", 1]),
            json!({"0": 1}),
        ],
    );
    takes::<Pair>(&[json!(["a", 1])], &[json!(["a"]), json!(["a", 256])]);
    takes::<[f32; 3]>(&[json!([1, 2.5, 3])], &[json!([1, 2]), json!([1, 2, 3, 4])]);
    takes::<((u8, u8), [Item; 1])>(
        &[json!([[1, 2], [{"name": "a"}]])],
        &[json!([[1, 2], [{"name": "a", "x": 1}]])],
    );
}

#[test]
fn maps_keep_the_schema_of_their_values() {
    let numbers = json!({
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
    });
    assert_eq!(
        required::<HashMap<String, Vec<u32>>>(),
        json!({"type": "object", "additionalProperties": numbers})
    );
    takes::<HashMap<String, Item>>(
        &[json!({}), json!({"any": {"name": "a"}})],
        &[
            json!({"any": {}}),
            json!({"any": {"name": "a", "x": 1}}),
            json!([]),
        ],
    );
    takes::<BTreeMap<char, Value>>(&[json!({"a": null, "b": [1]})], &[json!([])]);
}

#[test]
fn the_form_of_keys_becomes_a_sentence() {
    assert_eq!(
        required::<BTreeMap<u32, String>>(),
        json!({
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Each key is a whole number.",
        })
    );
    assert_eq!(
        required::<BTreeMap<i8, Value>>(),
        json!({
            "type": "object",
            "additionalProperties": {},
            "description": "Each key is an integer.",
        })
    );
}

#[test]
fn a_map_by_enum_is_closed() {
    takes::<BTreeMap<Side, u8>>(
        &[
            json!({}),
            json!({"Left": 1}),
            json!({"Left": 1, "Right": 2}),
        ],
        &[json!({"left": 1}), json!({"Left": ""})],
    );
}
