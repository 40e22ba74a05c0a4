//! Numbers and booleans in text, and texts of a list that a number or boolean spells.

use serde_json::{Number, Value};

use crate::schema::Decimal;

/// The integer that a text is: `5`, `5.0`.
pub(super) fn integer(text: &str) -> Option<Number> {
    let text = text.trim_ascii();
    let whole = match text.split_once('.') {
        Some((whole, fraction)) => {
            let zeros = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
            zeros.then_some(whole)?
        }
        None => text,
    };
    is_integer(whole).then(|| of_64_bits(whole)).flatten()
}

/// Returns true if a text is digits alone by the syntax of JSON: no plus, no leading zero.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let begins_with_zero = digits.len() > 1 && digits.first() == Some(&b'0');
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && !begins_with_zero
}

/// The number that a text is, if no digit of it is lost.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim_ascii();
    if is_integer(text) {
        return of_64_bits(text);
    }
    let decimal = Decimal::parse(text)?;
    let float: f64 = text.parse().ok()?;
    if Decimal::of_float(float)? != decimal {
        return None;
    }
    Number::from_f64(float)
}

fn of_64_bits(text: &str) -> Option<Number> {
    let signed = text.parse::<i64>().ok().map(Number::from);
    signed.or_else(|| text.parse::<u64>().ok().map(Number::from))
}

/// Returns true if the text of a number, as JSON has it, is read without loss.
pub(super) fn is_lossless(text: &str) -> bool {
    of_64_bits(text).is_some()
        || text.parse::<f64>().is_ok_and(|float| {
            float.is_finite() && Decimal::parse(text) == Decimal::of_float(float)
        })
}

/// The boolean that a text is, in any letter case.
pub(super) fn boolean(text: &str) -> Option<bool> {
    let text = text.trim_ascii();
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    is("true").then_some(true).or(is("false").then_some(false))
}

/// The one text among several that a boolean or number spells.
pub(super) fn spelled<'t>(
    value: &Value,
    mut texts: impl Iterator<Item = &'t str>,
    as_written: impl FnOnce() -> bool,
) -> Option<&'t str> {
    match value {
        Value::Bool(value) => {
            let mut spelling = texts.filter(|text| boolean(text) == Some(*value));
            let found = spelling.next()?;
            let is_plain = found.trim_ascii().len() == found.len();
            (is_plain && spelling.all(|other| other == found)).then_some(found)
        }
        Value::Number(number) => {
            // Only 3.1 is left of 3.10, which is another text.
            if number.is_f64() && !as_written() {
                return None;
            }
            let plain = number.to_string();
            let decimal = Decimal::parse(&plain)?;
            let mut found = None;
            for text in texts.by_ref() {
                if text == plain {
                    found = Some(text);
                } else if Decimal::parse(text).as_ref() == Some(&decimal) {
                    return None;
                }
            }
            found
        }
        _ => None,
    }
}
