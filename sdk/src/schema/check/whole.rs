//! Numbers that are integers though they are written with a point or an exponent.

/// 2^53: from here on a number of 64 bits with a point may stand for several integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The integer that a number is: `5.0` is 5. None where it has a fraction, or is so large that it
/// may have been rounded when it was read.
#[inline]
pub(crate) fn whole(number: f64) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it has no fraction and fits"
    )]
    (number.abs() < EXACT && number.fract() == 0.0).then_some(number as i64)
}

/// Returns true if a number, a text that JSON has for one, is without a fraction.
pub(crate) fn is_whole(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let Ok(exponent) = exponent.parse::<i64>() else {
        return false;
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        return exponent >= digits(fraction);
    }
    let integer = integer.trim_start_matches('-');
    let significant = integer.trim_end_matches('0');
    significant.is_empty() || exponent >= digits(significant) - digits(integer)
}

#[cfg(test)]
mod tests {
    use super::{is_whole, whole};

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

    #[test]
    fn an_integer_is_exact_or_none() {
        for (number, integer) in [
            (5.0, Some(5)),
            (-5.0, Some(-5)),
            (0.0, Some(0)),
            (-0.0, Some(0)),
            (1e3, Some(1000)),
            (9_007_199_254_740_991.0, Some(9_007_199_254_740_991)),
            (-9_007_199_254_740_991.0, Some(-9_007_199_254_740_991)),
            // 9007199254740993.0 has the same value, so the integer is not known.
            (9_007_199_254_740_992.0, None),
            (-9_007_199_254_740_992.0, None),
            (0.5, None),
            (-1e-300, None),
            (1e300, None),
            (f64::INFINITY, None),
            (f64::NAN, None),
        ] {
            assert_eq!(whole(number), integer, "{number}");
        }
    }
}
