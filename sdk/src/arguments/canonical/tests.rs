use super::*;
use crate::id::ToolName;

mod arbitrary;
mod scalars;

fn spec(schema: Value) -> ToolSpec {
    ToolSpec::new(ToolName::new("a.tool").unwrap(), "A tool.").with_input_schema(schema)
}

fn canonical(spec: &ToolSpec, arguments: Value) -> Value {
    let text = arguments.to_string();
    let from_tree = Arguments::from(arguments).canonical(spec).unwrap();
    assert_eq!(Arguments::from(text).canonical(spec).unwrap(), from_tree);
    from_tree.into_value()
}

fn mask() -> Value {
    json!({"$secret": true})
}

/// The kind and place of what keeps arguments from having a canonical form.
fn refused(spec: &ToolSpec, arguments: impl Into<Arguments<'static>>) -> (ProblemKind, String) {
    let invalid = arguments.into().canonical(spec).unwrap_err();
    let problem = &invalid.problems()[0];
    (problem.kind(), problem.pointer().to_owned())
}

fn search() -> ToolSpec {
    spec(json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "ratio": {"type": ["number", "null"]},
            "tags": {"type": "array", "items": {"type": "integer"}},
            "page": {"$ref": "#/$defs/Page"},
        },
        "required": ["query"],
        "additionalProperties": false,
        "$defs": {
            "Page": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer", "default": 1},
                    "size": {"$ref": "#/$defs/Size"},
                    "sort": {"type": "string"},
                },
            },
            "Size": {"type": "integer", "default": 20},
        },
    }))
}

#[test]
fn equal_calls_have_equal_forms() {
    let spec = search();
    let expected = r#"{"limit":10,"page":{"number":1,"size":20},"query":"x","tags":[5]}"#;
    for text in [
        r#"{"query": "x", "tags": [5], "page": {}}"#,
        r#"{"tags": [5.0], "page": {"size": 20, "number": 1}, "limit": 10, "query": "x"}"#,
        r#"{"query": "\u0078", "limit": 1e1, "tags": [5], "page": {"sort": null, "size": 2.0e1}}"#,
    ] {
        let shown = Arguments::from(text).canonical(&spec).unwrap();
        assert_eq!(shown.to_string(), expected, "{text}");
        let tree: Value = serde_json::from_str(text).unwrap();
        let shown = Arguments::from(tree).canonical(&spec).unwrap();
        assert_eq!(shown.to_string(), expected, "{text}");
    }
    for nothing in ["", " null ", "{}"] {
        let shown = Arguments::from(nothing).canonical(&spec).unwrap();
        assert_eq!(shown.as_value(), &json!({"limit": 10}));
    }
}

#[test]
fn null_stays_where_it_says_something() {
    let spec = search();
    let sent = json!({"query": null, "ratio": null, "tags": null, "limit": null, "other": null});
    // Required; may be null; neither; with a default; not known.
    assert_eq!(
        canonical(&spec, sent),
        json!({"query": null, "ratio": null, "limit": null, "other": null})
    );
    let any = self::spec(json!({"properties": {"a": {}, "b": {"anyOf": [{"type": "null"}]}}}));
    let sent = json!({"a": null, "b": null});
    assert_eq!(canonical(&any, sent.clone()), sent);
}

