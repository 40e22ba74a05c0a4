//! Schemas as authors, and as nobody should, write them.

use serde_json::{Value, json};

use super::super::violation::{Violation, ViolationKind};
use super::{Validator, Whose};
use crate::schema::check::promise::Promise;
use crate::schema::fault::SchemaFault;

mod hostile;

fn compiled(schema: &Value) -> Validator {
    Validator::compile(schema, Whose::Author).unwrap()
}

#[track_caller]
fn judges(schema: &Value, good: &[Value], bad: &[Value]) {
    let validator = compiled(schema);
    for value in good {
        let wrong = validator.violations(value);
        assert!(
            validator.holds(value) && wrong.is_empty(),
            "{value}: {wrong:?}"
        );
    }
    for value in bad {
        assert!(!validator.holds(value), "{value}");
        assert!(!validator.violations(value).is_empty(), "{value}");
    }
}

fn told(violations: Vec<Violation<'_>>) -> Vec<(String, ViolationKind<'_>)> {
    violations
        .into_iter()
        .map(|c| (c.pointer, c.kind))
        .collect()
}

#[track_caller]
fn broken(schema: &Value) -> (String, String) {
    match Promise::of_schema(schema) {
        Promise::Broken(SchemaFault::Broken(error)) => {
            (error.pointer().to_owned(), error.message().to_owned())
        }
        other => panic!("{schema} is not broken: {other:?}"),
    }
}

#[test]
fn the_draft_is_the_current_one_or_the_one_that_is_named() {
    let tuple = json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false});
    judges(&tuple, &[json!(["a"])], &[json!([1]), json!(["a", 1])]);
    let seven = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"name": {"type": "string"}},
        "properties": {
            "pair": {
                "items": [{"$ref": "#/definitions/name", "maxLength": 1}, {"type": "integer"}],
                "additionalItems": false,
            },
        },
        "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
    });
    // Beside a reference, draft-07 reads nothing.
    judges(
        &seven,
        &[
            json!({"pair": ["long", 1]}),
            json!({"a": 1, "b": 1}),
            json!({"c": 1, "d": 1}),
        ],
        &[
            json!({"pair": [1, 1]}),
            json!({"pair": ["a", 1, 1]}),
            json!({"a": 1}),
            json!({"c": 1}),
        ],
    );
    let current = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"name": {"$anchor": "name", "type": "string"}},
        "properties": {"a": {"$ref": "#name", "maxLength": 1}},
        "dependentRequired": {"a": ["b"]},
        "unevaluatedProperties": false,
        "allOf": [{"properties": {"b": true}}],
    });
    let long = json!({"a": "long", "b": 1});
    judges(
        &current,
        &[json!({"a": "a", "b": 1})],
        &[long, json!({"a": "a"}), json!({"c": 1})],
    );
}

#[test]
fn references_that_lead_back_end_with_the_value() {
    let tree = json!({
        "$defs": {
            "tree": {
                "properties": {
                    "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                    "name": {"type": "string"},
                },
                "required": ["name"],
            },
            "loop": {"$ref": "#/$defs/pool"},
            "pool": {"anyOf": [{"$ref": "#/$defs/loop"}, {"type": "integer"}]},
        },
        "properties": {"tree": {"$ref": "#/$defs/tree"}, "loop": {"$ref": "#/$defs/loop"}},
    });
    let deep = |name: Value| {
        let mut tree = json!({"name": name});
        for _ in 0..50 {
            tree = json!({"name": "a", "children": [tree]});
        }
        json!({"tree": tree})
    };
    judges(
        &tree,
        &[deep(json!("a")), json!({"loop": 1})],
        &[deep(json!(1))],
    );
    let at_the_end = compiled(&tree);
    let told = told(at_the_end.violations(&deep(json!(1))));
    assert_eq!(told.len(), 1);
    assert!(told[0].0.ends_with("/children/0/name"), "{told:?}");
}

#[test]
fn formats_are_ours_and_unknown_ones_say_nothing() {
    let schema = json!({"properties": {
        "uuid": {"format": "uuid"}, "day": {"format": "date"}, "host": {"format": "hostname"},
        "uri": {"format": "uri"}, "odd": {"format": "odd"},
    }});
    judges(
        &schema,
        &[
            json!({"uuid": "2EB8AA08-aa98-11ea-b4aa-73b441d16380", "day": "2024-02-29"}),
            json!({"host": "a-b.c", "uri": "urn:x:y", "odd": "?", "day": 5}),
        ],
        &[
            json!({"uuid": "2eb8aa08aa9811eab4aa73b441d16380"}),
            json!({"day": "2026-02-29"}),
            json!({"host": "a_b"}),
            json!({"uri": "a:é"}),
        ],
    );
    let seven = json!({"$schema": "http://json-schema.org/draft-07/schema#", "format": "uuid"});
    judges(
        &seven,
        &[json!("2EB8AA08-aa98-11ea-b4aa-73b441d16380")],
        &[json!("x")],
    );
}

