//! Numbers of JSON without rounding: order, equality and multiples.

use std::cmp::Ordering;

use serde_json::Number;

/// Up to here each integer is a number of its own as a float, so that an integral float says which
/// integer was meant.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The integer that a number is.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    let float = number.as_f64()?;
    #[allow(clippy::cast_possible_truncation, reason = "it is in the range")]
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i128)
}

/// The order of two numbers as they stand, 64-bit integers included.
pub(crate) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
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

/// Whether a number is a multiple of another, both as the decimals that they are written as: 0.3
/// is a multiple of 0.1. Anything is one of what is not above zero, which is no valid keyword.
pub(crate) fn is_multiple(number: &Number, of: &Number) -> bool {
    if let (Some(number), Some(of)) = (integer(number), integer(of)) {
        return of <= 0 || number % of == 0;
    }
    let (Some(number), Some(of)) = (Decimal::of(number), Decimal::of(of)) else {
        return true;
    };
    if of.negative || of.is_zero() || number.is_zero() {
        return true;
    }
    // At most 20 digits each, as of floats and 64-bit integers.
    let (Ok(a), Ok(b)) = (number.digits.parse::<u64>(), of.digits.parse::<u64>()) else {
        return true;
    };
    let (a, b) = (u128::from(a), u128::from(b));
    let shift = number.exponent.saturating_sub(of.exponent);
    if shift >= 0 {
        let power = power_of_ten(shift.unsigned_abs(), b);
        return ((a % b) * power).is_multiple_of(b);
    }
    // Beyond, the divisor has more digits than the number.
    let power = u32::try_from(shift.unsigned_abs()).ok();
    let divisor = power
        .filter(|power| *power < 20)
        .map(|p| b * 10_u128.pow(p));
    divisor.is_some_and(|divisor| a % divisor == 0)
}

/// What is left of a power of ten after division; the divisor has at most 64 bits.
fn power_of_ten(mut exponent: u64, modulus: u128) -> u128 {
    let (mut power, mut square) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * square % modulus;
        }
        square = square * square % modulus;
        exponent /= 2;
    }
    power
}

/// A decimal number: digits without zeros at the ends, and the power of ten of the last one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(number: &Number) -> Option<Self> {
        if number.is_f64() {
            // The shortest decimal that is read as this float.
            return Self::of_float(number.as_f64()?);
        }
        Self::parse(&number.to_string())
    }

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

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
