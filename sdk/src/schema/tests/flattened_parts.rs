//! Flattened structs and maps.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{output, required, takes};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Page {
    from: u8,
    count: Option<u8>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum What {
    Date { day: u8 },
    Text { text: String },
    All,
}

#[test]
fn a_flattened_struct_is_part_of_the_object() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        text: String,
        #[serde(flatten)]
        page: Page,
    }
    assert_eq!(required::<Query>()["required"], json!(["text", "from"]));
    takes::<Query>(
        &[
            json!({"text": "a", "from": 1}),
            json!({"text": "a", "from": 1, "count": 2}),
        ],
        &[
            json!({"text": "a"}),
            json!({"text": "a", "from": 1, "x": 1}),
            json!({"text": "a", "from": 1, "count": null}),
        ],
    );
    assert!(output::<Query>().is_some());
}

#[test]
fn a_flattened_map_leaves_the_object_open() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Open {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Typed {
        a: String,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct WithEnum {
        #[serde(flatten)]
        what: What,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Anything {
        a: u8,
        #[serde(flatten)]
        rest: Value,
    }
    assert_eq!(required::<Open>()["additionalProperties"], json!({}));
    assert_eq!(required::<Anything>()["additionalProperties"], json!({}));
    takes::<Open>(&[json!({"a": 1, "x": [1]})], &[json!({"x": 1})]);
    takes::<Typed>(&[json!({"a": "", "x": 1})], &[json!({"a": "", "x": ""})]);
    takes::<WithEnum>(
        &[
            json!({"kind": "all", "x": 1}),
            json!({"kind": "date", "day": 1}),
        ],
        &[json!({"kind": "none", "x": ""}), json!({"kind": "text"})],
    );
}

#[test]
fn a_flattened_map_by_number_says_so() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Sparse {
        name: String,
        #[serde(flatten)]
        cells: BTreeMap<u32, bool>,
    }
    let schema = required::<Sparse>();
    assert_eq!(schema["description"], "Each other key is a whole number.");
    assert_eq!(schema["additionalProperties"], json!({"type": "boolean"}));
}