#[test]
fn a_declared_default_is_right_wherever_it_stands() {
    let schema = json!({
        "$defs": {"item": {"properties": {"n": {"type": "integer", "default": "none"}}}},
        "properties": {
            "name": {"type": "string", "default": null},
            "size": {"enum": ["s", "m"], "default": "none"},
            "text": {"type": "string", "pattern": "^a", "default": "-"},
            "list": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "outer": {
                "type": "object",
                "default": "outer",
                "properties": {"inner": {"type": "boolean", "default": 0}},
                "required": ["inner"],
            },
        },
        "additionalProperties": false,
    });
    judges(
        &schema,
        &[
            json!({"name": null, "size": "none", "text": "-", "list": [{"n": "none"}, {"n": 5}]}),
            json!({"outer": "outer"}),
            json!({"outer": {"inner": 0}}),
            json!({"outer": {"inner": 0.0}}),
        ],
        &[
            json!({"name": 5}),
            json!({"size": "x"}),
            json!({"text": "b"}),
            json!({"list": [{"n": null}]}),
            json!({"outer": {}}),
            json!({"outer": {"inner": null}}),
        ],
    );
    // The schema that is wrong is found as it was written.
    let validator = compiled(&schema);
    for (value, pointer, node) in [
        (json!({"text": "b"}), "/text", &schema["properties"]["text"]),
        (
            json!({"outer": {"inner": null}}),
            "/outer",
            &schema["properties"]["outer"],
        ),
    ] {
        let violations = validator.violations(&value);
        assert_eq!(violations[0].pointer, pointer);
        assert_eq!(violations[0].node, Some(node));
    }
}

#[test]
fn a_default_that_references_lead_into_stays_as_it_is() {
    let schema = json!({"properties": {
        "a": {"type": "object", "default": 5, "properties": {"x": {"type": "string"}}},
        "b": {"$ref": "#/properties/a/properties/x"},
    }});
    judges(
        &schema,
        &[json!({"b": "x"})],
        &[json!({"a": 5}), json!({"b": 5})],
    );
}

#[test]
fn an_integer_that_may_be_rounded_is_none() {
    let schema = json!({"properties": {
        "n": {"type": "integer"},
        "some": {"type": ["integer", "null"]},
        "x": {"type": "number"},
        "any": {"type": ["integer", "number"]},
        "at_least": {"$ref": "#/properties/n", "minimum": 3},
    }});
    judges(
        &schema,
        &[
            json!({"n": 5.0, "some": null, "x": 1e300, "any": 1e300, "at_least": 3.0}),
            json!({"n": u64::MAX, "some": i64::MIN, "at_least": 9_007_199_254_740_993_u64}),
            json!({"n": 9_007_199_254_740_991.0_f64}),
        ],
        &[
            json!({"n": 9_007_199_254_740_992.0_f64}),
            json!({"n": 1e300}),
            json!({"some": -1e17}),
            json!({"at_least": 1e16}),
            json!({"n": 5.5}),
            json!({"at_least": 2}),
        ],
    );
    let validator = compiled(&schema);
    let violations = told(validator.violations(&json!({"n": 1e300})));
    assert_eq!(violations, [("/n".to_owned(), ViolationKind::Rounded)]);
}

#[test]
fn s2_40_what_is_no_schema_says_where_and_why() {
    for (schema, at, why) in [
        (json!({"type": "objct"}), "/type", "no such type"),
        (
            json!({"properties": {"a": {"type": ["string", "txt"]}}}),
            "/properties/a/type",
            "type",
        ),
        (json!({"properties": []}), "/properties", "object"),
        (json!({"required": "a"}), "/required", "array"),
        (
            json!({"properties": {"a": {"minLength": -1}}}),
            "/properties/a/minLength",
            "0",
        ),
        (
            json!({"properties": {"a": {"pattern": "("}}}),
            "/properties/a/pattern",
            "regular",
        ),
        (
            json!({"patternProperties": {"[": {}}}),
            "/patternProperties/[",
            "regular expression",
        ),
        (
            json!({"$ref": "#/$defs/none"}),
            "/$ref",
            "`#/$defs/none` leads nowhere",
        ),
        (
            json!({"items": {"$ref": "#nowhere"}}),
            "/items/$ref",
            "`#nowhere` leads nowhere",
        ),
        (
            json!({"$schema": "https://example.org/mine"}),
            "/$schema",
            "no draft",
        ),
        (json!("{}"), "", "is a text"),
        (json!([]), "", "is a list"),
    ] {
        let schema = match schema {
            // A schema that demands nothing is not looked at.
            Value::Object(mut node) => {
                node.insert("minProperties".to_owned(), json!(1));
                Value::Object(node)
            }
            other => other,
        };
        let (pointer, message) = broken(&schema);
        assert!(message.contains(why), "{schema}: {message}");
        assert_eq!(pointer, at, "{schema}: {message}");
        assert!(
            !message.contains("line ") && !message.contains("column"),
            "{message}"
        );
    }
}

#[test]
fn nothing_is_ever_fetched() {
    for reference in [
        "https://example.org/schema.json#/$defs/a",
        "http://127.0.0.1:1/schema",
        "file:///etc/passwd",
        "other.json",
        "../other.json#/a",
    ] {
        let schema = json!({"properties": {"a": {"anyOf": [{"$ref": reference}]}}});
        let (pointer, message) = broken(&schema);
        assert_eq!(pointer, "/properties/a/anyOf/0/$ref", "{message}");
        assert!(
            message.contains(&format!("`{reference}` leads to another document")),
            "{message}"
        );
    }
    // JSON Schema's own are there.
    for own in [
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
    ] {
        let schema = json!({"$schema": own, "$ref": own});
        judges(
            &schema,
            &[json!({"type": "string"})],
            &[json!({"type": "strin"})],
        );
    }
    // And so is what a schema brings along.
    let own = json!({
        "$id": "https://example.org/root",
        "$defs": {"a": {"$id": "a.json", "type": "string"}},
        "properties": {"a": {"$ref": "https://example.org/a.json"}},
    });
    judges(&own, &[json!({"a": "x"})], &[json!({"a": 1})]);
}
