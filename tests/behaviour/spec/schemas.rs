//! The input schemas of tools with arguments of many types.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroI16, NonZeroU32};
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::arguments::Arguments;
use toolwright::{Tool, ToolRegistry, ToolSpec, tool};

/// A page of a book.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A titled type")]
struct Page {
    /// The names of fields are not keywords.
    title: String,
    #[serde(rename = "$schema")]
    schema: Option<bool>,
    notes: Vec<Note>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Note {
    #[serde(default)]
    line_number: Option<u8>,
    #[schemars(title = "What it says")]
    text: String,
}

/// A folder in folders.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Folder {
    name: String,
    folders: Vec<Folder>,
    parent: Option<Box<Folder>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Shape {
    Point,
    Circle(f64),
    Rectangle { width: f64, height: f64 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "snake_case")]
enum Operation {
    Insert { at: u32, text: String },
    Delete { from: u32, to: u32 },
    Clear,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(u8),
    Many(Vec<Adjacent>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u64,
    #[serde(flatten)]
    shape: Operation,
}

/// Tools that take a type in four ways, and an argument that each accepts for it.
macro_rules! tools {
    ($($module:ident $name:literal: $T:ty = $sample:tt;)*) => {
        $(
            mod $module {
                use super::*;

                /// Take a type in several ways.
                #[tool(name = $name, pure, register = false)]
                pub(super) fn take(
                    /// Just one.
                    one: $T,
                    /// At most one.
                    maybe: Option<$T>,
                    /// Any number.
                    many: Vec<$T>,
                    /// Any number, each with a name.
                    named: BTreeMap<String, $T>,
                ) -> bool {
                    let _ = (one, named);
                    maybe.is_some() || many.is_empty()
                }
            }
        )*

        fn all_tools() -> Vec<(Box<dyn Tool>, Value)> {
            vec![$((Box::new($module::Take) as Box<dyn Tool>, json!($sample))),*]
        }

        fn registry() -> ToolRegistry {
            ToolRegistry::new()$(.with($module::Take))*
        }
    };
}

tools! {
    booleans "t.bool": bool = true;
    characters "t.char": char = "ä";
    bytes "t.u8": u8 = 255;
    small "t.i16": i16 = (-3);
    large "t.u64": u64 = 18_446_744_073_709_551_615_u64;
    huge "t.i64": i64 = (i64::MIN);
    sizes "t.usize": usize = 0;
    floats "t.f32": f32 = 1.5;
    doubles "t.f64": f64 = 2;
    never_zero "t.nonzero": NonZeroU32 = 1;
    signed_never_zero "t.signed-nonzero": NonZeroI16 = (-1);
    texts "t.text": String = "text";
    boxed "t.boxed": Box<str> = "text";
    paths "t.path": PathBuf = "a/b.txt";
    nothing "t.unit": () = null;
    durations "t.duration": Duration = {"secs": 1, "nanos": 5};
    addresses "t.ip": IpAddr = "::1";
    old_addresses "t.ipv4": Ipv4Addr = "127.0.0.1";
    pairs "t.pair": (i32, String) = [1, "a"];
    arrays "t.array": [u8; 3] = [1, 2, 3];
    sets "t.set": BTreeSet<String> = ["a", "b"];
    queues "t.queue": VecDeque<Option<u8>> = [1, null];
    numbered "t.numbered": HashMap<u32, bool> = {"7": true};
    anything "t.any": Value = {"any": [1, null]};
    results "t.result": Result<u8, String> = {"Ok": 1};
    pages "t.page": Page = {"title": "t", "$schema": true, "notes": [{"lineNumber": 1, "text": "n"}]};
    folders "t.folder": Folder = {"name": "a", "folders": [{"name": "b", "folders": []}]};
    orders "t.order": Order = "ascending";
    shapes "t.shape": Shape = {"Rectangle": {"width": 1, "height": 2.5}};
    operations "t.operation": Operation = {"operation": "delete", "from": 1, "to": 2};
    adjacents "t.adjacent": Adjacent = {"t": "Many", "c": [{"t": "One", "c": 1}]};
    untagged "t.untagged": OneOrMany = ["a", "b"];
    flat "t.flat": Flat = {"id": 1, "operation": "clear"};
}

/// Every schema within a schema, with its place; what is named `title` among properties is none.
fn positions<'s>(schema: &'s Value, place: &str, found: &mut Vec<(String, &'s Value)>) {
    found.push((place.to_owned(), schema));
    let Value::Object(node) = schema else {
        return;
    };
    for (keyword, below) in node {
        let place = format!("{place}/{keyword}");
        match (keyword.as_str(), below) {
            (
                "properties" | "patternProperties" | "$defs" | "dependentSchemas",
                Value::Object(named),
            ) => {
                for (name, schema) in named {
                    positions(schema, &format!("{place}/{name}"), found);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    positions(schema, &format!("{place}/{index}"), found);
                }
            }
            // Says that an object is closed, which every provider reads.
            ("additionalProperties", Value::Bool(false)) => {}
            (
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "contains"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                schema,
            ) => positions(schema, &place, found),
            _ => {}
        }
    }
}

#[track_caller]
fn assert_portable(spec: &ToolSpec) {
    let schema = spec.input_schema();
    let name = spec.name();
    let text = serde_json::to_string(schema).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        *schema,
        "{name}"
    );
    assert_eq!(schema["type"], "object", "{name}: {text}");
    let mut found = Vec::new();
    positions(schema, "", &mut found);
    for (place, schema) in found {
        let Value::Object(node) = schema else {
            panic!("{name}: no object at {place}: {schema}");
        };
        for keyword in ["$schema", "title"] {
            assert!(
                !node.contains_key(keyword),
                "{name}: {keyword} at {place}: {schema}"
            );
        }
    }
}

#[test]
fn s3_07_the_schema_of_every_tool_is_valid_json() {
    let tools = all_tools();
    assert!(tools.len() > 30);
    for (tool, sample) in &tools {
        assert_portable(tool.spec());
        // A schema of some other tool would pass so far; these arguments fit this one's.
        let arguments = json!({
            "one": sample,
            "many": [sample, sample],
            "named": {"a": sample},
        });
        let refused = tool.parse(&Arguments::from(&arguments)).err();
        assert!(
            refused.is_none(),
            "{}: {}",
            tool.spec().name(),
            refused.unwrap()
        );
        let properties = tool.spec().input_schema()["properties"]
            .as_object()
            .unwrap();
        for argument in ["one", "maybe", "many", "named"] {
            assert!(properties.contains_key(argument), "{}", tool.spec().name());
        }
    }
}

#[test]
fn s3_07_the_listing_is_valid_json() {
    let snapshot = registry().freeze().unwrap();
    let text = snapshot.to_json().unwrap();
    let listed: Vec<ToolSpec> = serde_json::from_str(&text).unwrap();
    assert_eq!(listed.len(), snapshot.len());
    for (listed, spec) in listed.iter().zip(snapshot.specs()) {
        assert_eq!(listed.name(), spec.name());
        assert_eq!(listed.input_schema(), spec.input_schema());
        assert_portable(listed);
    }
}
