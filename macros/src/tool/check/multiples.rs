//! `multiple_of`: what is a step, and what is a multiple of one.

use crate::literal::{KnownLiteral, Literal};
use crate::token_text::token_text;
use crate::tool::model::Rule;
use crate::values::Step;
use proc_macro2::Ident;
use syn::{Error, Expr, ExprRange, RangeLimits};

pub(super) fn check_step(
    key: &Ident,
    Step(step): Step,
    range: Option<&ExprRange>,
) -> syn::Result<Rule> {
    let fixed = match step.known() {
        Some(KnownLiteral::Integer(0)) => "one such as `multiple_of = 5`".to_owned(),
        Some(KnownLiteral::Float(0.0)) => "one such as `multiple_of = 0.5`".to_owned(),
        Some(KnownLiteral::Integer(..0) | KnownLiteral::Float(..0.0)) => {
            format!("`{key} = {}`", token_text(&step.lit))
        }
        Some(KnownLiteral::Integer(number)) => {
            return match range.filter(|range| has_none(range, number) == Some(true)) {
                Some(range) => {
                    let message = format!(
                        "no multiple of `{}` is in `range = {}`: widen the range, or remove one of the two",
                        token_text(&step),
                        token_text(range)
                    );
                    Err(Error::new_spanned(step, message))
                }
                None => Ok(Rule::MultipleOf(step)),
            };
        }
        _ => return Ok(Rule::MultipleOf(step)),
    };
    let message = format!(
        "`{key} = {}` is not above zero: write {fixed}",
        token_text(&step)
    );
    Err(Error::new_spanned(step, message))
}

/// Returns true if a range of integers has no multiple of `step` in it. `None` where that cannot be decided here.
fn has_none(range: &ExprRange, step: i128) -> Option<bool> {
    let known = |end: &Option<Box<Expr>>| match Literal::of(end.as_ref()?)?.known()? {
        KnownLiteral::Integer(end) => Some(end),
        _ => None,
    };
    let first = known(&range.start)?;
    let last = match range.limits {
        RangeLimits::Closed(_) => known(&range.end)?,
        RangeLimits::HalfOpen(_) => known(&range.end)?.checked_sub(1)?,
    };
    let greatest = last.checked_sub(last.rem_euclid(step))?;
    Some(first <= last && greatest < first)
}

/// Returns true if `value` is a multiple of `step`. Two integers are compared, or two numbers with a point, which are
/// taken as the decimals that they are written as. `None` where that cannot be decided here.
pub(super) fn is_multiple(value: &KnownLiteral, step: &KnownLiteral) -> Option<bool> {
    match (value, step) {
        (KnownLiteral::Integer(value), KnownLiteral::Integer(step)) => {
            Some(value.checked_rem(*step)? == 0)
        }
        (KnownLiteral::Float(value), KnownLiteral::Float(step)) => {
            Some(decimals_divide(*value, *step))
        }
        _ => None,
    }
}

/// Decides as the runtime's `spec::schema::is_multiple` does.
fn decimals_divide(value: f64, step: f64) -> bool {
    if value == 0.0 {
        return true;
    }
    if step.fract() == 0.0 {
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
        let step = 10_u64
            .checked_pow(places.unsigned_abs())
            .and_then(|scale| step.checked_mul(scale));
        return step.is_some_and(|step| value % step == 0);
    }
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
