//! Multiples of numbers with a point.

/// Returns true if `value` is a multiple of `step`, which is above zero.
///
/// A step with a fraction and the value are taken as the shortest decimals that read as them, which is what was
/// written: 0.3 is a multiple of 0.1, although the nearest binary fractions are not. Of a whole step the remainder is
/// exact. This is how the crate `jsonschema` judges `multipleOf`, but beyond 10^21 steps, where it rounds. What is not
/// finite is a multiple of nothing.
pub(crate) fn is_multiple(value: f64, step: f64) -> bool {
    if !value.is_finite() || !step.is_finite() || step <= 0.0 {
        return false;
    }
    if value == 0.0 || step.fract() == 0.0 {
        return value % step == 0.0;
    }
    let (Some((value, value_exponent)), Some((step, step_exponent))) =
        (decimal(value), decimal(step))
    else {
        return false;
    };
    if step == 0 {
        return false;
    }
    let places = value_exponent - step_exponent;
    if places < 0 {
        // A scaled step that does not fit is greater than any value.
        return 10_u64
            .checked_pow(places.unsigned_abs())
            .and_then(|scale| step.checked_mul(scale))
            .is_some_and(|step| value % step == 0);
    }
    // The remainder has as many digits as the step, at most 17, so that ten times it fits.
    let mut rest = value % step;
    for _ in 0..places {
        rest = rest * 10 % step;
    }
    rest == 0
}

/// The shortest decimal that reads as the number, without its sign: its digits, and the power of ten.
fn decimal(number: f64) -> Option<(u64, i32)> {
    let shortest = format!("{:e}", number.abs());
    let (digits, exponent) = shortest.split_once('e')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = i32::try_from(fraction.len()).ok()?;
    Some((
        format!("{whole}{fraction}").parse().ok()?,
        exponent.parse::<i32>().ok()? - places,
    ))
}

#[cfg(test)]
mod tests {
    use super::is_multiple;

    #[test]
    fn decimals_are_taken_as_they_are_written() {
        for (value, step) in [
            (0.3, 0.1),
            (-0.3, 0.1),
            (1.1, 0.1),
            (47.498, 0.0001),
            (1_070_468.14, 0.01),
            (19.99, 0.01),
            (0.0, 0.7),
            (-0.0, 0.7),
            (1.0, 0.25),
            (1e30, 0.1),
            (1e308, 0.5),
            (1e-15, 1e-16),
            (3e-320, 1e-320),
            (5e-324, 5e-324),
            (f64::MAX, 0.5),
        ] {
            assert!(is_multiple(value, step), "{value} of {step}");
        }
        for (value, step) in [
            (0.3, 0.2),
            (0.35, 0.1),
            (0.1, 0.3),
            (0.300_000_000_000_000_04, 0.1),
            (1.3e-16, 1.3),
            (1e30, 0.3),
            (1e308, 0.7),
            (1.5e-320, 1e-320),
            (f64::MIN_POSITIVE, 0.5),
        ] {
            assert!(!is_multiple(value, step), "{value} of {step}");
        }
    }

    #[test]
    fn a_whole_step_leaves_the_exact_remainder() {
        assert!(is_multiple(4.0, 2.0));
        assert!(is_multiple(9_007_199_254_740_994.0, 2.0));
        assert!(!is_multiple(4.5, 1.0));
        assert!(!is_multiple(3.0, 2.0));
        // The binary number that stands for 1e23 is 99999999999999991611392.
        assert!(!is_multiple(1e23, 10.0));
        assert!(is_multiple(1e23, 2.0));
    }

    #[test]
    fn nothing_is_a_multiple_of_no_step() {
        for step in [0.0, -0.0, -0.5, -2.0, f64::NAN, f64::INFINITY] {
            assert!(!is_multiple(1.0, step), "{step}");
            assert!(!is_multiple(0.0, step), "{step}");
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!is_multiple(value, 0.5), "{value}");
            assert!(!is_multiple(value, 2.0), "{value}");
        }
    }
}
