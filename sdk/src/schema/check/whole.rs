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

#[cfg(test)]
mod tests {
    use super::whole;

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
