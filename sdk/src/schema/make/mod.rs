//! JSON Schemas of what a tool takes and returns, in a portable form.
//!
//! schemars writes a schema that is right for a validator of the current draft. Providers accept
//! less, each something else. The portable form says the same with what all of them read:
//!
//! - An object of named properties is closed (`additionalProperties: false`) at every depth. A
//!   map keeps the schema of its values; one that is open on purpose says `{}`.
//! - Optional values are not also nullable: one way to leave a value out is enough.
//! - References stay only where a type is recursive (or would become huge), all of them to the
//!   root's `$defs`.
//! - Alternatives are `anyOf`, also where schemars writes `oneOf`; a union beside properties, as
//!   a flattened enum gives it, is spread out into whole objects.
//! - A fixed value is an `enum` of one, never a `const`, and names its type; unit variants share
//!   one `enum`, their docs joined into its description.
//! - An integer has `minimum` and `maximum`, inclusive, in place of a format such as `uint8`.
//! - An array always has `items`, a tuple too, and those of equal parts have nothing else.
//! - The form of the keys of a map (`BTreeMap<u32, _>`) and the one value that a `NonZeroI32`
//!   lacks are sentences in a description, not `patternProperties` and `not`.
//! - There is neither `$schema` nor `title`, and no boolean where a schema belongs.
//!
//! A schema that somebody wrote by hand is brought to this form as far as it can be without a
//! change of meaning. An object schema that names no properties stays as open as it is: it says
//! "any object" at least as often as "an empty one".
//!
//! A schema is written in an [`MemberOrder`] of its own: the same types give the same bytes on every call, and
//! in every program.

mod array;
mod distribute;
mod known;
mod link;
mod merge;
mod narrow;
pub(super) mod number;
mod object;
mod order;
mod portable;
mod source;
mod union;
pub(super) mod unkept;
mod value;
pub(super) mod written;

use std::borrow::Cow;
use std::sync::Arc;

use schemars::generate::Contract;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::walk::Node;
use crate::util::members::Members;
use known::ArgumentType;
pub(crate) use known::OutputSchema;
pub(crate) use narrow::narrow;
pub(crate) use order::{MemberOrder, Ordered};
use portable::{Portable, SchemaPurpose, SchemaSite};
use unkept::unkept;
pub(crate) use unkept::{ENFORCED, Marked, Unkept};
pub(crate) use written::written;

/// The function that asks schemars for the schema of a type.
///
/// It is called more than once, with generators of different settings, and should go through
/// [`SchemaGenerator::subschema_for`].
pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// An argument of a tool, as the input schema shows it.
#[derive(Debug, Clone)]
pub(crate) struct Property<'a> {
    /// The name that the model uses.
    pub(crate) name: &'a str,
    /// The description for the model. If it is empty, the docs of the type are used.
    pub(crate) description: Cow<'a, str>,
    /// The type.
    pub(crate) schema: SchemaFn,
    /// True if a call without it is refused.
    pub(crate) required: bool,
    /// The default, written as given. `null` has no meaning here and is left out.
    pub(crate) default: Option<Value>,
}

