//! Types as people write them, against the rules of the portable form.

mod checker;
mod constraints;
mod containers;
mod describing;
mod enums;
mod flattened_enums;
mod flattened_parts;
mod handwritten;
mod objects;
mod optionals;
mod outputs;
mod paths;
mod recursive;
mod sampler;
mod scalars;
mod units;
mod unkept;
mod validator;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::make::{
    MemberOrder, Ordered, Property, drawn_together, is_kept_by_types, output_schema,
    write_input_schema,
};
use super::path::take_aliases;
use crate::schema::make::unkept::Unkept;

fn input_schema(properties: &[Property<'_>]) -> Value {
    judged_input_schema(properties).0
}

/// Drawn in each of the ways that there are, which give the same.
fn judged_input_schema(properties: &[Property<'_>]) -> (Value, Unkept) {
    let (schema, unkept) = super::make::input_schema(properties);
    let (together, unkept_together) = drawn_together(properties);
    assert_eq!(schema, together);
    assert_eq!(format!("{unkept:?}"), format!("{unkept_together:?}"));
    if is_kept_by_types(properties.iter().map(|one| one.schema))
        && properties.iter().all(|one| one.default.is_none())
    {
        let mut text = Vec::new();
        write_input_schema(properties, &mut text).unwrap();
        let mut value = schema.clone();
        let order = MemberOrder::take_from(&mut value);
        take_aliases(&mut value);
        let names = properties.iter().map(|property| property.name);
        let ordered = Ordered::new(value, order.with_properties(names));
        let made = serde_json::to_string(&ordered).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), made);
    }
    (schema, unkept)
}

/// The schema function that the macro would write for `T`.
fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn argument<T: JsonSchema>(name: &str, required: bool) -> Property<'_> {
    Property {
        name,
        description: "".into(),
        schema: of::<T>,
        required,
        default: None,
    }
}

/// The input schema of a tool with one argument `it`.
fn tool<T: JsonSchema>(required: bool) -> Value {
    let make = || input_schema(&[argument::<T>("it", required)]);
    let root = make();
    checker::check(&root, true);
    assert_eq!(
        root.to_string(),
        make().to_string(),
        "the same bytes on every call"
    );
    root
}

/// The schema of a required argument.
fn required<T: JsonSchema>() -> Value {
    tool::<T>(true)["properties"]["it"].clone()
}

/// The schema of an optional argument.
fn optional<T: JsonSchema>() -> Value {
    tool::<T>(false)["properties"]["it"].clone()
}

fn output<T: JsonSchema>() -> Option<Value> {
    let schema = output_schema(of::<T>);
    assert_eq!(schema, output_schema(of::<T>));
    if let Some(schema) = &schema {
        checker::check(schema, false);
    }
    schema
}

/// Asserts that the schema takes what serde takes of `good`, and none of `bad`, and that serde
/// takes whatever the schema does.
#[track_caller]
fn takes<T: JsonSchema + DeserializeOwned>(good: &[Value], bad: &[Value]) {
    let root = tool::<T>(true);
    for value in good {
        if let Err(error) = serde_json::from_str::<T>(&value.to_string()) {
            panic!("serde refuses {value}: {error}");
        }
        let valid = validator::is_valid(&json!({ "it": value }), &root, &root);
        assert!(valid, "{value} should be valid for {root}");
    }
    for value in sampler::samples(&root["properties"]["it"], &root, 4) {
        if let Err(error) = serde_json::from_str::<T>(&value.to_string()) {
            panic!("serde refuses {value}: {error}, yet it is valid for {root}");
        }
        let valid = validator::is_valid(&json!({ "it": value }), &root, &root);
        assert!(valid, "{value} should be valid for {root}");
    }
    for value in bad {
        let valid = validator::is_valid(&json!({ "it": value }), &root, &root);
        assert!(!valid, "{value} should be invalid for {root}");
    }
}

#[test]
fn a_tool_without_arguments_takes_an_empty_object() {
    assert_eq!(
        input_schema(&[]),
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
}

#[test]
fn the_root_lists_what_is_required_in_declaration_order() {
    let root = input_schema(&[
        argument::<String>("zeta", true),
        argument::<u8>("beta", false),
        argument::<bool>("alpha", true),
    ]);
    checker::check(&root, true);
    assert_eq!(root["required"], json!(["zeta", "alpha"]));
    assert_eq!(root["additionalProperties"], json!(false));
    assert!(root.get("$defs").is_none());
}

#[test]
fn defaults_are_written_as_given() {
    let mut property = argument::<Option<u8>>("it", false);
    property.default = Some(json!(7));
    let root = input_schema(&[property.clone()]);
    assert_eq!(root["properties"]["it"]["default"], json!(7));

    property.default = Some(Value::Null);
    let root = input_schema(&[property]);
    assert!(root["properties"]["it"].get("default").is_none());
}

#[test]
fn an_arguments_own_description_wins() {
    /// Docs of the type.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Documented {
        a: u8,
    }
    let mut property = argument::<Documented>("it", true);
    let described = |property: &Property<'_>| {
        input_schema(std::slice::from_ref(property))["properties"]["it"]["description"].clone()
    };
    assert_eq!(described(&property), "Docs of the type.");
    property.description = "Of the argument.".into();
    assert_eq!(described(&property), "Of the argument.");
    property.schema = of::<Option<Documented>>;
    property.required = false;
    assert_eq!(described(&property), "Of the argument.");
    property.schema = of::<Value>;
    assert_eq!(
        input_schema(&[property])["properties"]["it"],
        json!({"description": "Of the argument."})
    );
}
