//! Numbers of JSON without rounding: order, equality and multiples.

use std::cmp::Ordering;

use serde_json::Number;

use super::whole::whole;
use crate::schema::multiple;

/// The integer that a number is.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    whole(number.as_f64()?).map(i128::from)
}

/// Returns the order of two numbers as they stand, 64-bit integers included.
pub fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => with_float(a, b.as_f64()?),
        (None, Some(b)) => with_float(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// The order of a 64-bit integer and a float.
#[allow(
    clippy::cast_possible_truncation,
    reason = "beyond its range the cast gives the range's end, which is beyond 64 bits"
)]
fn with_float(integer: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    let order = integer.cmp(&(float.trunc() as i128));
    Some(order.then_with(|| 0.0_f64.total_cmp(&(float.fract() + 0.0))))
}

/// Returns true if a number is a multiple of another, both as the decimals that they are written as: 0.3
/// is a multiple of 0.1. Anything is one of what is not above zero, which is no valid keyword.
pub(crate) fn is_multiple(number: &Number, of: &Number) -> bool {
    if let (Some(number), Some(of)) = (integer(number), integer(of)) {
        return of <= 0 || number % of == 0;
    }
    let (Some(number), Some(of)) = (number.as_f64(), of.as_f64()) else {
        return true;
    };
    of <= 0.0 || multiple::is_multiple(number, of)
}

/// Returns true if a number, a text that JSON has for one, is without a fraction.
pub(crate) fn is_whole(number: &str) -> bool {
    Decimal::parse(number).is_some_and(|decimal| decimal.exponent >= 0)
}

/// A decimal number: digits without zeros at the ends, and the power of ten of the last one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// The shortest decimal that is read as this float.
    pub(crate) fn of_float(float: f64) -> Option<Self> {
        Self::parse(&format!("{float:e}"))
    }

    /// A number in JSON's syntax (RFC 8259 §6).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                is_digits(digits).then_some(())?;
                (mantissa, exponent.parse::<i64>().ok()?)
            }
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, is_digits(fraction).then_some(fraction)?),
            None => (mantissa, ""),
        };
        if !is_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let dropped = all.len() - all.trim_end_matches('0').len();
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(i64::try_from(dropped).ok()?)?;
        Some(Self {
            negative,
            digits: digits.to_owned(),
            exponent,
        })
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_whole;

    #[test]
    fn a_text_without_a_fraction_is_whole() {
        for number in [
            "5",
            "-5.0",
            "5e0",
            "50e-1",
            "0.5e1",
            "0",
            "0.00",
            "0e-9",
            "1e400",
            "-120.0e-1",
        ] {
            assert!(is_whole(number), "{number}");
        }
        for number in [
            "0.5",
            "5e-1",
            "4.9999999999999999999",
            "1e-400",
            "0.55e1",
            "-12.5e-1",
        ] {
            assert!(!is_whole(number), "{number}");
        }
    }
}