/// The schema of a tool's arguments, a closed object, and what the types do not keep of it.
pub(crate) fn input_schema(properties: &[Property<'_>]) -> (Value, Unkept) {
    let types = types_of(properties);
    if !types.iter().all(|of_one| of_one.is_plain()) {
        return drawn_together(properties);
    }
    let schemas = properties.iter().zip(&types).map(|(property, of_one)| {
        let form = of_one.form(property);
        with_default(form.node(&property.description), property)
    });
    let root = closed(properties, schemas);
    let has_maps = types.iter().any(|of_one| of_one.has_maps());
    let unkept = Unkept {
        has_maps,
        ..Unkept::default()
    };
    (Value::Object(root), unkept)
}

/// Returns true if the types of arguments keep all that their schema says, so that it need not be made before somebody
/// wants to see it.
pub(crate) fn is_kept_by_types(types: impl IntoIterator<Item = SchemaFn>) -> bool {
    types.into_iter().all(|schema| {
        let of_one = ArgumentType::of(schema);
        of_one.is_plain() && !of_one.has_maps()
    })
}

/// Writes [`input_schema`] of arguments whose types [keep all of it](is_kept_by_types) and which have no defaults,
/// their order included.
pub(crate) fn write_input_schema(
    properties: &[Property<'_>],
    text: &mut Vec<u8>,
) -> serde_json::Result<()> {
    let mut root = Members::begin(text);
    root.plain_name("additionalProperties")
        .extend_from_slice(b"false");
    let mut members = Members::begin(root.plain_name("properties"));
    for (property, of_one) in properties.iter().zip(types_of(properties)) {
        let text = members.name(property.name)?;
        of_one.form(property).write(&property.description, text)?;
    }
    members.end();
    let required = required(properties);
    if !required.is_empty() {
        serde_json::to_writer(root.plain_name("required"), &required)?;
    }
    root.plain_name("type").extend_from_slice(b"\"object\"");
    root.end();
    Ok(())
}

fn types_of(properties: &[Property<'_>]) -> Vec<Arc<ArgumentType>> {
    let schemas = properties.iter().map(|property| property.schema);
    schemas.map(ArgumentType::of).collect()
}

/// [`input_schema`] of types whose schemas share definitions, or which do not keep all of them.
pub(super) fn drawn_together(properties: &[Property<'_>]) -> (Value, Unkept) {
    let types: Vec<SchemaFn> = properties.iter().map(|p| p.schema).collect();
    let (schemas, definitions) = source::draw(&Contract::Deserialize, &types);
    let names = properties.iter().map(|property| Some(property.name));
    let arguments: Vec<_> = names.zip(&schemas).collect();
    let unkept = unkept(&arguments, &definitions);
    let mut portable = Portable::new(definitions, SchemaPurpose::Input);
    let schemas = properties.iter().zip(schemas).map(|(property, schema)| {
        let place = SchemaSite {
            optional: !property.required,
            ..SchemaSite::default()
        };
        let description = Some(property.description.as_ref()).filter(|text| !text.is_empty());
        with_default(portable.property(schema, description, place), property)
    });
    let root = closed(properties, schemas);
    (portable.finish(root), unkept)
}

fn with_default(mut schema: Node, property: &Property<'_>) -> Node {
    if let Some(default) = property.default.as_ref().filter(|value| !value.is_null()) {
        schema.insert("default".to_owned(), default.clone());
    }
    schema
}

/// The closed object of properties with these schemas.
fn closed(properties: &[Property<'_>], schemas: impl Iterator<Item = Node>) -> Node {
    let names = properties.iter().map(|property| property.name.to_owned());
    let shown: Node = names.zip(schemas.map(Value::Object)).collect();
    let required = required(properties);
    let mut root = Node::new();
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(shown));
    if !required.is_empty() {
        root.insert("required".to_owned(), json!(required));
    }
    root.insert("additionalProperties".to_owned(), json!(false));
    root
}

fn required<'p>(properties: &[Property<'p>]) -> Vec<&'p str> {
    let required = properties.iter().filter(|property| property.required);
    required.map(|property| property.name).collect()
}

/// The same where one type says all of them.
pub(crate) fn whole_input_schema(schema: SchemaFn) -> (Value, Unkept) {
    let (mut schemas, definitions) = source::draw(&Contract::Deserialize, &[schema]);
    let schema = schemas.pop().unwrap_or_default();
    let unkept = unkept(&[(None, &schema)], &definitions);
    let mut portable = Portable::new(definitions, SchemaPurpose::Input);
    let root = portable.root(schema);
    (portable.finish(root), unkept)
}

/// The schema of a result, if it is an object whatever the result. A union of objects is not one.
///
/// Cleaned like an input, but objects stay open and `null` stays wherever it can be written.
pub(crate) fn output_schema(schema: SchemaFn) -> Option<Value> {
    let (mut schemas, definitions) = source::draw(&Contract::Serialize, &[schema]);
    let mut portable = Portable::new(definitions, SchemaPurpose::Output);
    let root = portable.root(schemas.pop()?);
    (root.get("type").and_then(Value::as_str) == Some("object")).then(|| portable.finish(root))
}
