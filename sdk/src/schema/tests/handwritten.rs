//! Schemas that somebody wrote, or that another generator made.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::json;

use super::{output, required, tool, validator};

macro_rules! by_hand {
    ($name:ident, $schema:expr) => {
        struct $name;
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Chain {
    next: Option<Box<Chain>>,
    link: Link,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Link {
    size: u8,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Plain {
    first: Link,
    second: Link,
}

by_hand!(WholeDocument, schema_for!(Plain));
by_hand!(WholeRecursiveDocument, schema_for!(Vec<Chain>));

#[test]
fn a_document_in_a_document_loses_its_own_definitions() {
    let schema = required::<WholeDocument>();
    assert_eq!(schema, required::<Plain>());

    let root = tool::<(WholeRecursiveDocument, Chain)>(true);
    let chain = json!({"link": {"size": 1}, "next": {"link": {"size": 2}}});
    assert!(validator::is_valid(
        &json!({"it": [[chain], chain]}),
        &root,
        &root
    ));
    assert!(!validator::is_valid(
        &json!({"it": [[{"link": {}}], chain]}),
        &root,
        &root
    ));
}

by_hand!(
    OldDraft,
    json_schema!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://example.com/old",
        "definitions": {"Side": {"enum": ["left", "right"]}},
        "type": "object",
        "properties": {
            "side": {"$ref": "#/definitions/Side", "description": "A side."},
            "pair": {"type": "array", "items": [{"const": 1}, {"type": "string"}], "additionalItems": false},
            "gone": {"$ref": "https://example.com/elsewhere"},
            "lost": {"$ref": "#/definitions/Nowhere", "description": "Lost."},
            "self": {"$ref": "#"},
            "never": false,
            "any": true,
        },
        "required": ["side", "side"],
    })
);

#[test]
fn an_older_draft_is_brought_up_to_date() {
    assert_eq!(
        required::<OldDraft>(),
        json!({
            "type": "object",
            "properties": {
                "side": {"type": "string", "enum": ["left", "right"], "description": "A side."},
                "pair": {
                    "type": "array",
                    "prefixItems": [{"type": "integer", "enum": [1]}, {"type": "string"}],
                    "items": {},
                    "maxItems": 2,
                },
                "gone": {},
                "lost": {"description": "Lost."},
                "self": {},
                "any": {},
            },
            "required": ["side"],
            "additionalProperties": false,
        })
    );
}

by_hand!(
    AllOf,
    json_schema!({
        "description": "Outer.",
        "allOf": [
            {"$ref": "#/$defs/Base"},
            {"type": "object", "properties": {"b": {"type": "number", "minimum": 1}}, "required": ["b"]},
            {"properties": {"b": {"type": "integer", "minimum": 3, "maximum": 9}}},
            true,
        ],
        "$defs": {"Base": {
            "type": "object", "description": "Inner.", "additionalProperties": false,
            "properties": {"a": {"type": "string"}}, "required": ["a"],
        }},
    })
);

#[test]
fn parts_are_merged() {
    assert_eq!(
        required::<AllOf>(),
        json!({
            "type": "object",
            "description": "Outer.",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "integer", "minimum": 3, "maximum": 9},
            },
            "required": ["a", "b"],
            "additionalProperties": false,
        })
    );
}

by_hand!(
    Patterns,
    json_schema!({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "b$"}, {"minLength": 2}]})
);
by_hand!(
    Impossible,
    json_schema!({"type": "string", "allOf": [{"type": "integer"}]})
);

#[test]
fn parts_without_a_common_spelling_stay_parts() {
    let schema = required::<Patterns>();
    assert_eq!(schema["pattern"], "^a");
    assert_eq!(schema["minLength"], 2);
    assert_eq!(schema["allOf"], json!([{"pattern": "b$"}]));
    assert_eq!(required::<Impossible>(), json!({"not": {}}));
}

by_hand!(OpenObject, json_schema!({"type": "object"}));
by_hand!(
    Untyped,
    json_schema!({"properties": {"a": {"const": true}}, "unevaluatedProperties": false})
);
by_hand!(
    Typed,
    json_schema!({"type": "object", "unevaluatedProperties": {"type": "string"}, "patternProperties": {}})
);

#[test]
fn objects_without_properties_stay_as_open_as_they_are() {
    assert_eq!(required::<OpenObject>(), json!({"type": "object"}));
    assert_eq!(
        required::<Typed>(),
        json!({"type": "object", "additionalProperties": {"type": "string"}})
    );
    assert_eq!(
        required::<Untyped>(),
        json!({
            "type": "object",
            "properties": {"a": {"type": "boolean", "enum": [true]}},
            "additionalProperties": false,
        })
    );
    assert!(output::<OpenObject>().is_some());
}

by_hand!(
    Conditional,
    json_schema!({
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        "not": {"required": ["b"]},
    })
);

#[test]
fn objects_with_conditions_are_not_closed() {
    let schema = super::input_schema(&[super::argument::<Conditional>("it", true)]);
    let it = &schema["properties"]["it"];
    assert!(it.get("additionalProperties").is_none());
    assert!(it["then"].get("additionalProperties").is_none());
    assert_eq!(it["not"], json!({"required": ["b"]}));
}

by_hand!(
    Itself,
    json_schema!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}})
);

#[test]
fn a_reference_to_itself_ends() {
    let root = tool_of_itself();
    assert_eq!(root["properties"]["it"], json!({"$ref": "#/$defs/A"}));
    assert!(crate::schema::make::output_schema(super::of::<Itself>).is_none());
}

fn tool_of_itself() -> serde_json::Value {
    super::input_schema(&[super::argument::<Itself>("it", true)])
}
