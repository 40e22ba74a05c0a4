//! Optional values are not also nullable.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{optional, output, required, takes};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Inner {
    a: u8,
    b: Option<u8>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Date,
    Relevance,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    Number(u8),
    Text(String),
    Nothing,
}

#[test]
fn null_is_stripped_from_optional_arguments() {
    assert_eq!(
        optional::<Option<u8>>(),
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    );
    assert_eq!(
        optional::<Option<Option<String>>>(),
        json!({"type": "string"})
    );
    assert_eq!(
        optional::<Option<Sort>>(),
        json!({"type": "string", "enum": ["date", "relevance"]})
    );
    assert_eq!(
        optional::<Option<Vec<Option<bool>>>>(),
        json!({"type": "array", "items": {"type": ["boolean", "null"]}})
    );
    assert_eq!(optional::<Option<Value>>(), json!({}));
    assert_eq!(optional::<Option<()>>(), json!({"type": "null"}));
    assert_eq!(optional::<Option<Inner>>(), required::<Inner>());
    assert_eq!(
        optional::<Option<Loose>>(),
        json!({"anyOf": [
            {"type": "integer", "minimum": 0, "maximum": 255},
            {"type": "string"},
        ]})
    );
}

#[test]
fn null_stays_in_required_arguments() {
    assert_eq!(
        required::<Option<bool>>(),
        json!({"type": ["boolean", "null"]})
    );
    assert_eq!(
        required::<Option<Sort>>(),
        json!({"type": ["string", "null"], "enum": ["date", "relevance", null]})
    );
    assert_eq!(
        required::<Option<Loose>>(),
        json!({"anyOf": [
            {"type": "integer", "minimum": 0, "maximum": 255},
            {"type": "string"},
            {"type": "null"},
        ]})
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Fields {
    plain: Option<u8>,
    #[expect(clippy::option_option, reason = "what it is about")]
    twice: Option<Option<u8>>,
    #[serde(default)]
    defaulted: Option<Inner>,
    #[serde(default)]
    number: u8,
    #[serde(default)]
    inner: Inner,
    /// Docs of the field.
    loose: Option<Loose>,
    list: Vec<Option<u8>>,
    #[schemars(required)]
    demanded: Option<u8>,
}

#[test]
fn fields_follow_the_same_rule() {
    let schema = required::<Fields>();
    assert_eq!(schema["required"], json!(["list", "demanded"]));
    let properties = &schema["properties"];
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    assert_eq!(properties["plain"], byte);
    assert_eq!(properties["twice"], byte);
    assert_eq!(properties["demanded"], byte);
    assert!(properties["defaulted"].get("default").is_none());
    assert_eq!(properties["number"]["default"], json!(0));
    assert_eq!(properties["inner"]["default"], json!({"a": 0}));
    assert_eq!(
        properties["loose"]["description"],
        json!("Docs of the field.")
    );
    assert_eq!(
        properties["list"]["items"]["type"],
        json!(["integer", "null"])
    );
    takes::<Fields>(
        &[
            json!({"list": [], "demanded": 1}),
            json!({"list": [null], "demanded": 1, "inner": {"a": 1}, "loose": "x"}),
        ],
        &[
            json!({"list": [], "demanded": 1, "plain": null}),
            json!({"list": [], "demanded": 1, "loose": null}),
            json!({"list": [], "demanded": 1, "inner": {"a": 1, "b": null}}),
        ],
    );
}

#[test]
fn outputs_keep_null_where_it_can_be_written() {
    let schema = output::<Fields>().unwrap();
    assert_eq!(
        schema["properties"]["plain"]["type"],
        json!(["integer", "null"])
    );
    assert_eq!(
        schema["properties"]["inner"]["properties"]["b"]["type"],
        json!(["integer", "null"])
    );
    assert!(schema.get("additionalProperties").is_none());
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct AllDefaulted {
    ratio: f32,
    name: Option<String>,
    map: BTreeMap<String, Option<u8>>,
}

#[test]
fn defaults_of_fields_stay_and_read_well() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Defaulted {
        #[serde(default = "tenth")]
        ratio: f32,
        #[serde(default = "maybe")]
        maybe: Option<f32>,
        #[serde(default = "nested")]
        nested: Vec<Inner>,
    }
    fn tenth() -> f32 {
        0.1
    }
    #[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
    fn maybe() -> Option<f32> {
        Some(0.3)
    }
    fn nested() -> Vec<Inner> {
        vec![Inner::default()]
    }
    let schema = required::<Defaulted>();
    assert_eq!(schema["properties"]["ratio"]["default"], json!(0.1));
    assert_eq!(schema["properties"]["maybe"]["default"], json!(0.3));
    assert_eq!(schema["properties"]["nested"]["default"], json!([{"a": 0}]));

    let schema = required::<AllDefaulted>();
    assert!(schema.get("required").is_none());
    assert!(schema["properties"]["name"].get("default").is_none());
    takes::<AllDefaulted>(
        &[json!({}), json!({"map": {"a": null}})],
        &[json!({"name": null})],
    );
}
