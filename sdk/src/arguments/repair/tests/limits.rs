//! Input and schemas that are made to be expensive.

use super::*;

/// A schema, and arguments for it, which are repaired or not but not for long.
#[track_caller]
fn ends(schema: &Value, sent: &Value) {
    let begun = std::time::Instant::now();
    repair(&tool(schema), &Arguments::from(sent));
    // Minutes or more, if the cost were a product; generous for a slow machine.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn references_that_lead_to_themselves_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"type": "object", "properties": {"v": {"$ref": "#"}}}]}),
        json!({"properties": {"v": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"properties": {"v": {"$ref": "https://example.com/schema"}}}),
        json!({"items": {"$ref": "#"}, "type": ["array", "integer"], "additionalProperties": {"$ref": "#"}}),
    ] {
        ends(&schema, &json!({"v": "5"}));
        ends(&schema, &json!({"v": {"v": {"v": "[\"5\"]"}}}));
    }
}

#[test]
fn unions_in_unions_end() {
    let mut union = json!({"type": "integer"});
    for _ in 0..60 {
        union = json!({"anyOf": [
            {"type": "object", "properties": {"v": union}, "required": ["v"]},
            {"type": "array", "items": {"$ref": "#"}},
            {"type": "object", "properties": {"V": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}},
        ]});
    }
    let mut value = json!("x");
    for _ in 0..60 {
        value = json!({"v": value});
    }
    ends(&union, &value);
    let recursive = json!({"anyOf": [
        {"type": "object", "properties": {"v": {"$ref": "#"}, "a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {"v": {"$ref": "#"}, "b": {"type": "integer"}}, "required": ["b"]},
    ]});
    ends(&recursive, &value);
}

#[test]
fn many_values_end() {
    let keys: serde_json::Map<String, Value> = (0..1_000)
        .map(|n| (format!("key_{n}"), json!({"type": "integer"})))
        .collect();
    let object = json!({"type": "object", "properties": keys, "additionalProperties": false});
    let misspelt: serde_json::Map<String, Value> = (0..1_000)
        .map(|n| (format!("KEY{n}"), json!("5")))
        .collect();
    let schema = json!({"properties": {"v": {"type": "array", "items": object}}});
    ends(&schema, &json!({"v": vec![Value::Object(misspelt); 40]}));
    ends(&schema, &json!({"v": vec![json!({"KEY1": 1}); 50_000]}));
    let texts: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    let integers = json!({"properties": {"v": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true}}});
    ends(&integers, &json!({"v": texts}));
    let patterns = json!({"properties": {"v": {"type": "array", "items": {"type": "string", "pattern": "(a|b|ab)*c{3,90}$"}}}, "additionalProperties": false});
    ends(&patterns, &json!({"V": vec!["ab".repeat(500); 1_000]}));
    let large = json!({"properties": {"v": {"items": {"type": "string", "pattern": "((a|b){1,99}){1,99}$"}}}, "additionalProperties": false});
    ends(&large, &json!({"V": vec!["ab"; 10_000]}));
    ends(&large, &json!({"V": ["ab".repeat(100_000)]}));
    let listed: Vec<String> = (0..2_000).map(|n| format!("Name{n}")).collect();
    ends(
        &json!({"properties": {"v": {"items": {"enum": listed}}}}),
        &json!({"v": vec!["name1999"; 20_000]}),
    );
    ends(
        &json!({"properties": {"v": {"type": "integer"}}}),
        &json!({"v": "1".repeat(1_000_000)}),
    );
}

#[test]
fn more_repairs_than_anybody_would_read_are_none() {
    let schema = json!({"properties": {"v": {"type": "array", "items": {"type": "integer"}}}});
    let sent = |count: usize| json!({"v": vec!["5"; count]});
    let repaired = repair(&tool(&schema), &Arguments::from(sent(2_000)));
    assert_eq!(repaired.unwrap().1.len(), 2_000);
    all_stay(&schema, &[sent(2_001)]);
    // Nor may they run unnamed behind the one that made JSON of the text.
    let fenced = format!("```json\n{}\n```", sent(2_001));
    assert!(repair(&tool(&schema), &Arguments::from(fenced)).is_none());
}

#[test]
fn deep_values_do_not_end_the_stack() {
    let schema = json!({"additionalProperties": {"$ref": "#"}, "items": {"anyOf": [{"$ref": "#"}, {"type": "integer"}]}});
    for levels in [10, 60, 127, 128, 1_000] {
        let mut value = json!("5");
        for level in 0..levels {
            value = if level % 2 == 0 {
                json!([value])
            } else {
                json!({"v": value})
            };
        }
        ends(&schema, &value);
    }
    let mut schema = json!({"type": "integer"});
    for _ in 0..120 {
        schema = json!({"properties": {"v": {"allOf": [schema]}}});
    }
    let mut text = json!({"v": "5"});
    for _ in 0..60 {
        text = json!({"v": {"v": text}});
    }
    ends(&schema, &text);
}

#[test]
fn a_schema_that_is_none_repairs_nothing() {
    for schema in [
        json!(null),
        json!(true),
        json!(false),
        json!("x"),
        json!([]),
        json!({"type": 5, "properties": [], "required": "v", "enum": {}, "items": 3}),
    ] {
        all_stay(&schema, &[json!({"v": "5"}), json!({}), json!([1])]);
    }
    for text in [
        "",
        "null",
        "{",
        "{\"v\": 1, \"v\": \"5\"}",
        "[",
        "{\"v\": \"\\ud800\"}",
        "{\"v\": \"5\"} x",
    ] {
        let spec = tool(&of_one(&json!({"type": "integer"})));
        assert!(spec.repair(&Arguments::from(text)).is_none(), "{text}");
    }
}
