//! Schemas and values that are built to take long, or all of the stack.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{broken, compiled, judges, told};

#[test]
fn schemas_built_to_be_deep_are_refused_or_read() {
    let mut deep = json!({"type": "string"});
    for _ in 0..60 {
        deep = json!({"properties": {"a": deep}});
    }
    compiled(&deep);
    for _ in 0..1000 {
        deep = json!({"not": deep});
    }
    assert!(broken(&deep).1.contains("nests deeper"), "it is refused");

    // Each refers to the next, all for one value.
    let chain = |length: usize| {
        let mut chain =
            json!({"$ref": "#/$defs/0", "$defs": {length.to_string(): {"type": "object"}}});
        for n in 0..length {
            chain["$defs"][n.to_string()] = json!({"$ref": format!("#/$defs/{}", n + 1)});
        }
        chain
    };
    judges(&chain(500), &[json!({})], &[json!([])]);
    assert!(
        broken(&chain(20_000)).1.contains("references"),
        "it is refused"
    );
}

#[test]
fn values_built_to_be_deep_are_refused_or_judged() {
    let schema = json!({
        "$defs": {"list": {"anyOf": [
            {"allOf": [{"not": {"type": "integer"}}, {"items": {"$ref": "#/$defs/list"}}]},
            {"const": 1},
        ]}},
        "$ref": "#/$defs/list",
    });
    let deep =
        |levels: usize, inner: Value| (0..levels).fold(inner, |inner, _| Value::Array(vec![inner]));
    judges(
        &schema,
        &[deep(126, json!("a")), deep(126, json!(1))],
        &[
            deep(126, json!(2)),
            deep(200, json!("a")),
            deep(2000, json!("a")),
        ],
    );
}

#[test]
fn many_ways_through_a_schema_cost_no_more_than_a_few() {
    let started = Instant::now();
    // All for one value, or for ever deeper parts of it.
    let doubled = |keyword: &str, deeper: bool, length: usize| {
        let mut schema =
            json!({"$ref": "#/$defs/0", "$defs": {length.to_string(): {"type": "string"}}});
        for n in 0..length {
            let next = json!({"$ref": format!("#/$defs/{}", n + 1)});
            let next = if deeper {
                json!({"properties": {"a": next}})
            } else {
                next
            };
            schema["$defs"][n.to_string()] = json!({keyword: [next, next]});
        }
        schema
    };
    for keyword in ["anyOf", "allOf", "oneOf"] {
        for deeper in [false, true] {
            assert!(
                broken(&doubled(keyword, deeper, 40))
                    .1
                    .contains("alternatives")
            );
            let few = compiled(&doubled(keyword, deeper, 12));
            let value = (0..12).fold(json!(5), |inner, _| json!({"a": inner}));
            let value = if deeper { value } else { json!(5) };
            assert!(!few.complaints(&value).is_empty());
        }
    }
    let names: Vec<String> = (0..12).map(|n| format!("#/$defs/{n}")).collect();
    let all = json!({"anyOf": names.iter().map(|name| json!({"$ref": name})).collect::<Vec<_>>()});
    let each: serde_json::Map<_, _> = (0..12).map(|n| (n.to_string(), all.clone())).collect();
    let mesh = json!({"$ref": "#/$defs/0", "$defs": each});
    assert!(broken(&mesh).1.contains("lead back"));
    let tree = json!({
        "$defs": {"node": {"anyOf": [
            {"properties": {"next": {"$ref": "#/$defs/node"}, "a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"next": {"$ref": "#/$defs/node"}, "b": {"type": "string"}}, "required": ["b"]},
            {"properties": {"next": {"$ref": "#/$defs/node"}, "c": {"type": "string"}}, "required": ["c"]},
        ]}},
        "$ref": "#/$defs/node",
    });
    let value = (0..60).fold(
        json!({"a": 1}),
        |next, _| json!({"a": "", "b": "", "c": "", "next": next}),
    );
    let validator = compiled(&tree);
    assert!(!validator.holds(&value));
    assert!(!validator.complaints(&value).is_empty());
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn hostile_patterns_and_texts_end_and_are_never_let_through() {
    let long = "a".repeat(100_000);
    for pattern in [
        "(a+)+$",
        "^(a|a)*$",
        r"^(?=(a+)+$)b",
        r"^(a+)+\1$",
        r"(?<!b)(a*)*c",
        "(?!b)a*c",
    ] {
        let validator = compiled(&json!({"properties": {"a": {"pattern": pattern}}}));
        let started = Instant::now();
        let value = json!({"a": format!("{long}!")});
        assert!(!validator.holds(&value), "{pattern}");
        assert!(!validator.complaints(&value).is_empty());
        assert!(started.elapsed() < Duration::from_secs(20), "{pattern}");
    }
    let anchored = compiled(&json!({"pattern": r"^(?!\s*$)."}));
    assert!(anchored.holds(&json!("a".repeat(60_000))));
    let names = json!({"patternProperties": {"^(?!b)(a+)+$": true}, "additionalProperties": false});
    assert!(compiled(&names).holds(&json!({"aaa": 1})));
    assert!(!compiled(&names).holds(&json!({long.as_str(): 1})));
    // What would have to be known is not: neither the pattern nor its contrary holds.
    let pattern = r"^((a+)+)+\1$";
    for schema in [
        json!({"pattern": pattern}),
        json!({"not": {"pattern": pattern}}),
    ] {
        let value = json!(format!("{}!", "a".repeat(64)));
        assert!(!compiled(&schema).holds(&value), "{schema}");
        assert!(!compiled(&schema).holds(&json!(long)), "{schema}");
    }
}

#[test]
fn large_values_are_judged() {
    let schema = json!({"properties": {
        "ids": {"items": {"type": "integer"}, "uniqueItems": true},
        "objects": {"items": {"type": "object", "required": ["a"]}, "uniqueItems": true},
    }});
    let validator = compiled(&schema);
    let started = Instant::now();
    let mut ids: Vec<u32> = (0..200_000).collect();
    assert!(validator.holds(&json!({"ids": ids})));
    ids.push(7);
    let complaints = told(validator.complaints(&json!({"ids": ids})));
    assert_eq!(complaints.len(), 1);
    let objects: Vec<Value> = (0..20_000).map(|n| json!({"a": n})).collect();
    assert!(validator.holds(&json!({"objects": objects})));
    assert!(started.elapsed() < Duration::from_secs(20));
}
