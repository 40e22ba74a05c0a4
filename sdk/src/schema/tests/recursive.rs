//! Types that contain themselves, and types that would be huge in place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::input_schema;
use super::{argument, output, takes, tool};

/// A tree.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Tree {
    value: u8,
    parent: Option<Box<Tree>>,
    children: Vec<Tree>,
}

#[test]
fn a_recursive_type_is_a_definition() {
    let root = tool::<Tree>(true);
    assert_eq!(root["properties"]["it"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(
        root["$defs"],
        json!({"Tree": {
            "type": "object",
            "description": "A tree.",
            "properties": {
                "value": {"type": "integer", "minimum": 0, "maximum": 255},
                "parent": {"$ref": "#/$defs/Tree"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            },
            "required": ["value", "children"],
            "additionalProperties": false,
        }})
    );
    let leaf = json!({"value": 1, "children": []});
    takes::<Tree>(
        &[
            leaf.clone(),
            json!({"value": 1, "parent": leaf, "children": [leaf, leaf]}),
        ],
        &[
            json!({"value": 1, "children": [{"value": 1}]}),
            json!({"value": 1, "children": [{"value": 1, "children": [], "x": 1}]}),
            json!({"value": 1, "children": [], "parent": null}),
        ],
    );
}

#[test]
fn a_description_stands_beside_the_reference() {
    let mut property = argument::<Option<Tree>>("it", false);
    property.description = "Of the argument.".into();
    let root = input_schema(&[property, argument::<Vec<Option<Tree>>>("others", true)]);
    super::checker::check(&root, true);
    assert_eq!(
        root["properties"]["it"],
        json!({"$ref": "#/$defs/Tree", "description": "Of the argument."})
    );
    assert_eq!(
        root["properties"]["others"]["items"],
        json!({"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]})
    );
    assert_eq!(root["$defs"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn an_output_that_is_recursive_is_an_object_at_the_root() {
    let schema = output::<Tree>().unwrap();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["description"], "A tree.");
    assert_eq!(
        schema["properties"]["children"]["items"],
        json!({"$ref": "#/$defs/Tree"})
    );
    assert!(
        schema["$defs"]["Tree"]
            .get("additionalProperties")
            .is_none()
    );
    assert!(output::<Vec<Tree>>().is_none());
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Folder {
    name: String,
    files: Vec<File>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct File {
    size: Size,
    links: Vec<Folder>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Size {
    bytes: u64,
}

#[test]
fn types_that_contain_each_other() {
    let root = tool::<File>(true);
    let names: Vec<&String> = root["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["File"], "one reference is enough to end it");
    let file = &root["$defs"]["File"]["properties"];
    assert_eq!(file["size"]["type"], "object");
    assert_eq!(file["links"]["items"]["type"], "object");
    takes::<Folder>(
        &[
            json!({"name": "", "files": [{"size": {"bytes": 1}, "links": [{"name": "", "files": []}]}]}),
        ],
        &[json!({"name": "", "files": [{"size": {"bytes": 1, "x": 1}, "links": []}]})],
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Expression {
    Number {
        value: f64,
    },
    Add {
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Call(Call),
    Wrapped(Wrapper),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Call {
    name: String,
    arguments: Vec<Expression>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Wrapper(Box<Node>);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Node {
    inner: Option<Box<Expression>>,
}

#[test]
fn a_recursive_enum() {
    let number = json!({"op": "number", "value": 1});
    let good = [
        number.clone(),
        json!({"op": "add", "left": number, "right": {"op": "call", "name": "f", "arguments": [number]}}),
        json!({"op": "wrapped"}),
        json!({"op": "wrapped", "inner": {"op": "wrapped", "inner": number}}),
    ];
    let bad = [
        json!({"op": "call", "name": "f", "arguments": [], "x": 1}),
        json!({"op": "add", "left": number, "right": {"op": "number"}}),
        json!({"op": "wrapped", "inner": {"value": 1}}),
        json!({"op": "wrapped", "inner": number, "x": 1}),
        json!({"inner": number}),
    ];
    takes::<Expression>(&good, &bad);
    takes::<Node>(
        &[json!({}), json!({"inner": number})],
        &[
            json!({"op": "wrapped"}),
            json!({"inner": {"op": "wrapped", "x": 1}}),
        ],
    );
    tool::<Vec<(Node, Expression)>>(false);
    output::<Node>();
    output::<Call>();
}

#[test]
fn a_tag_beside_a_reference_makes_a_variant_of_the_type() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Part {
        next: Option<Box<Part>>,
        kind: Kind,
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "is")]
    enum Kind {
        Leaf,
        Inner(Boxed),
    }
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Boxed(Box<Part>);

    let leaf = json!({"is": "Leaf"});
    takes::<Part>(
        &[
            json!({"kind": leaf}),
            json!({"kind": {"is": "Inner", "kind": leaf, "next": {"kind": leaf}}}),
        ],
        &[
            json!({"kind": {"is": "Inner", "kind": leaf, "x": 1}}),
            json!({"kind": {"is": "Inner"}}),
            json!({"is": "Inner", "kind": leaf}),
        ],
    );
    let root = tool::<Part>(true);
    let names: Vec<&String> = root["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Part", "Part2"]);
    assert_eq!(root["$defs"]["Part2"]["required"], json!(["is", "kind"]));
}

#[test]
fn a_recursive_enum_can_be_flattened() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    struct Step {
        id: u8,
        #[serde(flatten)]
        what: Expression,
    }
    let number = json!({"op": "number", "value": 1});
    takes::<Step>(
        &[
            json!({"id": 1, "op": "number", "value": 1}),
            json!({"id": 1, "op": "add", "left": number, "right": number}),
            json!({"id": 1, "op": "wrapped", "inner": number}),
        ],
        &[
            json!({"id": 1, "op": "wrapped", "inner": number, "x": 1}),
            json!({"op": "number", "value": 1}),
            json!({"id": 1, "op": "add", "left": number, "right": {"op": "number"}}),
        ],
    );
}

#[test]
fn a_generic_recursive_type_has_a_plain_name() {
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    #[schemars(rename = "List<{T}>")]
    struct List<T> {
        head: T,
        tail: Option<Box<List<T>>>,
    }
    let root = tool::<(List<u8>, List<String>)>(true);
    let names: Vec<&String> = root["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["List_string_", "List_uint8_"]);
    takes::<List<u8>>(
        &[json!({"head": 1, "tail": {"head": 2}})],
        &[json!({"head": 1, "tail": {"head": ""}})],
    );
}

#[test]
fn types_of_one_name_stay_apart() {
    mod other {
        use super::{Deserialize, JsonSchema, Serialize};
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        pub(super) struct Tree {
            pub(super) other: Vec<Tree>,
        }
    }
    let root = tool::<(Tree, other::Tree)>(true);
    assert_eq!(root["$defs"].as_object().map(serde_json::Map::len), Some(2));
    takes::<(Tree, other::Tree)>(
        &[json!([{"value": 1, "children": []}, {"other": []}])],
        &[json!([{"value": 1, "children": []}, {"value": 1, "children": []}])],
    );
}

macro_rules! grammar {
    ($($name:ident)*) => {
        grammar!(@ [$($name)*] $($name)*);
    };
    (@ $all:tt $($name:ident)*) => {
        $(grammar!(# $name $all);)*
    };
    (# $name:ident [$($all:ident)*]) => {
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        #[allow(clippy::enum_variant_names, reason = "named for what they hold")]
        enum $name { $($all(Box<$all>),)* Nothing }
    };
}
grammar!(Air Bow Cat Dog Elk Fig Gum Hut Ink Jam Kit Log);

#[test]
fn a_grammar_of_many_types_is_no_larger_than_its_types() {
    let root = tool::<Air>(true);
    assert_eq!(
        root["$defs"].as_object().map(serde_json::Map::len),
        Some(12)
    );
    assert!(root.to_string().len() < 30_000);
}

macro_rules! diamonds {
    ($first:ident) => {
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        struct $first { end: u8 }
    };
    ($first:ident $second:ident $($rest:ident)*) => {
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        struct $first { left: $second, right: $second }
        diamonds!($second $($rest)*);
    };
}
diamonds!(Da Db Dc Dd De Df Dg Dh Di Dj Dk Dl Dm Dn Do Dp Dq Dr Ds Dt Du Dv Dw Dx Dy Dz);

#[test]
fn what_would_double_at_each_level_is_referred_to() {
    let root = tool::<Da>(true);
    assert!(root.get("$defs").is_some());
    assert!(
        root.to_string().len() < 100_000,
        "{}",
        root.to_string().len()
    );
}
