//! Enums in serde's four representations, with and without docs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{output, required, takes};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum Plain {
    First,
    #[serde(rename = "2nd")]
    Second,
}

/// A shape.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum External {
    Empty,
    /// No idea.
    Unknown,
    /// A circle.
    Circle {
        radius: f64,
        label: Option<String>,
    },
    Square(u8),
    Line(u8, String),
    Nothing(),
}

#[test]
fn externally_tagged() {
    let schema = required::<External>();
    assert_eq!(schema["description"], "A shape.");
    assert_eq!(
        schema["anyOf"][0],
        json!({
            "type": "string",
            "enum": ["empty", "unknown"],
            "description": "`unknown`: No idea.",
        })
    );
    takes::<External>(
        &[
            json!("empty"),
            json!("unknown"),
            json!({"circle": {"radius": 1}}),
            json!({"circle": {"radius": 1, "label": "a"}}),
            json!({"square": 3}),
            json!({"line": [1, "a"]}),
            json!({"nothing": []}),
        ],
        &[
            json!("circle"),
            json!({"circle": {"radius": 1, "x": 1}}),
            json!({"circle": {"radius": 1}, "square": 3}),
            json!({"circle": {"radius": 1, "label": null}}),
            json!({"square": 256}),
            json!({}),
        ],
    );
    assert!(output::<External>().is_none());
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Body {
    size: u8,
    note: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    size: u8,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
enum Internal {
    /// Nothing to say.
    Unit,
    Fields {
        long_name: u8,
        tag_of: Option<bool>,
    },
    Newtype(Body),
    Denied(Strict),
}

#[test]
fn internally_tagged() {
    let schema = required::<Internal>();
    assert_eq!(
        schema["anyOf"][0],
        json!({
            "type": "object",
            "properties": {"type": {"type": "string", "enum": ["Unit"]}},
            "required": ["type"],
            "additionalProperties": false,
            "description": "Nothing to say.",
        })
    );
    takes::<Internal>(
        &[
            json!({"type": "Unit"}),
            json!({"type": "Fields", "longName": 1}),
            json!({"type": "Newtype", "size": 1, "note": "a"}),
        ],
        &[
            json!({"type": "Unit", "x": 1}),
            json!({"type": "Fields", "long_name": 1}),
            json!({"type": "Fields", "longName": 1, "tagOf": null}),
            json!({"type": "Newtype", "size": 1, "x": 1}),
            json!({"type": "Denied", "size": 1, "x": 1}),
            json!({"type": "unit"}),
            json!({"size": 1}),
            json!("Unit"),
        ],
    );
    assert!(output::<Internal>().is_none());
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Number(u8),
    Pair(u8, u8),
    Fields { a: u8, b: Option<u8> },
    Wrapped(Body),
}

#[test]
fn adjacently_tagged() {
    takes::<Adjacent>(
        &[
            json!({"t": "Unit"}),
            json!({"t": "Number", "c": 1}),
            json!({"t": "Pair", "c": [1, 2]}),
            json!({"t": "Fields", "c": {"a": 1}}),
            json!({"t": "Wrapped", "c": {"size": 1}}),
        ],
        &[
            json!({"t": "Number"}),
            json!({"t": "Number", "c": 1, "x": 1}),
            json!({"t": "Fields", "c": {"a": 1, "x": 1}}),
            json!({"t": "Fields", "c": {"a": 1, "b": null}}),
            json!({"t": "Pair", "c": [1]}),
            json!({"t": "Other", "c": 1}),
        ],
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    /// By number.
    Number(u64),
    Text(String),
    Fields {
        a: u8,
    },
    Wrapped(Body),
    Nothing,
    List(Vec<Plain>),
}

#[test]
fn untagged() {
    let schema = required::<Untagged>();
    assert_eq!(schema["anyOf"][0]["description"], "By number.");
    takes::<Untagged>(
        &[
            json!(1),
            json!("a"),
            json!({"a": 1}),
            json!({"size": 1}),
            json!(null),
            json!(["2nd"]),
        ],
        &[
            json!({"a": 1, "x": 1}),
            json!({"size": 1, "a": 1}),
            json!(true),
            json!(["x"]),
        ],
    );
}

#[test]
fn single_variants_may_be_untagged() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    enum Mixed {
        Unit,
        Tagged {
            a: u8,
        },
        #[serde(untagged)]
        Bare(Body),
        #[serde(untagged)]
        Text(String),
    }
    takes::<Mixed>(
        &[
            json!("Unit"),
            json!({"Tagged": {"a": 1}}),
            json!({"size": 1}),
            json!("any"),
        ],
        &[
            json!({"Tagged": {"a": 1, "x": 1}}),
            json!({"size": 1, "x": 1}),
            json!(1),
        ],
    );
}

#[test]
fn a_tagged_variant_of_an_enum_or_a_map() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "outer")]
    enum Nested {
        Inner(Internal),
        Either(Loose),
        Map(std::collections::BTreeMap<String, u8>),
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Loose {
        A { a: u8 },
        B { b: String },
    }
    let schema = required::<Nested>();
    assert_eq!(
        schema["anyOf"].as_array().map(Vec::len),
        Some(7),
        "{schema}"
    );
    takes::<Nested>(
        &[
            json!({"outer": "Inner", "type": "Unit"}),
            json!({"outer": "Inner", "type": "Newtype", "size": 1}),
            json!({"outer": "Either", "b": "x"}),
            json!({"outer": "Map", "any": 1}),
        ],
        &[
            json!({"outer": "Inner", "type": "Unit", "x": 1}),
            json!({"outer": "Inner"}),
            json!({"outer": "Either", "a": 1, "b": "x"}),
            json!({"outer": "Map", "any": "x"}),
            json!({"type": "Unit"}),
        ],
    );
}
