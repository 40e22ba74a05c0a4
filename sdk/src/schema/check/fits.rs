//! The check of a single value against the keywords of a schema for the value as a whole.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::equal::{all_differ, equal};
use super::exact::{compare, integer, is_multiple};
use super::format::Format;
use super::pattern::matches;
use super::violation::ViolationKind;
use crate::schema::keywords::{Keyword, Keywords};

#[cfg(test)]
mod tests;

/// Returns true if the value is of a type that the schema names, or it names none. An integral float is an
/// integer as far as floats tell integers apart, which is below 2^53.
pub(crate) fn is_of_type(value: &Value, node: &Value) -> bool {
    is_of_one(value, node.get("type"), |number| integer(number).is_some())
}

/// Returns true if the value is of one of the types that a keyword `type` names, or there is none; some
/// callers take more numbers for integers than others.
pub(super) fn is_of_one(
    value: &Value,
    types: Option<&Value>,
    is_integer: impl Fn(&Number) -> bool,
) -> bool {
    let fits = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || (name == "integer" && is_integer(number)),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    match types {
        Some(Value::String(only)) => fits(only),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}

/// Returns the first way in which the value as a whole breaks the schema; its parts are not checked.
///
/// A pattern refuses nothing if it cannot be read here, or takes more than the effort that is left, in steps; nor
/// does a keyword without a meaning. The pattern is compiled each time, so this is not for code that runs on every
/// call of a tool.
pub(crate) fn refused(
    value: &Value,
    node: &Value,
    effort: &mut usize,
) -> Option<ViolationKind<'static>> {
    if *node == Value::Bool(false) {
        return Some(ViolationKind::NotListed);
    }
    refused_by(value, Keywords::of(node), effort)
}

/// The same by the keywords of a schema that is no boolean.
pub(crate) fn refused_by(
    value: &Value,
    node: Keywords<'_>,
    effort: &mut usize,
) -> Option<ViolationKind<'static>> {
    if !is_of_one(value, node.get(Keyword::Type), |n| integer(n).is_some()) {
        return Some(ViolationKind::Type);
    }
    if !node.has_constraints() {
        return None;
    }
    let text_of = |keyword| node.get(keyword).and_then(Value::as_str);
    let allowed = match value {
        Value::Number(number) => is_in_range(number, node),
        Value::String(text) => {
            let format = text_of(Keyword::Format).and_then(Format::named);
            let length = || text.chars().count();
            within(node, Keyword::MinLength, Keyword::MaxLength, length)
                && format.is_none_or(|format| format.is_valid(text))
                && text_of(Keyword::Pattern)
                    .and_then(|pattern| matches(pattern, text, effort))
                    .unwrap_or(true)
        }
        Value::Array(items) => {
            let is_set = node.get(Keyword::UniqueItems) == Some(&Value::Bool(true));
            within(node, Keyword::MinItems, Keyword::MaxItems, || items.len())
                && (!is_set || all_differ(items))
        }
        Value::Object(members) => {
            let (least, most) = (Keyword::MinProperties, Keyword::MaxProperties);
            within(node, least, most, || members.len())
        }
        Value::Null | Value::Bool(_) => true,
    };
    let listed = match node.get(Keyword::Enum) {
        Some(Value::Array(list)) => list.iter().any(|one| equal(one, value)),
        _ => true,
    };
    let constant = node
        .get(Keyword::Const)
        .is_none_or(|only| equal(only, value));
    if !listed || !constant {
        return Some(ViolationKind::NotListed);
    }
    (!allowed).then_some(ViolationKind::Other)
}

fn is_in_range(number: &Number, node: Keywords<'_>) -> bool {
    // The order of the number to a bound, if there is one, is among these.
    let is = |keyword, orders: &[Ordering]| match node.get(keyword) {
        Some(Value::Number(bound)) => {
            compare(number, bound).is_none_or(|order| orders.contains(&order))
        }
        _ => true,
    };
    is(Keyword::Minimum, &[Ordering::Greater, Ordering::Equal])
        && is(Keyword::Maximum, &[Ordering::Less, Ordering::Equal])
        && is(Keyword::ExclusiveMinimum, &[Ordering::Greater])
        && is(Keyword::ExclusiveMaximum, &[Ordering::Less])
        && match node.get(Keyword::MultipleOf) {
            Some(Value::Number(of)) => is_multiple(number, of),
            _ => true,
        }
}

/// Returns true if a length is within the bounds that there are; it is taken only if there are any.
fn within(node: Keywords<'_>, least: Keyword, most: Keyword, length: impl Fn() -> usize) -> bool {
    let bound = |keyword| node.get(keyword)?.as_number().and_then(integer);
    let length = || i128::try_from(length()).unwrap_or(i128::MAX);
    bound(least).is_none_or(|least| length() >= least)
        && bound(most).is_none_or(|most| length() <= most)
}
