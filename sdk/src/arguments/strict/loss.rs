//! The part of a number that is lost if a float stands for it.

use crate::util::nesting::outside_of_strings;

use crate::schema::{is_whole, whole};

/// The part of a number that a float has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// All of it: the float is 0.
    Whole,
    /// A fraction: the float is an integer.
    Fraction,
    /// Digits of an integer beyond 64 bits.
    Digits,
}

/// Returns the part of a number that a float loses. The number is a text that JSON has for one. `None`
/// if only the last digits of a fraction are lost, or nothing.
pub(crate) fn loss(number: &str) -> Option<Loss> {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return None;
    }
    let float: f64 = number.parse().ok()?;
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if float.abs().to_bits() == 0 {
        return (!is_zero).then_some(Loss::Whole);
    }
    if !number.contains(['.', 'e', 'E']) {
        return (format!("{float:.0}") != number).then_some(Loss::Digits);
    }
    (whole(float).is_some() && !is_whole(number)).then_some(Loss::Fraction)
}

/// The numbers in a text that is JSON.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let mut end = 0;
    outside_of_strings(text).filter_map(move |(start, byte)| {
        if start < end || !matches!(byte, b'0'..=b'9' | b'-') {
            return None;
        }
        let length = text.as_bytes()[start..].iter().take_while(|b| is_part(**b));
        end = start + length.count();
        text.get(start..end)
    })
}

/// The text of a number, where some crate of the program makes `serde_json` keep it
/// (`arbitrary_precision`).
#[inline]
pub(crate) fn text_of(number: &serde_json::Number) -> Option<&str> {
    // The method that `serde_json` has then goes before the one here.
    #[allow(unused_imports, reason = "whether it is used is up to the program")]
    use kept::AsStr as _;
    kept::Kept::from(number.as_str()).0
}

/// Returns true if numbers are kept as texts.
#[inline]
pub(crate) fn numbers_are_text() -> bool {
    text_of(&serde_json::Number::from(0_u8)).is_some()
}

mod kept {
    use serde_json::Number;

    pub(super) struct Kept<'n>(pub(super) Option<&'n str>);

    pub(super) struct Nothing;

    #[allow(dead_code, reason = "whether it is used is up to the program")]
    pub(super) trait AsStr {
        fn as_str(&self) -> Nothing;
    }

    impl AsStr for Number {
        #[inline]
        fn as_str(&self) -> Nothing {
            Nothing
        }
    }

    impl From<Nothing> for Kept<'_> {
        #[inline]
        fn from(_: Nothing) -> Self {
            Self(None)
        }
    }

    impl<'n> From<&'n str> for Kept<'n> {
        #[inline]
        fn from(text: &'n str) -> Self {
            Self(Some(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_float_has_no_room_for_is_told() {
        use Loss::{Digits, Fraction, Whole};
        for (number, expected) in [
            ("5", None),
            ("-5.0", None),
            ("50e-1", None),
            ("0", None),
            ("-0.0", None),
            ("0e9", None),
            ("0.1", None),
            ("0.1234567890123456789", None),
            ("1e22", None),
            ("18446744073709551615", None),
            ("-9223372036854775808", None),
            ("36893488147419103232", None),
            ("4.9999999999999999999", Some(Fraction)),
            ("-4.9999999999999999999", Some(Fraction)),
            ("50000000000000000000001e-22", Some(Fraction)),
            ("1e-400", Some(Whole)),
            ("-0.0001e-400", Some(Whole)),
            ("12345678901234567890123", Some(Digits)),
            ("36893488147419103233", Some(Digits)),
        ] {
            assert_eq!(loss(number), expected, "{number}");
        }
    }

    #[test]
    fn the_text_of_a_number_is_there_where_it_is_kept() {
        let number: serde_json::Number = serde_json::from_str("1.50").unwrap();
        assert_eq!(text_of(&number).is_some(), number.to_string() == "1.50");
        assert_eq!(numbers_are_text(), number.to_string() == "1.50");
    }
}
