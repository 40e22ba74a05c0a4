//! Arguments for a form, read back by hand-written schemas.

use std::borrow::Cow;

use crate::json::Json;
use crate::schema::{Dialect, ReadBack, convert};

fn read_back(schema: &str, dialect: Dialect) -> ReadBack {
    let schema: Json = serde_json::from_str(schema).unwrap();
    convert(&schema, dialect).unwrap().read_back
}

const OPTIONAL: &str = r#"{"type": "object", "properties": {
    "path": {"type": "string"},
    "limit": {"type": "integer"},
    "owner": {"type": ["string", "null"]}
}, "required": ["path"]}"#;

#[test]
fn a_null_of_the_strict_form_is_an_absent_property() {
    let read_back = read_back(OPTIONAL, Dialect::OpenAiStrict);
    let text = r#"{"path": "a", "limit": null, "owner": null}"#;
    assert_eq!(read_back.apply(text), r#"{"path":"a","owner":null}"#);
}

#[test]
fn text_in_which_nothing_changes_stays_as_it_is() {
    let read_back = read_back(OPTIONAL, Dialect::OpenAiStrict);
    for text in [
        r#"{"path": "a",  "limit": 12345678901234567890123}"#,
        r#"{"path": "a", "limit": 1e400, "owner": null}"#,
        r#"{"path": "null"}"#,
        r#"{"path": "#,
        "null",
        "",
        r#"[{"limit": null}]"#,
        r#"{"limit": null, "limit": 2}"#,
    ] {
        assert!(
            matches!(read_back.apply(text), Cow::Borrowed(same) if same == text),
            "{text}"
        );
    }
}

#[test]
fn numbers_keep_their_digits_beside_a_change() {
    let read_back = read_back(OPTIONAL, Dialect::OpenAiStrict);
    let text = r#"{"limit": null, "path": 1.10000000000000000000001e+2, "more": [ 1 ]}"#;
    let expected = r#"{"path":1.10000000000000000000001e+2,"more":[ 1 ]}"#;
    assert_eq!(read_back.apply(text), expected);
}

#[test]
fn values_that_gemini_takes_as_texts_are_values_again() {
    let schema = r#"{"type": "object", "properties": {
        "level": {"enum": [1, 2.5, "high", true, null]},
        "of": {"type": "array", "items": {"const": 7}}
    }}"#;
    let read_back = read_back(schema, Dialect::GeminiSubset);
    let text = r#"{"level": "2.5", "of": ["7", "8"]}"#;
    assert_eq!(read_back.apply(text), r#"{"level":2.5,"of":[7,"8"]}"#);
    assert_eq!(read_back.apply(r#"{"level": "true"}"#), r#"{"level":true}"#);
    let high = r#"{"level": "high"}"#;
    assert_eq!(read_back.apply(high), high);
}

#[test]
fn a_tuple_is_an_object_and_an_array_again() {
    let schema = r#"{"type": "object", "properties": {"at": {"type": "array", "minItems": 2, "maxItems": 2,
        "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false}}, "required": ["at"]}"#;
    for dialect in [
        Dialect::OpenAiStrict,
        Dialect::AnthropicStrict,
        Dialect::GeminiSubset,
    ] {
        let read_back = read_back(schema, dialect);
        let text = r#"{"at": {"item2": "x", "item1": 4}}"#;
        assert_eq!(read_back.apply(text), r#"{"at":[4,"x"]}"#);
        let broken = r#"{"at": {"item1": 4}}"#;
        assert_eq!(read_back.apply(broken), broken);
    }
}

#[test]
fn the_variant_of_a_union_is_found_by_its_structure() {
    let schema = r#"{"type": "object", "required": ["do"], "properties": {"do": {"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "move"}, "by": {"type": "integer"}}, "required": ["kind"], "additionalProperties": false},
        {"type": "object", "properties": {"kind": {"const": "turn"}, "by": {"type": ["integer", "null"]}}, "required": ["kind"], "additionalProperties": false},
        {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": false}}
    ]}}}"#;
    let read_back = read_back(schema, Dialect::OpenAiStrict);
    let moved = r#"{"do": {"kind": "move", "by": null}}"#;
    assert_eq!(read_back.apply(moved), r#"{"do":{"kind":"move"}}"#);
    let turned = r#"{"do": {"kind": "turn", "by": null}}"#;
    assert_eq!(read_back.apply(turned), turned);
    assert_eq!(
        read_back.apply(r#"{"do": [{"x": null}]}"#),
        r#"{"do":[{}]}"#
    );
}

#[test]
fn a_root_that_is_no_plain_object_is_unwrapped() {
    let schema = r#"{"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}"#;
    for dialect in [
        Dialect::OpenAiStrict,
        Dialect::AnthropicStrict,
        Dialect::GeminiSubset,
        Dialect::General(crate::Api::Anthropic),
    ] {
        let read_back = read_back(schema, dialect);
        let applied = read_back.apply(r#"{"arguments": {"b": 18446744073709551616}}"#);
        assert_eq!(applied, r#"{"b": 18446744073709551616}"#);
    }
}

#[test]
fn names_that_an_api_does_not_take_are_the_own_ones_again() {
    let schema = r#"{"type": "object", "properties": {"größe": {"type": "integer"}, "gr__e": {"type": "integer"}}, "required": ["größe"]}"#;
    for dialect in [
        Dialect::AnthropicStrict,
        Dialect::GeminiSubset,
        Dialect::General(crate::Api::Anthropic),
    ] {
        let read_back = read_back(schema, dialect);
        let text = r#"{"gr__e_2": 1, "gr__e": 2}"#;
        assert_eq!(read_back.apply(text), r#"{"größe":1,"gr__e":2}"#);
    }
}

/// A tree whose two kinds of nodes are alike, so that a node is tried as both.
const ALIKE: &str = r##"{"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": {"anyOf": [
    {"type": "object", "properties": {"l": {"$ref": "#/$defs/Tree"}, "x": {"type": "integer"}}, "additionalProperties": false},
    {"type": "object", "properties": {"l": {"$ref": "#/$defs/Tree"}, "x": {"type": "string"}}, "additionalProperties": false}]}}}"##;

#[test]
fn hostile_text_ends_soon_and_comes_back() {
    let read_back = read_back(ALIKE, Dialect::OpenAiStrict);
    for depth in [10, 60, 120, 5_000] {
        let text = format!(
            "{}{}{}",
            r#"{"tree":{"l":"#.repeat(depth),
            "true",
            "}}".repeat(depth)
        );
        assert_eq!(read_back.apply(&text), text);
        let text = format!(
            "{{\"tree\":{}{}{}}}",
            r#"{"x":null,"l":"#.repeat(depth),
            "7",
            "}".repeat(depth)
        );
        let _ = read_back.apply(&text);
    }
    let good = r#"{"tree":{"l":{"l":null,"x":"a"},"x":null}}"#;
    assert_eq!(read_back.apply(good), r#"{"tree":{"l":{"x":"a"}}}"#);
}

#[test]
fn many_names_in_the_text_beside_many_in_the_schema_end_soon() {
    let names = |count: usize, value: &str| -> String {
        let members: Vec<String> = (0..count).map(|n| format!("\"name{n}\":{value}")).collect();
        members.join(",")
    };
    let schema = format!(
        "{{\"type\":\"object\",\"properties\":{{{}}}}}",
        names(4_000, "{\"type\":\"integer\"}")
    );
    let read_back = read_back(&schema, Dialect::OpenAiStrict);
    let hostile = format!("{{{}}}", names(100_000, "null"));
    let read = read_back.apply(&hostile);
    assert!(read.starts_with(r#"{"name4000":null,"#) && read.ends_with(r#""name99999":null}"#));
    let honest = format!("{{\"name1\":7,{}}}", names(1, "null"));
    assert_eq!(read_back.apply(&honest), r#"{"name1":7}"#);
}

#[test]
fn many_small_objects_of_a_large_schema_end_soon() {
    let properties: Vec<String> = (0..4_000)
        .map(|n| format!("\"name{n}\":{{\"type\":\"integer\"}}"))
        .collect();
    let item = format!(
        "{{\"type\":\"object\",\"properties\":{{{}}}}}",
        properties.join(",")
    );
    let schema = format!(
        "{{\"type\":\"object\",\"properties\":{{\"all\":{{\"type\":\"array\",\"items\":{item}}}}}}}"
    );
    let read_back = read_back(&schema, Dialect::OpenAiStrict);
    // Without members there is nothing to look up; with one in each, too much.
    let text = format!("{{\"all\":[{}null]}}", "{},".repeat(20_000));
    assert_eq!(read_back.apply(&text), text);
    let text = format!(
        "{{\"all\":[{}null]}}",
        "{\"name3999\":null},".repeat(20_000)
    );
    assert_eq!(read_back.apply(&text), text);
    let text = format!("{{\"all\":[{}null]}}", "{\"name3999\":null},".repeat(20));
    assert_eq!(
        read_back.apply(&text),
        format!("{{\"all\":[{}null]}}", "{},".repeat(20))
    );
}
