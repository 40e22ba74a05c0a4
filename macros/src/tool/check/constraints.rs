//! The constraints that `#[arg(..)]` sets on an argument.

use super::multiples::check_step;
use super::presets::refusal;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::literal::{KnownLiteral, Literal};
use crate::names::{listed, meant, nearest};
use crate::token_text::token_text;
use crate::tool::keys::ArgKeys;
use crate::tool::model::{Constraint, Rule};
use crate::values::{Bare, Literals, Range};
use proc_macro2::Ident;
use std::cmp::Ordering;
use syn::{Error, Expr, ExprLit, ExprRange, Lit, LitInt, LitStr, RangeLimits};

/// Name, variant in the runtime.
const FORMATS: [(&str, &str); 9] = [
    ("date", "Date"),
    ("date-time", "DateTime"),
    ("time", "Time"),
    ("email", "Email"),
    ("hostname", "Hostname"),
    ("ipv4", "Ipv4"),
    ("ipv6", "Ipv6"),
    ("uri", "Uri"),
    ("uuid", "Uuid"),
];

/// Takes the keys that constrain the argument or field.
pub(crate) fn check_constraints(keys: &mut ArgKeys, errors: &mut Errors) -> Vec<Constraint> {
    let written = keys.range.as_ref().map(|range| range.value.0.clone());
    let mut constraints = Vec::new();
    check(keys.range.take(), check_range, &mut constraints, errors);
    check(
        keys.multiple_of.take(),
        |key, step| check_step(key, step, written.as_ref()),
        &mut constraints,
        errors,
    );
    check(keys.length.take(), check_length, &mut constraints, errors);
    check(
        keys.unique_items.take(),
        |_, Bare| Ok(Rule::UniqueItems),
        &mut constraints,
        errors,
    );
    check(
        keys.pattern.take(),
        |_, value| check_pattern(value),
        &mut constraints,
        errors,
    );
    check(
        keys.format.take(),
        |_, value| check_format(value),
        &mut constraints,
        errors,
    );
    check(keys.one_of.take(), check_one_of, &mut constraints, errors);
    check_listed(&constraints, errors);
    constraints
}

/// A listed value that another constraint refuses would be shown to the model, and refused when it is chosen.
fn check_listed(constraints: &[Constraint], errors: &mut Errors) {
    let listed = constraints
        .iter()
        .find_map(|constraint| match &constraint.rule {
            Rule::OneOfText(list) | Rule::OneOfNumber(list) => Some(list),
            _ => None,
        });
    let reason = |literal: &Literal| {
        let value = literal.known()?;
        let mut rules = constraints.iter().map(|constraint| &constraint.rule);
        rules.find_map(|rule| refusal(&value, rule))
    };
    let refused = listed.into_iter().flatten();
    let mut refused = refused.filter_map(|literal| Some((literal, reason(literal)?)));
    if let Some((first, why)) = refused.next() {
        let others = refused.filter(|(_, reason)| *reason == why);
        let all = std::iter::once(first).chain(others.map(|(literal, _)| literal));
        let all: Vec<String> = all
            .map(|literal| format!("`{}`", token_text(literal)))
            .collect();
        let message = format!(
            "`one_of` lists {}, and another constraint refuses what it lists: {why}; change one of the two",
            all.join(", ")
        );
        errors.on(first, message);
    }
}

fn check<T>(
    given: Option<Keyed<T>>,
    rule: impl Fn(&Ident, T) -> syn::Result<Rule>,
    constraints: &mut Vec<Constraint>,
    errors: &mut Errors,
) {
    let Some(Keyed { key, value }) = given else {
        return;
    };
    let rule = errors.keep(rule(&key, value));
    constraints.extend(rule.map(|rule| Constraint {
        key: key.span(),
        rule,
    }));
}

fn check_range(key: &Ident, Range(range): Range) -> syn::Result<Rule> {
    refuse_empty(key, &range)?;
    let ExprRange {
        start, limits, end, ..
    } = range;
    let (max, below) = match limits {
        RangeLimits::HalfOpen(_) => (None, end),
        RangeLimits::Closed(_) => (end, None),
    };
    Ok(Rule::Range {
        min: start.map(|start| *start),
        max: max.map(|end| *end),
        below: below.map(|end| *end),
    })
}

fn check_length(key: &Ident, Range(range): Range) -> syn::Result<Rule> {
    refuse_empty(key, &range)?;
    let shown = token_text(&range);
    let ExprRange {
        start, limits, end, ..
    } = range;
    let end = match (limits, end) {
        (_, None) => None,
        (RangeLimits::Closed(_), Some(end)) => Some(*end),
        (RangeLimits::HalfOpen(_), Some(end)) => Some(one_less(*end, &shown)?),
    };
    Ok(Rule::Length {
        min: start.map(|start| *start),
        max: end,
    })
}

