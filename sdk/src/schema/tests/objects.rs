//! Structs: closed at every depth, whatever their fields are called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::input_schema;
use super::{argument, output, required, takes};

/// Fields that are called like keywords.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Keywords {
    /// A title.
    title: String,
    format: String,
    properties: Value,
    #[serde(rename = "$ref")]
    reference: String,
    #[serde(rename = "$schema")]
    schema: String,
    default: u8,
    required: Vec<String>,
    items: Option<bool>,
    #[serde(rename = "const")]
    constant: String,
    r#type: String,
    #[serde(rename = "oneOf")]
    one_of: u8,
    #[serde(rename = "$defs")]
    definitions: Option<Box<Keywords>>,
}

#[test]
fn properties_may_be_called_like_keywords() {
    let root = input_schema(&[argument::<Keywords>("title", true)]);
    super::checker::check(&root, true);
    let named = &root["$defs"]["Keywords"];
    assert_eq!(named["properties"]["title"]["description"], "A title.");
    assert_eq!(named["properties"]["$ref"], json!({"type": "string"}));
    assert_eq!(named["properties"]["properties"], json!({}));
    assert_eq!(named["required"].as_array().map(Vec::len), Some(10));
    let value = json!({
        "title": "", "format": "", "properties": {}, "$ref": "", "$schema": "", "default": 1,
        "required": [], "const": "", "type": "", "oneOf": 1,
    });
    let mut worse = value.clone();
    worse["$defs"] = value.clone();
    let mut extra = worse.clone();
    extra["$defs"]["x"] = json!(1);
    takes::<Keywords>(&[value, worse], &[extra, json!({})]);
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "two fields are only half used")]
struct Outer {
    first_name: String,
    #[serde(rename = "last", alias = "surname")]
    last_name: Option<String>,
    #[serde(skip)]
    hidden: u8,
    #[serde(skip_deserializing)]
    written: u8,
    #[serde(skip_serializing)]
    read: u8,
    home: Address<String>,
    other: Vec<Address<u8>>,
}

/// The address of a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Address<T> {
    street: T,
    at: Position,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Position {
    x: f64,
    y: f64,
}

#[test]
fn structs_are_closed_at_every_depth() {
    let schema = required::<Outer>();
    assert_eq!(
        schema["required"],
        json!(["firstName", "read", "home", "other"])
    );
    assert_eq!(
        schema["properties"]["home"]["description"],
        "The address of a person."
    );
    let at = json!({"x": 1, "y": 2});
    let value = json!({
        "firstName": "a", "read": 1, "home": {"street": "a", "at": at},
        "other": [{"street": 1, "at": at}],
    });
    let changed = |pointer: &str, key: &str| {
        let mut value = value.clone();
        value.pointer_mut(pointer).unwrap()[key] = json!(1);
        value
    };
    takes::<Outer>(
        std::slice::from_ref(&value),
        &[
            changed("", "hidden"),
            changed("", "written"),
            changed("", "first_name"),
            changed("", "surname"),
            changed("/home", "x"),
            changed("/home/at", "z"),
            changed("/other/0", "x"),
            changed("/other/0/at", "z"),
            changed("/home", "street"),
        ],
    );
}

#[test]
fn outputs_follow_the_serialize_contract_and_stay_open() {
    let schema = output::<Outer>().unwrap();
    assert!(schema["properties"].get("written").is_some());
    assert!(schema["properties"].get("read").is_none());
    assert_eq!(
        schema["required"],
        json!(["firstName", "last", "written", "home", "other"])
    );
    assert!(schema.get("additionalProperties").is_none());
    assert!(
        schema["properties"]["home"]
            .get("additionalProperties")
            .is_none()
    );
    assert_eq!(
        schema["properties"]["last"]["type"],
        json!(["string", "null"])
    );
}

#[test]
fn only_objects_have_an_output_schema() {
    assert!(output::<Position>().is_some());
    assert!(output::<std::collections::HashMap<String, u8>>().is_some());
    assert!(output::<Box<Position>>().is_some());
    assert!(output::<String>().is_none());
    assert!(output::<Vec<Position>>().is_none());
    assert!(output::<Option<Position>>().is_none());
    assert!(output::<Value>().is_none());
    assert!(output::<()>().is_none());
    assert!(output::<Result<Position, Address<u8>>>().is_none());
}

#[test]
fn wrappers_are_what_they_wrap() {
    /// Docs of the wrapper.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Newtype(Position);
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    struct Transparent {
        inner: Option<u8>,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(from = "Position", into = "Position")]
    struct Converted;
    impl From<Position> for Converted {
        fn from(_: Position) -> Self {
            Self
        }
    }
    impl From<Converted> for Position {
        fn from(_: Converted) -> Self {
            Self { x: 0.0, y: 0.0 }
        }
    }
    impl Clone for Converted {
        fn clone(&self) -> Self {
            Self
        }
    }
    let mut schema = required::<Newtype>();
    assert_eq!(schema["description"], "Docs of the wrapper.");
    schema.as_object_mut().unwrap().remove("description");
    assert_eq!(schema, required::<Position>());
    assert_eq!(required::<Converted>(), required::<Position>());
    assert_eq!(
        required::<Transparent>()["type"],
        json!(["integer", "null"])
    );
    assert_eq!(required::<&'static Position>(), required::<Position>());
}

#[test]
fn an_empty_struct_stays_an_object() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Empty {}
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Unit;
    assert_eq!(required::<Empty>(), json!({"type": "object"}));
    assert_eq!(required::<Unit>(), json!({"type": "null"}));
}
