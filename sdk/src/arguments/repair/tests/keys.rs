//! The spelling of keys.

use super::*;
use crate::arguments::repair::keys;

fn closed() -> Value {
    json!({
        "type": "object",
        "properties": {"max_results": {"type": "integer"}, "userID": {"type": "string"}, "Page-Size": {}},
        "additionalProperties": false,
    })
}

fn fold(key: &str) -> String {
    keys::fold(key, &mut String::new()).to_owned()
}

#[test]
fn spellings_of_one_name_fold_to_one() {
    for spelling in [
        "max_results",
        "maxResults",
        "MaxResults",
        "max-results",
        "max results",
        "MAX_RESULTS",
        "maxresults",
    ] {
        assert_eq!(fold(spelling), "maxresults");
    }
    assert_eq!(fold("\u{c4}_b"), fold("\u{e4}B"));
    assert_ne!(fold("max.results"), "maxresults");
}

#[test]
fn a_misspelt_key_of_a_closed_object() {
    all_become(
        &closed(),
        &[
            (json!({"maxResults": 5}), json!({"max_results": 5})),
            (json!({"MAX-RESULTS": "5"}), json!({"max_results": 5})),
            (
                json!({"user_id": "x", "page_size": [1]}),
                json!({"userID": "x", "Page-Size": [1]}),
            ),
            (json!({"maxResults": null}), json!({})),
        ],
    );
    all_stay(
        &closed(),
        &[
            json!({"max_result": 5}),
            json!({"max_results": 5, "maxResults": 5}),
            json!({"maxResults": 5, "MaxResults": 5}),
            // Both stay, because nobody can tell which is meant.
            json!({"max_results": null, "maxResults": 5}),
            json!({"__": 1, "": 2}),
        ],
    );
    let two = json!({"properties": {"a_b": {}, "aB": {}, "c": {}}, "additionalProperties": false});
    all_stay(&two, &[json!({"AB": 1}), json!({"a_b": 1, "AB": 1})]);
    all_become(&two, &[(json!({"C": 1}), json!({"c": 1}))]);
}

#[test]
fn a_misspelt_key_of_an_open_object() {
    let open = |required: Value| json!({"properties": {"a_b": {"type": "integer"}, "c": {}}, "required": required});
    all_become(
        &open(json!(["a_b"])),
        &[(json!({"aB": 5}), json!({"a_b": 5}))],
    );
    all_stay(
        &open(json!(["a_b"])),
        &[json!({"a_b": 1, "aB": 5}), json!({"a_b": 1, "C": 5})],
    );
    all_stay(&open(json!([])), &[json!({"aB": 5})]);
    all_stay(
        &json!({"properties": {"a_b": {}}, "required": ["a_b"], "patternProperties": {"^a": {}}}),
        &[json!({"aB": 5})],
    );
    let map = json!({"properties": {"a_b": {}}, "additionalProperties": {"type": "integer"}});
    all_become(&map, &[(json!({"aB": "5"}), json!({"aB": 5}))]);
}

#[test]
fn keys_are_repaired_at_any_depth() {
    let schema = json!({"type": "object", "properties": {"fooBar": {"type": "array", "items": closed()}}, "additionalProperties": false});
    all_become(
        &schema,
        &[(
            json!({"foo_bar": [{"maxResults": "1"}, {"user_id": "x"}]}),
            json!({"fooBar": [{"max_results": 1}, {"userID": "x"}]}),
        )],
    );
    let spec = tool(&schema);
    let (_, repairs) = repair(
        &spec,
        &Arguments::from(json!({"foo_bar": [{"maxResults": "1"}]})),
    )
    .unwrap();
    let told: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`/foo_bar/0/maxResults`: \"1\" became 1",
            "`/foo_bar/0/maxResults` was renamed to `max_results`",
            "`/foo_bar` was renamed to `fooBar`",
        ]
    );
}

#[test]
fn a_name_in_another_part_of_the_schema_is_no_misspelling() {
    let schema = json!({
        "properties": {"a_b": {}}, "required": ["a_b"],
        "allOf": [{"$ref": "#/$defs/More"}],
        "$defs": {"More": {"properties": {"aB": {"type": "integer"}}, "required": ["aB"]}},
    });
    all_stay(&schema, &[json!({"aB": 5}), json!({"a_b": 5})]);
    all_become(&schema, &[(json!({"aB": "5"}), json!({"aB": 5}))]);
    all_become(
        &json!({"allOf": [{"properties": {"a_b": {}}, "required": ["a_b"]}, {"properties": {"a_b": {"type": "integer"}}}]}),
        &[(json!({"aB": "5"}), json!({"a_b": 5}))],
    );
}
