//! Flattened enums: a union of whole objects, still closed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{output, required, takes, validator};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Page {
    from: u8,
    count: Option<u8>,
}

/// Words to look for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum What {
    /// By text.
    Text {
        text: String,
    },
    Date(Day),
    All,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Day {
    day: u8,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// Upwards.
    Up,
    Down,
    By {
        field: String,
    },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    Number { number: u8 },
    Word { word: String },
    Nothing,
}

#[test]
fn a_flattened_option_may_be_absent() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        text: String,
        #[serde(flatten)]
        page: Option<Page>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct WithEnum {
        text: String,
        #[serde(flatten)]
        order: Option<Order>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Only {
        #[serde(flatten)]
        loose: Option<Loose>,
    }
    takes::<Query>(
        &[json!({"text": "a"}), json!({"text": "a", "from": 1})],
        &[
            json!({"text": "a", "x": 1}),
            json!({"text": "a", "from": "1"}),
        ],
    );
    takes::<Only>(
        &[json!({}), json!({"number": 1})],
        &[json!({"x": 1}), json!({"number": "x"})],
    );
    takes::<WithEnum>(
        &[
            json!({"text": "a"}),
            json!({"text": "a", "up": null}),
            json!({"text": "a", "by": {"field": "x"}}),
        ],
        &[
            json!({"text": "a", "by": {}}),
            json!({"text": "a", "up": null, "down": null}),
            json!({"text": "a", "x": 1}),
        ],
    );
}

#[test]
fn a_flattened_enum_is_spread_out() {
    /// Docs of the query.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        /// The place.
        place: Option<String>,
        limit: u8,
        #[serde(flatten)]
        what: What,
    }
    let schema = required::<Query>();
    assert_eq!(schema["description"], "Docs of the query.");
    assert!(schema.get("properties").is_none());
    assert_eq!(
        schema["anyOf"][0],
        json!({
            "type": "object",
            "description": "By text.",
            "properties": {
                "kind": {"type": "string", "enum": ["text"]},
                "text": {"type": "string"},
                "limit": {"type": "integer", "minimum": 0, "maximum": 255},
                "place": {"type": "string", "description": "The place."},
            },
            "required": ["kind", "text", "limit"],
            "additionalProperties": false,
        })
    );
    takes::<Query>(
        &[
            json!({"limit": 1, "kind": "text", "text": "a"}),
            json!({"limit": 1, "place": "x", "kind": "date", "day": 1}),
            json!({"limit": 1, "kind": "all"}),
        ],
        &[
            json!({"limit": 1, "kind": "text", "text": "a", "x": 1}),
            json!({"limit": 1, "kind": "all", "text": "a"}),
            json!({"kind": "all"}),
            json!({"limit": 1, "place": null, "kind": "all"}),
            json!({"limit": 1}),
        ],
    );
    let written = output::<Query>().unwrap();
    assert_eq!(written["anyOf"].as_array().map(Vec::len), Some(3));
    assert!(written["properties"].get("limit").is_some());
}

#[test]
fn two_flattened_enums_give_every_combination() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        limit: u8,
        #[serde(flatten)]
        what: What,
        #[serde(flatten)]
        order: Order,
    }
    assert_eq!(
        required::<Query>()["anyOf"].as_array().map(Vec::len),
        Some(9)
    );
    takes::<Query>(
        &[
            json!({"limit": 1, "kind": "all", "up": null}),
            json!({"limit": 1, "kind": "date", "day": 1, "by": {"field": "a"}}),
            json!({"limit": 1, "kind": "text", "text": "a", "down": null}),
        ],
        &[
            json!({"limit": 1, "kind": "all"}),
            json!({"limit": 1, "up": null}),
            json!({"limit": 1, "kind": "all", "up": null, "down": null}),
            json!({"limit": 1, "kind": "all", "by": {"field": "a", "x": 1}}),
            json!({"limit": 1, "kind": "all", "up": null, "x": 1}),
        ],
    );
    let written = output::<Query>().unwrap();
    let query = Query {
        limit: 1,
        what: What::All,
        order: Order::Up,
    };
    let value = serde_json::to_value(query).unwrap();
    assert!(validator::is_valid(&value, &written, &written), "{written}");
}