/// The greatest length below `end`, which the schema needs as a number.
fn one_less(end: Expr, shown: &str) -> syn::Result<Expr> {
    if let Expr::Lit(ExprLit {
        lit: Lit::Int(number),
        ..
    }) = &end
        && let Some(less) = number
            .base10_parse::<u64>()
            .ok()
            .and_then(|number| number.checked_sub(1))
    {
        let less = LitInt::new(&format!("{less}{}", number.suffix()), number.span());
        return Ok(Expr::Lit(ExprLit {
            attrs: Vec::new(),
            lit: Lit::Int(less),
        }));
    }
    let message = format!(
        "`{shown}` leaves its end out, which works with a literal only: write `{}`",
        shown.replacen("..", "..=", 1)
    );
    Err(Error::new_spanned(end, message))
}

fn refuse_empty(key: &Ident, range: &ExprRange) -> syn::Result<()> {
    let known = |end: &Option<Box<Expr>>| end.as_ref().and_then(|end| Literal::of(end)?.known());
    let (start, end) = match (known(&range.start), known(&range.end)) {
        (Some(start), Some(end)) => (start, end),
        // A length is never below zero.
        (None, Some(end)) if key == "length" && range.start.is_none() => {
            (KnownLiteral::Integer(0), end)
        }
        _ => return Ok(()),
    };
    let (first, last) = (token_text(&range.start), token_text(&range.end));
    let fixed = match (start.order(&end), range.limits) {
        (Some(Ordering::Greater), _) if first.is_empty() => "..=1".to_owned(),
        (Some(Ordering::Greater), limits) => format!("{last}{}{first}", token_text(limits)),
        (Some(Ordering::Equal), RangeLimits::HalfOpen(_)) => format!("{first}..={last}"),
        _ => return Ok(()),
    };
    let shown = token_text(range);
    let message =
        format!("`{key} = {shown}` allows nothing, because it is empty: write `{key} = {fixed}`");
    Err(Error::new_spanned(range, message))
}

fn check_pattern(pattern: LitStr) -> syn::Result<Rule> {
    match regex_lite::Regex::new(&pattern.value()) {
        Ok(_) => Ok(Rule::Pattern(pattern)),
        Err(error) => {
            let message = format!("`{}` is not a regular expression: {error}", pattern.value());
            Err(Error::new_spanned(pattern, message))
        }
    }
}

fn check_format(format: LitStr) -> syn::Result<Rule> {
    let name = format.value();
    if let Some((_, variant)) = FORMATS.iter().find(|(known, _)| *known == name) {
        return Ok(Rule::Format(variant));
    }
    let names = || FORMATS.iter().map(|(name, _)| *name);
    let hint = meant(nearest(&name, names()));
    let message = format!(
        "there is no format `{name}`{hint}\nthe formats are {}",
        listed(names())
    );
    Err(Error::new_spanned(format, message))
}

fn check_one_of(key: &Ident, Literals(list): Literals) -> syn::Result<Rule> {
    let mut seen: Vec<KnownLiteral> = Vec::new();
    for literal in &list {
        let shown = token_text(literal);
        let wrong = |message: String| Err(Error::new_spanned(literal, message));
        let known = match literal.known() {
            Some(known) if !matches!(known, KnownLiteral::Bool(_)) => known,
            _ => {
                return wrong(format!(
                    "`{shown}` cannot be in `{key}`, which lists strings or numbers"
                ));
            }
        };
        if seen.contains(&known) {
            return wrong(format!("`{shown}` is in `{key}` twice: keep one of them"));
        }
        if let Some(first) = seen.first()
            && std::mem::discriminant(first) != std::mem::discriminant(&known)
        {
            return wrong(format!(
                "`{shown}` is {}, and `{key}` began with {}: list values of one kind",
                kind(&known),
                kind(first)
            ));
        }
        seen.push(known);
    }
    Ok(match seen.first() {
        Some(KnownLiteral::Text(_)) => Rule::OneOfText(list),
        _ => Rule::OneOfNumber(list),
    })
}

fn kind(known: &KnownLiteral) -> &'static str {
    match known {
        KnownLiteral::Text(_) => "a string",
        KnownLiteral::Integer(_) => "an integer",
        KnownLiteral::Float(_) => "a number with a point",
        KnownLiteral::Bool(_) => "a truth value",
    }
}
