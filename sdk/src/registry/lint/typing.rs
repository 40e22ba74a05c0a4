//! Types in schemas: each value needs one.

use serde_json::Value;

use super::{Findings, LintKind};
use crate::schema::places::{Role, SchemaLocation, ValueStep, listed, target};

/// The types that JSON Schema knows.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Arguments are an object.
pub(super) fn check_root(schema: &Value, findings: &mut Findings<'_>) {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        let message = "the input schema is not one of an object: every call has its arguments in \
                       one, so put `\"type\": \"object\"` at the root";
        findings.add("", LintKind::Typeless, message);
    }
}

pub(super) fn check(place: &SchemaLocation<'_>, root: &Value, findings: &mut Findings<'_>) {
    let mut say = |step: Option<ValueStep<'_>>, message: String| {
        let path = match step {
            Some(step) => place.path.with(step),
            None => place.path.clone(),
        };
        findings.add(path.pointer(), LintKind::Typeless, message);
    };
    if let Some(reference) = broken_reference(place.schema, root) {
        say(
            None,
            format!(
                "refers to `{reference}`, which is not in the schema, so nobody sees what it is: \
                 put it under `$defs` at the root"
            ),
        );
    }
    if let Some(unknown) = unknown_type(place.schema)
        && place.role != Role::Root
    {
        say(
            None,
            format!(
                "has the type `{unknown}`, which JSON Schema does not have: it has {}",
                TYPES.join(", ")
            ),
        );
    } else if must_be_typed(place) && !is_typed(place.schema) && !is_typed_around(place) {
        say(
            None,
            "does not say of which type it is, so that a model may send anything: give the schema \
             a `type`, or the parameter a type of its own in place of any JSON"
                .to_owned(),
        );
    }
    let says_elements = |schema: &Value| {
        let own = ["items", "prefixItems"];
        own.iter().any(|keyword| schema.get(keyword).is_some())
    };
    if has_type(place.schema, "array")
        && !says_elements(place.schema)
        && !place.around.iter().any(|outer| says_elements(outer))
    {
        say(
            Some(ValueStep::Element),
            "the list does not say what its elements are: add `items`".to_owned(),
        );
    }
}

/// Returns true if the type has to be in this schema or those around it.
fn must_be_typed(place: &SchemaLocation<'_>) -> bool {
    match place.role {
        // `check_root` checks the root, and a part gives the type together with the other parts.
        Role::Root | Role::Part => false,
        // A map may be open on purpose.
        Role::Inner => !matches!(place.path.last(), Some(ValueStep::Entry)),
        Role::Branch | Role::Target => !place.path.is_root(),
    }
}

/// Returns true if a schema that applies together with this one gives the type.
fn is_typed_around(place: &SchemaLocation<'_>) -> bool {
    let says = match place.role {
        // The same argument, in a schema of the same object.
        Role::Inner => is_typed,
        // A schema that holds this one by `anyOf` or `$ref` leaves the type to it.
        _ => says_type,
    };
    place.around.iter().any(|outer| says(outer))
}

/// Returns true if a schema gives the type of a value, or leaves it to schemas that are checked separately.
fn is_typed(schema: &Value) -> bool {
    let leaves_it = ["$ref", "$dynamicRef", "anyOf", "oneOf"];
    // `false` allows nothing at all.
    *schema == Value::Bool(false)
        || says_type(schema)
        || leaves_it
            .iter()
            .any(|keyword| schema.get(keyword).is_some())
}

/// Returns true if a schema gives the type of a value without going on to others.
fn says_type(schema: &Value) -> bool {
    let own = ["type", "enum", "const"];
    own.iter().any(|keyword| schema.get(keyword).is_some())
        || listed(schema, "allOf").iter().any(is_typed)
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        Some(only) => only == name,
        None => false,
    }
}

fn unknown_type(schema: &Value) -> Option<String> {
    let several = match schema.get("type")? {
        Value::Array(several) => several,
        only => std::slice::from_ref(only),
    };
    let known = |name: &&Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    let unknown = several.iter().find(|name| !known(name))?;
    Some(
        unknown
            .as_str()
            .map_or_else(|| unknown.to_string(), str::to_owned),
    )
}

fn broken_reference<'s>(schema: &'s Value, root: &Value) -> Option<&'s str> {
    let reference = schema.get("$ref")?.as_str()?;
    // A reference with escapes is not followed, so it is not reported.
    (target(schema, root).is_none() && !reference.contains('%')).then_some(reference)
}
