//! Values of the author's for arguments and fields: what `default` and `example` give.

use super::multiples::is_multiple;
use super::types::{is_list, is_option};
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::literal::{KnownLiteral, Literal};
use crate::token_text::token_text;
use crate::tool::model::{Constraint, DefaultOrExample, Rule};
use crate::values::{DefaultValue, Sample};
use proc_macro2::Ident;
use quote::ToTokens;
use std::cmp::Ordering;
use syn::{Expr, Type};

/// Checks the values of `default` and `example` against the type and the constraints of their argument or field.
/// `argument` is `None` for a field.
pub(crate) fn check_presets(
    argument: Option<&str>,
    ty: &Type,
    default: Option<Keyed<DefaultValue>>,
    example: Option<Keyed<Sample>>,
    constraints: &[Constraint],
    errors: &mut Errors,
) -> (Option<DefaultOrExample>, Option<DefaultOrExample>) {
    if let Some(Keyed { key, value }) = &default {
        if is_option(ty) {
            let begin = argument.map_or_else(
                || "an `Option` is `None` when".to_owned(),
                |name| format!("`{name}` is an `Option`, and so `None` when"),
            );
            let message =
                format!("{begin} the model leaves it out: remove `{key}`, or the `Option`");
            errors.on(key, message);
        } else {
            check_preset("default", value, ty, constraints, errors);
        }
    }
    if let Some(Keyed {
        value: Sample(value),
        ..
    }) = &example
    {
        check_preset("example", value, ty, constraints, errors);
    }
    let preset = |key: Ident, value| DefaultOrExample {
        key: key.span(),
        value,
    };
    (
        default.map(|Keyed { key, value }| preset(key, value)),
        example.map(
            |Keyed {
                 key,
                 value: Sample(value),
             }| preset(key, value),
        ),
    )
}

/// A default or example that the argument's own constraints refuse could never be used.
fn check_preset(
    what: &str,
    value: &DefaultValue,
    ty: &Type,
    constraints: &[Constraint],
    errors: &mut Errors,
) {
    if let DefaultValue::Text(text) = value
        && is_list(ty)
    {
        let message = format!(
            "the {what} of a list is a list, and this is a text: write `{what} = vec![{}]`",
            token_text(text)
        );
        errors.on(text, message);
        return;
    }
    let (value, tokens) = match value {
        DefaultValue::OfType => return,
        DefaultValue::Text(text) => (
            Some(KnownLiteral::Text(text.value())),
            text.to_token_stream(),
        ),
        DefaultValue::Expr(value) => (
            Literal::of(value).and_then(|literal| literal.known()),
            value.to_token_stream(),
        ),
    };
    if let Some(value) = value {
        check_value(what, &value, tokens, constraints, errors);
    }
}

pub(super) fn check_value(
    what: &str,
    value: &KnownLiteral,
    at: impl ToTokens,
    constraints: &[Constraint],
    errors: &mut Errors,
) {
    let refused = constraints
        .iter()
        .find_map(|Constraint { key: _, rule }| refusal(value, rule));
    if let Some(reason) = refused {
        let message = format!("the {what} `{}` is not allowed: {reason}", token_text(&at));
        errors.on(at, message);
    }
}

pub(super) fn refusal(value: &KnownLiteral, rule: &Rule) -> Option<String> {
    // The order of the value and a written end of the range, where both are known.
    let order = |end: &Option<Expr>| {
        let end = end.as_ref()?;
        Some((value.order(&Literal::of(end)?.known()?)?, token_text(end)))
    };
    let listed = |list: &[Literal]| {
        list.iter()
            .any(|literal| literal.known().as_ref() == Some(value))
    };
    match rule {
        Rule::Range { min, max, below } => match (order(min), order(max), order(below)) {
            (Some((Ordering::Less, end)), _, _) => Some(format!("`range` begins at `{end}`")),
            (_, Some((Ordering::Greater, end)), _) => Some(format!("`range` ends at `{end}`")),
            (_, _, Some((Ordering::Greater | Ordering::Equal, end))) => {
                Some(format!("`range` ends before `{end}`"))
            }
            _ => None,
        },
        Rule::MultipleOf(step) => (is_multiple(value, &step.known()?) == Some(false))
            .then(|| format!("it is no multiple of `{}`", token_text(step))),
        Rule::OneOfText(list) | Rule::OneOfNumber(list) => {
            (!listed(list)).then(|| "`one_of` does not list it".to_owned())
        }
        Rule::Pattern(pattern) => match (value, regex_lite::Regex::new(&pattern.value())) {
            (KnownLiteral::Text(text), Ok(regex)) if !regex.is_match(text) => {
                Some("`pattern` does not match it".to_owned())
            }
            _ => None,
        },
        Rule::Length { min, max } => length_refusal(value, min.as_ref(), max.as_ref()),
        Rule::Format(_) | Rule::UniqueItems => None,
    }
}

fn length_refusal(value: &KnownLiteral, min: Option<&Expr>, max: Option<&Expr>) -> Option<String> {
    let KnownLiteral::Text(text) = value else {
        return None;
    };
    let length = KnownLiteral::Integer(text.chars().count().try_into().ok()?);
    let order =
        |end: Option<&Expr>| Some((length.order(&Literal::of(end?)?.known()?)?, token_text(end)));
    match (order(min), order(max)) {
        (Some((Ordering::Less, end)), _) => Some(format!("`length` begins at `{end}`")),
        (_, Some((Ordering::Greater, end))) => Some(format!("`length` ends at `{end}`")),
        _ => None,
    }
}
