//! The same as `validator` without the feature `json-schema`: a schema that demands something cannot be judged.

use serde_json::Value;

use super::violation::Violation;
use crate::schema::fault::{SchemaError, SchemaFault, Unenforced};
use crate::schema::walk::{Node, is_annotation, subschemas};
use crate::util::pointer::push_key;

/// The author of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    Types,
    Author,
}

/// A compiled schema, which cannot be made.
#[derive(Debug)]
pub(crate) enum Validator {}

impl Validator {
    pub(crate) fn made(
        schema: &Value,
        whose: Whose,
        known: &[Unenforced],
    ) -> Result<Self, SchemaFault> {
        Err(SchemaFault::Unenforced(match whose {
            Whose::Types => known.to_vec(),
            Whose::Author => unenforced(schema),
        }))
    }

    pub(crate) fn compile(_: &Value, _: Whose) -> Result<Self, SchemaError> {
        let message = "nothing judges it without the feature `json-schema`";
        Err(SchemaError::new("", message))
    }

    pub(crate) fn holds(&self, _: &Value) -> bool {
        match *self {}
    }

    pub(crate) fn violations(&self, _: &Value) -> Vec<Violation<'_>> {
        match *self {}
    }
}

/// The most keywords that are named.
const TOLD: usize = 8;

/// The first keywords of a schema that demand something.
fn unenforced(schema: &Value) -> Vec<Unenforced> {
    fn find(node: &Node, place: &str, found: &mut Vec<Unenforced>) {
        for (keyword, value) in node {
            let silent = match keyword.as_str() {
                "properties" | "$defs" | "definitions" => true,
                "type" => place.is_empty() && value == "object",
                other => is_annotation(other),
            };
            if !silent && found.len() < TOLD {
                found.push(Unenforced::new(keyword, place));
            }
        }
        for (name, inner) in node
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let mut place = place.to_owned();
            push_key(&mut place, name);
            if let (Value::Object(inner), true) = (inner, found.len() < TOLD) {
                find(inner, &place, found);
            }
        }
        subschemas(node, &mut |keyword, inner| {
            if let ("items" | "additionalProperties", Value::Object(inner)) = (keyword, inner)
                && found.len() < TOLD
            {
                find(inner, &format!("{place}/*"), found);
            }
        });
    }
    let mut found = Vec::new();
    match schema {
        Value::Object(node) => find(node, "", &mut found),
        _ => found.push(Unenforced::new("false", "")),
    }
    found
}
