//! The schema for what two schemas describe together.

use super::source::{Kind, kinds};
use crate::json::{Json, Object};

/// Says the same of a value as it is.
pub(super) const ANNOTATIONS: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
];

/// A schema for what both allow. Annotations are those of `first`, if it has them. `None`: there is no such
/// schema with the keywords that the narrow forms read.
pub(super) fn both(first: &Json, second: &Json) -> Option<Json> {
    match (first, second) {
        (Json::Bool(true), other) | (other, Json::Bool(true)) => Some(other.clone()),
        (Json::Object(first), Json::Object(second)) => merged(first, second).map(Json::Object),
        _ => None,
    }
}

/// Like [`both`], for objects.
pub(super) fn merged(first: &Object, second: &Object) -> Option<Object> {
    if !closed_alike(first, second) || !closed_alike(second, first) {
        return None;
    }
    let mut result = first.clone();
    for (keyword, value) in second.iter() {
        let value = match result.get(keyword) {
            None => value.clone(),
            Some(own) if own == value || ANNOTATIONS.contains(&keyword) => continue,
            Some(own) => same_keyword(keyword, own, value, first, second)?,
        };
        result.insert(keyword, value);
    }
    Some(result)
}

fn same_keyword(
    keyword: &str,
    own: &Json,
    other: &Json,
    first: &Object,
    second: &Object,
) -> Option<Json> {
    match keyword {
        "properties" => {
            let mut properties = own.as_object()?.clone();
            for (name, schema) in other.as_object()?.iter() {
                let schema = match properties.get(name) {
                    Some(own) => both(own, schema)?,
                    None => schema.clone(),
                };
                properties.insert(name, schema);
            }
            Some(Json::Object(properties))
        }
        "required" => {
            let mut names = own.as_array()?.to_vec();
            for name in other.as_array()? {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            Some(Json::Array(names))
        }
        "type" => {
            let (own, other) = (kinds(first)?, kinds(second)?);
            let mut both: Vec<Kind> = Vec::new();
            for kind in Kind::ALL {
                let takes = |kinds: &[Kind]| kinds.iter().any(|own| own.takes(kind));
                let implied = kind == Kind::Integer && both.contains(&Kind::Number);
                if takes(&own) && takes(&other) && !implied {
                    both.push(kind);
                }
            }
            // `integer` comes before `number` in the list of types.
            if both.contains(&Kind::Number) {
                both.retain(|kind| *kind != Kind::Integer);
            }
            let mut names: Vec<Json> = both.into_iter().map(|kind| kind.name().into()).collect();
            match names.len() {
                0 => None,
                1 => names.pop(),
                _ => Some(Json::Array(names)),
            }
        }
        "enum" => {
            let other = other.as_array()?;
            let both = own.as_array()?.iter().filter(|value| other.contains(value));
            let both: Vec<Json> = both.cloned().collect();
            (!both.is_empty()).then_some(Json::Array(both))
        }
        "items" => both(own, other),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(if number(own)? >= number(other)? {
                own.clone()
            } else {
                other.clone()
            })
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(if number(own)? <= number(other)? {
                own.clone()
            } else {
                other.clone()
            })
        }
        "uniqueItems" => Some(true.into()),
        _ => None,
    }
}

/// Returns true if a closed `schema` has all the properties of the other, which it would forbid otherwise.
fn closed_alike(schema: &Object, other: &Object) -> bool {
    if schema.get("additionalProperties") != Some(&Json::Bool(false)) {
        return true;
    }
    let properties = |schema: &Object| schema.get("properties").and_then(Json::as_object).cloned();
    let own = properties(schema).unwrap_or_default();
    let others = properties(other).unwrap_or_default();
    others.iter().all(|(name, _)| own.contains(name))
}

fn number(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => number.as_f64(),
        _ => None,
    }
}