#[test]
fn numbers_are_changed_only_where_nothing_is_lost() {
    let spec = search();
    for (sent, shown) in [
        ("5.0", "5"),
        ("-0.0", "0"),
        ("9007199254740991.0", "9007199254740991"),
        ("5.5", "5.5"),
        ("1e300", "1e+300"),
        ("18446744073709551615", "18446744073709551615"),
        ("9007199254740993", "9007199254740993"),
    ] {
        let text = format!(r#"{{"query": "x", "limit": {sent}}}"#);
        let canonical = Arguments::from(text).canonical(&spec).unwrap();
        assert_eq!(canonical.get("limit").unwrap().to_string(), shown, "{sent}");
    }
    let untyped = self::spec(json!({"type": "object"}));
    assert_eq!(canonical(&untyped, json!({"a": 5.0})), json!({"a": 5.0}));
}

#[test]
fn secrets_are_masked_at_any_depth_and_never_filled_in() {
    let login = json!({
        "type": "object",
        "properties": {
            "user": {"type": "string", "default": "root"},
            "password": {"$ref": "#/$defs/Password"},
        },
        "additionalProperties": false,
    });
    let spec = spec(json!({
        "type": "object",
        "properties": {
            "key": {"type": "string", "default": "hunter1"},
            "login": login,
            "logins": {"type": "array", "items": login},
            "by_host": {"additionalProperties": login},
            "by_name": {"patternProperties": {"^secret_": {"writeOnly": true}}},
            "preset": {"default": {"password": "hunter3"}, "allOf": [login]},
        },
        "$defs": {"Password": {"type": "string", "writeOnly": true, "default": "hunter2"}},
    }))
    .with_secret("key");
    assert_eq!(
        canonical(&spec, json!({})),
        json!({"preset": {"user": "root", "password": mask()}})
    );
    let one = json!({"password": "p"});
    let shown = json!({"user": "root", "password": mask()});
    let sent = json!({
        "key": ["what", {"ever": 1}],
        "login": one,
        "logins": [one, {}],
        "by_host": {"a": one},
        "by_name": {"secret_a": 1, "public": 2},
        "preset": {"password": null},
    });
    let expected = json!({
        "key": mask(),
        "login": shown,
        "logins": [shown, {"user": "root"}],
        "by_host": {"a": shown},
        "by_name": {"secret_a": mask(), "public": 2},
        "preset": {"user": "root", "password": mask()},
    });
    assert_eq!(canonical(&spec, sent), expected);
    // A field that serde knows by another name.
    let sent = json!({"login": {"pass": "p"}});
    assert_eq!(canonical(&spec, sent)["login"]["pass"], mask());
}

#[test]
fn nothing_that_is_sent_looks_like_a_mask() {
    let spec = spec(json!({"type": "object"})).with_secret("key");
    let sent = json!({
        "key": "k",
        "a": {"$secret": true},
        "b": {"$$secret": true, "$secret": 1, "secret": 2, "x$secret": 3},
        "c": "{\"$secret\":true}",
        "$secret": true,
    });
    let shown = Arguments::from(sent).canonical(&spec).unwrap();
    assert_eq!(
        shown.as_value(),
        &json!({
            "key": {"$secret": true},
            "a": {"$$secret": true},
            "b": {"$$$secret": true, "$$secret": 1, "secret": 2, "x$secret": 3},
            "c": "{\"$secret\":true}",
            "$$secret": true,
        })
    );
    let masked = |pointer| CanonicalArguments::is_secret(shown.pointer(pointer).unwrap());
    assert!(masked("/key"));
    for pointer in ["", "/a", "/b", "/c", "/a/$$secret"] {
        assert!(!masked(pointer), "{pointer}");
    }
}

#[test]
fn a_branch_counts_where_the_value_fits_no_other() {
    let branch = |tag: &str, property: Value| {
        json!({
            "type": "object",
            "properties": {"by": {"const": tag}, "value": property},
            "required": ["by"],
            "additionalProperties": false,
        })
    };
    let key = json!({"oneOf": [
        branch("token", json!({"type": "string", "writeOnly": true})),
        branch("user", json!({"type": "integer", "default": 7})),
        {"type": "null"},
        {"type": "array", "items": {"$ref": "#"}},
    ]});
    let spec = spec(json!({"properties": {"key": key, "more": {"type": "integer", "default": 0}}}));
    for (sent, shown) in [
        (
            json!({"by": "token", "value": "t"}),
            json!({"by": "token", "value": mask()}),
        ),
        (json!({"by": "user"}), json!({"by": "user", "value": 7})),
        (
            json!({"by": "user", "value": 8.0}),
            json!({"by": "user", "value": 8}),
        ),
        (json!([{}]), json!([{"more": 0}])),
        (Value::Null, Value::Null),
        // It is known to no branch.
        (
            json!({"by": "x", "value": "t"}),
            json!({"by": "x", "value": mask()}),
        ),
    ] {
        let all = json!({"key": sent, "more": 1});
        assert_eq!(canonical(&spec, all), json!({"key": shown, "more": 1}));
    }
    // Two branches fit: nothing is filled in, and nothing shown that one of them hides.
    let loose = |property: Value| json!({"properties": {"a": property, "b": {"default": 1}}});
    let either = json!({"anyOf": [loose(json!({"writeOnly": true})), loose(json!({}))]});
    let spec = self::spec(json!({"properties": {"x": either}}));
    assert_eq!(
        canonical(&spec, json!({"x": {"a": "t"}})),
        json!({"x": {"a": mask()}})
    );
}

#[test]
fn conditions_tuples_and_named_schemas_are_followed() {
    let hidden = json!({"properties": {"s": {"writeOnly": true}}});
    let spec = spec(json!({
        "properties": {
            "tuple": {"prefixItems": [{"type": "integer"}, hidden], "items": {"type": "integer"}},
            "old": {"items": [hidden], "additionalItems": {"type": "integer"}},
            "if": {"if": {"required": ["s"]}, "then": hidden},
            "depends": {"dependentSchemas": {"t": hidden}},
            "anchor": {"$ref": "#hidden"},
            "id": {"$ref": "https://example.com/hidden#"},
            "escaped": {"$ref": "#/$defs/a~1b%20c"},
            "nowhere": {"$ref": "https://example.com/other"},
            "rest": {"unevaluatedProperties": {"writeOnly": true}},
        },
        "$defs": {
            "a": {"$anchor": "hidden", "properties": hidden["properties"]},
            "b": {"$id": "https://example.com/hidden", "properties": hidden["properties"]},
            "a/b c": hidden,
        },
    }));
    let sent = json!({"s": "x", "t": 1});
    let shown = json!({"s": mask(), "t": 1});
    for name in ["if", "depends", "anchor", "id", "escaped"] {
        let all = canonical(&spec, json!({name: sent}));
        assert_eq!(all, json!({name: shown}), "{name}");
    }
    assert_eq!(
        canonical(&spec, json!({"nowhere": sent})),
        json!({"nowhere": sent})
    );
    assert_eq!(
        canonical(&spec, json!({"rest": sent})),
        json!({"rest": {"s": mask(), "t": mask()}})
    );
    assert_eq!(
        canonical(
            &spec,
            json!({"tuple": [1.0, sent, 2.0], "old": [sent, 3.0]})
        ),
        json!({"tuple": [1, shown, 2], "old": [shown, 3]})
    );
}

#[test]
fn what_has_no_one_form_is_refused() {
    let spec = search();
    for (text, pointer) in [
        (r#"{"query": "a", "query": "b"}"#, "/query"),
        (
            r#"{"page": {"a": [{"x/y": 1, "x\/y": 2}]}}"#,
            "/page/a/0/x~1y",
        ),
    ] {
        let expected = (ProblemKind::Repeated, pointer.to_owned());
        assert_eq!(refused(&spec, text), expected);
    }
    assert_eq!(refused(&spec, "{").0, ProblemKind::Syntax);
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(refused(&spec, deep.to_string()).0, ProblemKind::Syntax);
    assert_eq!(refused(&spec, deep).0, ProblemKind::Syntax);
    let whole = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert!(Arguments::from(whole(127)).canonical(&spec).is_ok());
    assert_eq!(refused(&spec, whole(128)).0, ProblemKind::Syntax);
}

#[test]
fn what_is_no_object_has_a_form_too() {
    let list = spec(json!({"type": "array", "items": {"type": "integer", "writeOnly": true}}));
    assert_eq!(canonical(&list, json!([1, 2])), json!([mask(), mask()]));
    for schema in [json!(true), json!(false), json!(null), json!("x")] {
        let sent = json!({"a": [null, 5.0]});
        assert_eq!(canonical(&spec(schema), sent.clone()), sent);
    }
}

#[test]
fn a_schema_without_an_end_has_one() {
    let spec = spec(json!({
        "properties": {"next": {"$ref": "#", "default": {}}, "n": {"default": 1}},
    }));
    let shown = canonical(&spec, json!({}));
    assert_eq!(shown["next"]["next"]["n"], 1);

    let twice = json!({"$ref": "#", "default": {}});
    let wide: Map<String, Value> = (0..50).map(|n| (n.to_string(), twice.clone())).collect();
    let wide = self::spec(json!({"properties": wide}));
    assert_eq!(refused(&wide, "{}").0, ProblemKind::Constraint);

    let text = json!({"default": "x".repeat(100_000)});
    let long: Map<String, Value> = (0..50).map(|n| (n.to_string(), text.clone())).collect();
    let long = self::spec(json!({"items": {"properties": long}}));
    let many = Value::Array(vec![json!({}); 10_000]);
    assert_eq!(refused(&long, many).0, ProblemKind::Constraint);

    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}]}),
        json!({"$dynamicRef": "#x", "$dynamicAnchor": "x"}),
    ] {
        assert_eq!(
            canonical(&self::spec(schema), json!({"a": 1})),
            json!({"a": 1})
        );
    }
    let itself = vec![json!({"$ref": "#/$defs/A"}); 20];
    let branching = self::spec(json!({
        "anyOf": [{"$ref": "#/$defs/A"}],
        "$defs": {"A": {"allOf": itself}},
    }));
    assert_eq!(
        refused(&branching, r#"{"a": 1}"#).0,
        ProblemKind::Constraint
    );
}

#[test]
fn as_text_it_is_one_line_that_cannot_deceive() {
    let spec = search();
    let sent = json!({"query": "a\n\u{1b}[2K\u{85}\u{7f}\u{202e}é"});
    let shown = Arguments::from(&sent).canonical(&spec).unwrap();
    let text = shown.to_string();
    assert_eq!(
        text,
        r#"{"limit":10,"query":"a\n\u001b[2K\u0085\u007f\u202eé"}"#
    );
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, shown.as_value());
    assert_eq!(serde_json::to_value(&shown).unwrap(), read);
}
