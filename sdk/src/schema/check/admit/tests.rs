use super::*;

fn admitted(mut schema: Value) -> Value {
    admit(
        &mut schema,
        "why",
        &json!({"type": "string", "description": "Why."}),
    );
    schema
}

fn why() -> Value {
    json!({"type": "string", "description": "Why."})
}

#[test]
fn objects_take_it_open_closed_and_empty() {
    assert_eq!(
        admitted(json!({"type": "object", "properties": {}, "additionalProperties": false})),
        json!({"type": "object", "properties": {"why": why()}, "additionalProperties": false})
    );
    assert_eq!(
        admitted(json!({"type": "object", "additionalProperties": {"type": "integer"}})),
        json!({
            "type": "object",
            "properties": {"why": why()},
            "additionalProperties": {"type": "integer"},
        })
    );
    for anything in [json!(true), json!({})] {
        assert_eq!(admitted(anything), json!({"properties": {"why": why()}}));
    }
    let required = json!({
        "type": ["object", "null"],
        "properties": {"a": {}},
        "required": ["a"],
    });
    let after = admitted(required.clone());
    assert_eq!(after["required"], required["required"]);
    assert_eq!(after["properties"]["why"], why());
}

#[test]
fn what_is_no_object_schema_stays() {
    for other in [
        json!(false),
        json!({"type": "string"}),
        json!({"type": ["array", "null"], "items": {}}),
        json!(null),
        json!("x"),
    ] {
        assert_eq!(admitted(other.clone()), other);
    }
}

#[test]
fn each_object_of_a_union_shows_it() {
    let branch = |name: &str| {
        json!({
            "type": "object",
            "properties": {name: {"type": "integer"}},
            "required": [name],
            "additionalProperties": false,
        })
    };
    let after = admitted(json!({"anyOf": [branch("a"), branch("b"), {"type": "string"}]}));
    assert_eq!(after["anyOf"][0]["properties"]["why"], why());
    assert_eq!(after["anyOf"][1]["properties"]["why"], why());
    assert_eq!(after["anyOf"][2], json!({"type": "string"}));
    assert!(after.get("properties").is_none());

    // If the union stands beside properties, they show the new one, and the closed branch only accepts it.
    let mut beside = json!({"type": "object", "properties": {"k": {}}});
    beside["oneOf"] = json!([branch("a"), {"required": ["b"]}]);
    let after = admitted(beside);
    assert_eq!(after["properties"]["why"], why());
    assert_eq!(
        after["oneOf"][0]["properties"]["why"],
        json!({"type": "string"})
    );
    assert_eq!(after["oneOf"][1], json!({"required": ["b"]}));
}

#[test]
fn what_is_referred_to_is_opened_here_alone() {
    let closed = json!({
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}},
        "additionalProperties": false,
    });
    let after = admitted(json!({"$ref": "#/$defs/Node", "$defs": {"Node": closed}}));
    assert_eq!(after["$defs"]["Node"], closed);
    assert_eq!(after["properties"]["why"], why());
    assert_eq!(after["properties"]["next"], closed["properties"]["next"]);
    assert!(after.get("$ref").is_none());

    let after = admitted(json!({
        "type": "object",
        "allOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Open"}],
        "$defs": {"Node": closed, "Open": {"required": ["next"]}},
    }));
    assert_eq!(after["properties"]["why"], why());
    assert_eq!(
        after["allOf"][0]["properties"]["why"],
        json!({"type": "string"})
    );
    assert_eq!(after["allOf"][1], json!({"$ref": "#/$defs/Open"}));

    let after = admitted(json!({
        "anyOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Text"}],
        "$defs": {"Node": closed, "Text": {"type": "string"}},
    }));
    assert_eq!(after["anyOf"][0]["properties"]["why"], why());
    assert_eq!(after["anyOf"][1], json!({"$ref": "#/$defs/Text"}));
}

#[test]
fn names_patterns_and_numbers_of_members_leave_room() {
    let after = admitted(json!({
        "type": "object",
        "propertyNames": {"pattern": "^x"},
        "maxProperties": 2,
        "patternProperties": {"^w": {"type": "integer"}, "^x": {}},
        "unevaluatedProperties": false,
    }));
    assert_eq!(
        after["propertyNames"],
        json!({"anyOf": [{"enum": ["why"]}, {"pattern": "^x"}]})
    );
    assert_eq!(after["maxProperties"], json!(3));
    let patterns: Vec<&String> = after["patternProperties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(patterns, [r"^(?!why$)[\s\S]*(?:^w)", "^x"]);
    assert_eq!(after["properties"]["why"], why());

    // Each limit on the number of members grows once, also behind a reference.
    let after = admitted(json!({
        "$ref": "#/$defs/Few",
        "$defs": {"Few": {"type": "object", "maxProperties": 2, "allOf": [{"maxProperties": 3}]}},
    }));
    assert_eq!(after["maxProperties"], json!(3));
    assert_eq!(after["allOf"][0]["maxProperties"], json!(4));
}

#[test]
fn schemas_without_an_end_have_one() {
    admitted(json!({"$ref": "#"}));
    admitted(json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#/anyOf/0"}]}));
    let closed = json!({"additionalProperties": false, "allOf": [{"$ref": "#"}, {"$ref": "#"}]});
    admitted(closed);
    let many = vec![json!({"$ref": "#/$defs/A"}); 2_000];
    admitted(json!({"anyOf": many, "$defs": {"A": {"anyOf": many}}}));
    let deep = (0..100).fold(json!({}), |inner, _| json!({"allOf": [inner]}));
    admitted(deep);
    assert!(!names_property(&json!({"$ref": "#"}), "why"));
}

#[test]
fn a_name_is_known_wherever_an_object_has_it() {
    let has = json!({"properties": {"why": {}}});
    for schema in [
        has.clone(),
        json!({"required": ["why"]}),
        json!({"anyOf": [{}, has]}),
        json!({"if": {}, "then": has}),
        json!({"dependentSchemas": {"a": has}}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": has}}),
    ] {
        assert!(names_property(&schema, "why"), "{schema}");
    }
    for schema in [
        json!(true),
        json!({"additionalProperties": {}}),
        json!({"properties": {"a": has}}),
        json!({"$defs": {"A": has}}),
    ] {
        assert!(!names_property(&schema, "why"), "{schema}");
    }
}