#[test]
fn enums_of_both_kinds_mix() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Query {
        #[serde(flatten)]
        loose: Loose,
        #[serde(flatten)]
        order: Order,
        #[serde(flatten)]
        page: Page,
    }
    takes::<Query>(
        &[
            json!({"number": 1, "up": null, "from": 1}),
            json!({"word": "a", "by": {"field": "a"}, "from": 1, "count": 2}),
        ],
        &[
            json!({"number": 1, "from": 1}),
            json!({"number": 1, "word": "a", "up": null, "from": 1}),
            json!({"word": 1, "up": null, "from": 1}),
            json!({"word": "a", "up": null}),
        ],
    );
}

#[test]
fn enums_that_share_a_tag_agree_on_it() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Also {
        Text { more: u8 },
        All,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Both {
        #[serde(flatten)]
        what: What,
        #[serde(flatten)]
        also: Also,
    }
    let schema = required::<Both>();
    assert_eq!(
        schema["anyOf"].as_array().map(Vec::len),
        Some(2),
        "{schema}"
    );
}

#[test]
fn flattening_nests() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Middle {
        b: u8,
        #[serde(flatten)]
        what: What,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Top {
        a: u8,
        #[serde(flatten)]
        middle: Middle,
        list: Vec<Middle>,
        maybe: Option<Middle>,
    }
    takes::<Top>(
        &[
            json!({"a": 1, "b": 2, "kind": "all", "list": []}),
            json!({
                "a": 1, "b": 2, "kind": "all", "list": [{"b": 1, "kind": "date", "day": 1}],
                "maybe": {"b": 1, "kind": "all"},
            }),
        ],
        &[
            json!({"a": 1, "b": 2, "kind": "all", "list": [], "x": 1}),
            json!({"a": 1, "b": 2, "kind": "all", "list": [{"b": 1, "kind": "all", "x": 1}]}),
            json!({"a": 1, "b": 2, "kind": "all", "list": [], "maybe": null}),
            json!({"a": 1, "b": 2, "kind": "all", "list": [], "maybe": {"kind": "all"}}),
        ],
    );
}

#[test]
fn an_enum_variant_with_flattened_parts_is_closed() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "op")]
    enum Operation {
        Find {
            #[serde(flatten)]
            page: Page,
            #[serde(flatten)]
            what: What,
        },
        Stop,
    }
    takes::<Operation>(
        &[
            json!({"op": "Find", "from": 1, "kind": "all"}),
            json!({"op": "Stop"}),
        ],
        &[
            json!({"op": "Find", "from": 1, "kind": "all", "x": 1}),
            json!({"op": "Stop", "from": 1}),
            json!({"op": "Find", "from": 1}),
        ],
    );
}

macro_rules! many {
    ($name:ident: $($variant:ident)*) => {
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        enum $name { $($variant(u8),)* }
    };
}
many!(Tens: Ta Tb Tc Td Te Tf Tg Th Ti);
many!(Ones: Oa Ob Oc Od Oe Of Og Oh Oi);

#[test]
fn too_many_combinations_stay_open_and_right() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Huge {
        a: u8,
        #[serde(flatten)]
        tens: Tens,
        #[serde(flatten)]
        ones: Ones,
    }
    let root = super::input_schema(&[super::argument::<Huge>("it", true)]);
    let valid = |value: Value| validator::is_valid(&json!({"it": value}), &root, &root);
    assert!(valid(json!({"a": 1, "Ta": 1, "Oi": 1})), "{root}");
    assert!(!valid(json!({"a": 1, "Ta": 1})));
    assert!(!valid(json!({"a": 1, "Ta": "x", "Oa": 1})));
    assert!(root.to_string().len() < 5000);
}
