//! Numbers: what Rust's types allow, as inclusive bounds in place of formats.

use serde_json::{Number, Value, json};

use crate::schema::multiple::is_multiple;
use crate::schema::walk::{Node, has_type};

/// Lowest and highest value of the integer type that schemars calls `format`, as far as JSON
/// numbers of 64 bits can say it.
pub(super) fn integer_format(format: &str) -> Option<(Option<i128>, Option<i128>)> {
    fn range(low: impl Into<i128>, high: impl Into<i128>) -> (Option<i128>, Option<i128>) {
        (Some(low.into()), Some(high.into()))
    }
    Some(match format {
        "int8" => range(i8::MIN, i8::MAX),
        "int16" => range(i16::MIN, i16::MAX),
        "int32" => range(i32::MIN, i32::MAX),
        "int64" | "int" => range(i64::MIN, i64::MAX),
        "int128" => (None, None),
        "uint8" => range(0, u8::MAX),
        "uint16" => range(0, u16::MAX),
        "uint32" => range(0, u32::MAX),
        "uint64" | "uint" => range(0, u64::MAX),
        "uint128" => (Some(0), None),
        _ => return None,
    })
}

/// Replaces the format of a number by bounds, and makes the bounds of an integer inclusive
/// integers.
pub(super) fn clean_numbers(node: &mut Node) {
    let format = node.get("format").and_then(Value::as_str).unwrap_or("");
    let range = integer_format(format);
    if range.is_some() || matches!(format, "float" | "double") {
        node.remove("format");
    }
    for keyword in [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ] {
        make_integral(node, keyword);
    }
    if has_type(node, "integer") && !has_type(node, "number") {
        make_integral(node, "multipleOf");
        bound(node, range.unwrap_or_default());
    }
}

fn bound(node: &mut Node, (mut low, mut high): (Option<i128>, Option<i128>)) {
    let mut take = |keyword: &str, round: fn(f64) -> f64, step: i128| {
        let value = node.remove(keyword)?;
        Some(integer(value.as_number()?, round)? + step)
    };
    let lows = [
        take("minimum", f64::ceil, 0),
        take("exclusiveMinimum", f64::floor, 1),
    ];
    let highs = [
        take("maximum", f64::floor, 0),
        take("exclusiveMaximum", f64::ceil, -1),
    ];
    for given in lows.into_iter().flatten() {
        low = Some(low.map_or(given, |before| before.max(given)));
    }
    for given in highs.into_iter().flatten() {
        high = Some(high.map_or(given, |before| before.min(given)));
    }
    for (keyword, value) in [("minimum", low), ("maximum", high)] {
        if let Some(number) = value.and_then(number) {
            node.insert(keyword.to_owned(), Value::Number(number));
        }
    }
}

fn make_integral(node: &mut Node, keyword: &str) {
    if let Some(Value::Number(given)) = node.get(keyword)
        && let Some(exact) = exact(given)
        && let Some(number) = number(exact)
    {
        node.insert(keyword.to_owned(), Value::Number(number));
    }
}

fn number(value: i128) -> Option<Number> {
    i64::try_from(value)
        .map(Number::from)
        .or_else(|_| u64::try_from(value).map(Number::from))
        .ok()
}

/// The integer that `number` is, if it is one.
pub(in crate::schema) fn exact(number: &Number) -> Option<i128> {
    let whole = integer(number, |value| value)?;
    let same = number.as_i64().is_some()
        || number.as_u64().is_some()
        || number.as_f64().is_some_and(|value| value.fract() == 0.0);
    same.then_some(whole)
}

fn integer(number: &Number, round: fn(f64) -> f64) -> Option<i128> {
    if let Some(value) = number.as_i64() {
        return Some(value.into());
    }
    if let Some(value) = number.as_u64() {
        return Some(value.into());
    }
    let value = round(number.as_f64()?);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "far inside of i128, and far outside of what a bound can say"
    )]
    let whole = (value.abs() < 1e30).then_some(value as i128);
    whole
}

/// The tighter of two bounds: the higher of two minimums, the lower of two maximums.
pub(super) fn tighter(keyword: &str, first: &Value, second: &Value) -> Value {
    let (Value::Number(one), Value::Number(other)) = (first, second) else {
        return first.clone();
    };
    let first_is_less = match (exact(one), exact(other)) {
        (Some(one), Some(other)) => one < other,
        _ => one.as_f64() < other.as_f64(),
    };
    let wants_less = keyword.starts_with("max") || keyword == "exclusiveMaximum";
    if first_is_less == wants_less {
        json!(one)
    } else {
        json!(other)
    }
}

/// The step of what is a multiple of two steps, if there is one that a number can say.
pub(super) fn common_multiple(first: &Value, second: &Value) -> Option<Value> {
    let (Value::Number(one), Value::Number(other)) = (first, second) else {
        return None;
    };
    if let (Some(one @ 1..), Some(other @ 1..)) = (exact(one), exact(other)) {
        let (mut divisor, mut rest) = (one, other);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        return number((one / divisor).checked_mul(other)?).map(Value::Number);
    }
    let (one, other) = (one.as_f64()?, other.as_f64()?);
    if one > 0.0 && is_multiple(one, other) {
        Some(first.clone())
    } else if other > 0.0 && is_multiple(other, one) {
        Some(second.clone())
    } else {
        None
    }
}
