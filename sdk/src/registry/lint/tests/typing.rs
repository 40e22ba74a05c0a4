//! Schemas without a type.

use serde_json::json;

use super::*;
use LintKind::Typeless;

#[test]
fn what_may_be_anything_is_told_of() {
    let found = in_properties(&json!({
        "any": {"description": "Any."},
        "limited": {"description": "Any.", "minLength": 1},
        "fields": {"description": "Any.", "properties": {}},
        "no_items": {"description": "A list.", "type": "array"},
        "maybe_no_items": {"description": "A list.", "type": ["array", "null"]},
        "any_items": {"description": "A list.", "type": "array", "items": {}},
        "true_items": {"description": "A list.", "type": "array", "items": true},
        "one_branch": {"description": "Either.", "anyOf": [{}, {"type": "null"}]},
        "parts": {"description": "Parts.", "allOf": [{"minLength": 1}, {"maxLength": 2}]},
        "reference": {"description": "It.", "$ref": "#/properties/any"},
    }));
    let expected = [
        "/any",
        "/any_items/*",
        "/fields",
        "/limited",
        "/maybe_no_items/*",
        "/no_items/*",
        "/one_branch",
        "/parts",
        "/reference",
        "/true_items/*",
    ];
    assert_eq!(found, expected.map(|pointer| at(Typeless, pointer)));
    // A description cannot be beside it.
    let found = in_properties(&json!({"anything": true}));
    assert!(found.contains(&at(Typeless, "/anything")), "{found:?}");
}

#[test]
fn what_has_a_type_is_left_alone() {
    let found = in_schema(json!({
        "type": "object",
        "properties": {
            "several": {"description": "It.", "type": ["string", "null"]},
            "choice": {"description": "It.", "enum": ["a", 1]},
            "fixed": {"const": 1},
            "union": {"description": "It.", "oneOf": [{"type": "string"}, {"$ref": "#/$defs/N"}]},
            "parts": {"description": "It.", "allOf": [{"$ref": "#/$defs/N"}, {"minimum": 1}]},
            "narrowed": {
                "description": "It.",
                "type": "object",
                "additionalProperties": {},
                "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            },
            "open": {"description": "It.", "type": "object", "additionalProperties": true},
            "keys": {"description": "It.", "type": "object", "patternProperties": {"^x": {}}},
            "pair": {
                "description": "It.",
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "number"}],
                "items": {},
                "maxItems": 2,
            },
            "long_list": {
                "description": "It.",
                "items": {"type": "string"},
                "allOf": [{"type": "array", "minItems": 3}],
            },
            "escaped": {"description": "It.", "$ref": "#/$defs/with%20space"},
        },
        "$defs": {"N": {"type": "number"}, "with space": {"type": "string"}},
        "anyOf": [{"required": ["several"]}, {"required": ["choice"]}],
    }));
    assert_eq!(found, []);
}

#[test]
fn a_type_that_is_none_and_a_reference_to_nothing_are_told_of() {
    let schema = json!({
        "type": "object",
        "properties": {
            "dict": {"description": "It.", "type": "dict"},
            "maybe": {"description": "It.", "type": ["string", "None"]},
            "number": {"description": "It.", "type": 5},
            "nowhere": {"description": "It.", "$ref": "#/$defs/Nothing"},
            "outside": {"description": "It.", "$ref": "https://example.com/schema.json"},
        },
    });
    let found = lint([Shown::new("tool", "Do something.").schema(schema)]);
    assert!(found[0].message().contains("`dict`"), "{}", found[0]);
    let expected = ["/dict", "/maybe", "/nowhere", "/number", "/outside"];
    assert_eq!(places(found), expected.map(|pointer| at(Typeless, pointer)));
}

#[test]
fn arguments_are_an_object() {
    let object = json!({"type": "object", "properties": {}});
    for root in [
        json!({}),
        json!(null),
        json!(true),
        json!("object"),
        json!({"type": "string"}),
        json!({"type": "dict"}),
        json!({"type": ["object", "null"]}),
        json!({"properties": {}}),
        json!({"anyOf": [object, object]}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": object}}),
    ] {
        assert_eq!(in_schema(root.clone()), [at(Typeless, "")], "{root}");
    }
    assert_eq!(in_schema(json!({"type": "object"})), []);
    assert_eq!(in_schema(object), []);
}
