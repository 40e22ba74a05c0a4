//! Whether one value fits what a schema says of it as a whole.

use regex_lite::Regex;
use serde_json::{Number, Value};

use super::Format;
use crate::strict::whole;

/// How a value does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// It is of another type than declared.
    Type,
    /// It is of the right type and outside of what is allowed.
    Constraint,
}

/// Whether the value is of a type that the schema names, if it names any.
pub(crate) fn is_of_type(value: &Value, node: &Value) -> bool {
    let fits = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(n) => name == "number" || (name == "integer" && is_integer(n)),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    match &node["type"] {
        Value::String(only) => fits(only),
        Value::Array(list) => list.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}

fn is_integer(number: &Number) -> bool {
    let exact = || number.as_f64().and_then(whole);
    !number.is_f64() || exact().is_some()
}

/// Whether the schema refuses the value as a whole, whatever is in it.
pub(crate) fn refused(value: &Value, node: &Value) -> Option<Misfit> {
    if !is_of_type(value, node) {
        return Some(Misfit::Type);
    }
    let allowed = match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| {
            let bound = |keyword: &str| node[keyword].as_f64();
            bound("minimum").is_none_or(|min| number >= min)
                && bound("maximum").is_none_or(|max| number <= max)
                && bound("exclusiveMinimum").is_none_or(|min| number > min)
                && bound("exclusiveMaximum").is_none_or(|max| number < max)
        }),
        Value::String(text) => {
            let pattern = node["pattern"].as_str().and_then(|p| Regex::new(p).ok());
            let format = node["format"].as_str().and_then(Format::named);
            within(text.chars().count(), node, "minLength", "maxLength")
                && pattern.is_none_or(|pattern| pattern.is_match(text))
                && format.is_none_or(|format| format.is_valid(text))
        }
        Value::Array(items) => within(items.len(), node, "minItems", "maxItems"),
        _ => true,
    };
    let listed = node["enum"]
        .as_array()
        .is_none_or(|list| list.contains(value));
    (!allowed || !listed).then_some(Misfit::Constraint)
}

fn within(length: usize, node: &Value, least: &str, most: &str) -> bool {
    let bound = |keyword: &str| node[keyword].as_u64();
    let length = length as u64;
    bound(least).is_none_or(|least| length >= least)
        && bound(most).is_none_or(|most| length <= most)
}
