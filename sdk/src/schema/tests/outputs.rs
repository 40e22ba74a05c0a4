//! The output that serde writes satisfies the output schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{output, validator};

#[track_caller]
fn writes<T: JsonSchema + Serialize>(values: &[T]) -> Value {
    let schema = output::<T>().unwrap();
    for value in values {
        let value = serde_json::to_value(value).unwrap();
        assert!(
            validator::is_valid(&value, &schema, &schema),
            "{value} should be valid for {schema}"
        );
    }
    schema
}

/// A page of results.
#[derive(Serialize, JsonSchema)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(flatten)]
    state: State,
    #[serde(flatten)]
    extra: BTreeMap<String, Value>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Nothing left.
    Done,
    /// More to come.
    More {
        at: Option<u8>,
    },
    Failed(String),
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Entry {
    File { size: u64 },
    Folder(Folder),
    Link { to: Option<Box<Entry>> },
}

#[derive(Serialize, JsonSchema)]
struct Folder {
    entries: Vec<Entry>,
}

#[test]
fn objects_with_flattened_parts() {
    let page = |state, extra: Value| Page {
        items: vec![1_u8],
        next: None,
        total: None,
        state,
        extra: serde_json::from_value(extra).unwrap(),
    };
    let schema = writes(&[
        page(State::Done, json!({})),
        page(State::More { at: None }, json!({"x": null})),
        page(State::Failed("a".to_owned()), json!({"x": {"y": 1}})),
    ]);
    assert_eq!(schema["description"], "A page of results.");
    assert_eq!(schema["required"], json!(["items", "next"]));
}

#[test]
fn recursive_objects() {
    let schema = writes(&[Folder {
        entries: vec![
            Entry::File { size: u64::MAX },
            Entry::Folder(Folder { entries: vec![] }),
            Entry::Link { to: None },
            Entry::Link {
                to: Some(Box::new(Entry::File { size: 0 })),
            },
        ],
    }]);
    assert!(schema.get("$defs").is_some());
}

#[test]
fn maps_and_generic_pages_of_objects() {
    writes(&[BTreeMap::from([(7_u32, Some('x')), (8, None)])]);
    writes(&[Page {
        items: vec![Folder { entries: vec![] }],
        next: Some(String::new()),
        total: Some(1),
        state: State::Done,
        extra: BTreeMap::new(),
    }]);
}

#[test]
fn what_is_only_written_or_only_read() {
    #[derive(Serialize, JsonSchema)]
    struct Half {
        #[serde(skip_deserializing)]
        written: u8,
        #[serde(skip_serializing)]
        #[expect(dead_code, reason = "not written")]
        read: u8,
        #[serde(rename(serialize = "out", deserialize = "in"))]
        renamed: bool,
    }
    let schema = writes(&[Half {
        written: 1,
        read: 2,
        renamed: true,
    }]);
    assert_eq!(schema["required"], json!(["written", "out"]));
}
