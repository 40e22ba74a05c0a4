//! Schemas in words.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU8;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool;
use crate::schema::check::describe::describe;
use crate::schema::path::at;

fn described<T: JsonSchema>() -> String {
    let root = tool::<T>(true);
    describe(at(&root, "/it").unwrap(), &root)
}

fn words(schema: &Value) -> String {
    describe(schema, schema)
}

#[test]
fn plain_types() {
    assert_eq!(described::<u8>(), "an integer from 0 to 255");
    assert_eq!(described::<NonZeroU8>(), "an integer from 1 to 255");
    assert_eq!(described::<u64>(), "an integer of at least 0");
    assert_eq!(described::<i64>(), "an integer");
    assert_eq!(described::<f64>(), "a number");
    assert_eq!(described::<bool>(), "true or false");
    assert_eq!(described::<String>(), "text");
    assert_eq!(described::<char>(), "text of 1 character");
    assert_eq!(described::<IpAddr>(), "an IP address");
    assert_eq!(described::<()>(), "null");
    assert_eq!(described::<Value>(), "any value");
    assert_eq!(
        described::<Option<u8>>(),
        "an integer from 0 to 255 or null"
    );
}

#[test]
fn constraints() {
    assert_eq!(
        words(&json!({"type": "integer", "minimum": 1, "maximum": 50})),
        "an integer from 1 to 50"
    );
    assert_eq!(
        words(&json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1})),
        "a number above 0 and of at most 1"
    );
    assert_eq!(
        words(&json!({"type": "integer", "multipleOf": 5, "minimum": 0})),
        "an integer of at least 0, a multiple of 5"
    );
    assert_eq!(
        words(&json!({"type": "integer", "multipleOf": 5, "minimum": 0, "maximum": 100})),
        "an integer from 0 to 100, a multiple of 5"
    );
    assert_eq!(
        words(&json!({"type": "number", "multipleOf": 0.25})),
        "a number, a multiple of 0.25"
    );
    assert_eq!(
        words(&json!({"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^a"})),
        "text of 2 to 4 characters matching `^a`"
    );
    assert_eq!(
        words(&json!({"type": "string", "minLength": 1})),
        "text of at least 1 character"
    );
    assert_eq!(
        words(&json!({"type": "string", "format": "date"})),
        "a date such as \"2030-01-31\""
    );
    assert_eq!(
        words(&json!({"type": "string", "format": "x"})),
        "text in the format `x`"
    );
}

#[test]
fn lists_and_maps() {
    assert_eq!(described::<Vec<String>>(), "a list of texts");
    assert_eq!(described::<Vec<u8>>(), "a list of integers from 0 to 255");
    assert_eq!(described::<Vec<Value>>(), "a list");
    assert_eq!(
        described::<Vec<Vec<bool>>>(),
        "a list of lists of values that are true or false"
    );
    assert_eq!(described::<[f32; 2]>(), "a list of numbers, exactly 2");
    assert_eq!(
        described::<(u8, String)>(),
        "a list of 2 values: an integer from 0 to 255, text"
    );
    assert_eq!(
        described::<HashMap<String, String>>(),
        "an object that maps names to texts"
    );
    assert_eq!(described::<HashMap<String, Value>>(), "an object");
    assert_eq!(
        words(&json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3})),
        "a list of texts, 1 to 3 of them"
    );
    let numbers = json!({"type": "integer", "multipleOf": 5});
    assert_eq!(
        words(&json!({"type": "array", "items": numbers, "maxItems": 3})),
        "a list of integers, multiples of 5, at most 3"
    );
    let unique = |items| json!({"type": "array", "items": items, "uniqueItems": true});
    assert_eq!(
        words(&unique(json!({"type": "string"}))),
        "a list of different texts"
    );
    assert_eq!(
        words(&unique(json!({"enum": ["a", "b"]}))),
        "a list of different values out of \"a\", \"b\""
    );
    assert_eq!(words(&unique(json!({}))), "a list of different values");
    assert_eq!(
        words(&json!({"type": "array", "uniqueItems": false})),
        "a list"
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Address {
    street: String,
    city: String,
    zip: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Shape {
    Circle { radius: u8 },
    Point,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Date,
    /// Best first.
    Relevance,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Tree {
    children: Vec<Tree>,
}

#[test]
fn own_types() {
    assert_eq!(
        described::<Address>(),
        "an object with `street`, `city` and, if wanted, `zip`"
    );
    assert_eq!(
        described::<Vec<Address>>(),
        "a list of objects with `street`, `city` and, if wanted, `zip`"
    );
    assert_eq!(described::<Sort>(), "one of \"date\", \"relevance\"");
    assert_eq!(
        described::<Vec<Sort>>(),
        "a list of values out of \"date\", \"relevance\""
    );
    assert_eq!(
        described::<Shape>(),
        "an object with `type` \"circle\", `radius` or an object with `type` \"point\""
    );
    assert_eq!(described::<Tree>(), "an object with `children`");
    assert_eq!(
        described::<Vec<Tree>>(),
        "a list of objects with `children`"
    );
}

#[test]
fn long_and_odd_schemas() {
    let many: Vec<u32> = (0..100).collect();
    let text = words(&json!({"enum": many}));
    assert!(text.ends_with("19, .. (100 in all)"), "{text}");
    assert_eq!(words(&json!({"const": "a"})), "\"a\"");
    assert_eq!(words(&json!(true)), "any value");
    assert_eq!(words(&json!(false)), "nothing");
    assert_eq!(words(&json!(5)), "any value");
    assert_eq!(words(&json!({"$ref": "#/nowhere"})), "any value");
    assert_eq!(
        words(&json!({"type": ["string", "integer"]})),
        "text or an integer"
    );
    let endless = json!({"type": "array", "items": {"$ref": "#"}});
    assert_eq!(words(&endless), "a list of lists of lists of values");
    let wide = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"type": "null"}]});
    assert_eq!(words(&wide), "a value or null");
}
