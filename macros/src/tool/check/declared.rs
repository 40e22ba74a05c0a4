//! What the keys of `#[tool(..)]` say of the tool.

use crate::duration::milliseconds;
use crate::errors::Errors;
use crate::keys::Keyed;
use crate::literal::{Known, Literal};
use crate::names::tool_name_problem;
use crate::show::show;
use crate::tool::model::{Effect, Metadata, MetadataValue};
use crate::values::{Bare, Pair, Pairs, Switch};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Expr, Lit, LitStr, Signature};

/// An effect with the key that said so.
type Said<'a> = (Effect, &'a Ident);

pub(super) fn check_name(
    function: &Ident,
    given: Option<Keyed<LitStr>>,
    errors: &mut Errors,
) -> String {
    if let Some(Keyed { value, .. }) = given {
        let name = value.value();
        if let Some(problem) = tool_name_problem(&name) {
            errors.on(value, problem);
        }
        return name;
    }
    let name = function.unraw().to_string();
    if let Some(problem) = tool_name_problem(&name) {
        errors.on(
            function,
            format!("`{function}` cannot name the tool, so add `name = \"..\"`: {problem}"),
        );
    }
    name
}

pub(super) fn check_aliases(name: &str, aliases: Vec<LitStr>, errors: &mut Errors) -> Vec<LitStr> {
    let mut seen = Vec::new();
    for literal in &aliases {
        let alias = literal.value();
        if let Some(problem) = tool_name_problem(&alias) {
            errors.on(literal, problem);
        } else if alias == name {
            errors.on(
                literal,
                format!("`{alias}` is the tool's name already: remove the alias"),
            );
        } else if seen.contains(&alias) {
            errors.on(
                literal,
                format!("the alias `{alias}` is given twice: keep one of them"),
            );
        }
        seen.push(alias);
    }
    aliases
}

pub(super) fn check_effect<'a>(
    pure: Option<&'a Keyed<Bare>>,
    read_only: Option<&'a Keyed<Bare>>,
    idempotent: Option<&'a Keyed<Bare>>,
    errors: &mut Errors,
) -> Option<Said<'a>> {
    let said = [
        (pure, Effect::Pure),
        (read_only, Effect::ReadOnly),
        (idempotent, Effect::Idempotent),
    ];
    let mut said = said
        .into_iter()
        .filter_map(|(key, effect)| key.map(|Keyed { key, .. }| (effect, key)));
    let first = said.next();
    for (_, second) in said {
        if let Some((_, first)) = &first {
            let message = format!(
                "`{first}` and `{second}` exclude each other: a tool has one effect, so keep one"
            );
            errors.on(second, message);
        }
    }
    first
}

pub(super) fn check_destructive(
    destructive: Option<&Keyed<Switch>>,
    effect: Option<Said<'_>>,
    errors: &mut Errors,
) {
    if let Some(Keyed {
        key,
        value: Switch(true),
    }) = destructive
        && let Some((Effect::Pure | Effect::ReadOnly, effect)) = effect
    {
        let message = format!(
            "`{key}` contradicts `{effect}`: what changes nothing destroys nothing, so keep one"
        );
        errors.on(key, message);
    }
}

pub(super) fn check_timeout(
    signature: &Signature,
    timeout: &Keyed<LitStr>,
    errors: &mut Errors,
) -> Option<u64> {
    let Keyed { key, value } = timeout;
    if signature.asyncness.is_none() {
        let name = &signature.ident;
        let message = format!(
            "`{key}` cannot be kept: nothing interrupts the body of `{name}`, which is not `async`; \
             make it `async fn {name}`, or remove `{key}`"
        );
        errors.on(key, message);
    }
    match milliseconds(&value.value()) {
        Ok(milliseconds) => Some(milliseconds),
        Err(problem) => {
            errors.on(value, problem);
            None
        }
    }
}

pub(super) fn check_metadata(Pairs(pairs): Pairs, errors: &mut Errors) -> Vec<Metadata> {
    let mut seen = Vec::new();
    let mut metadata = Vec::new();
    for Pair { key, value } in pairs {
        let name = key.value();
        if name.is_empty() {
            errors.on(
                &key,
                "a key of `metadata` is not empty: write one such as `\"team\"`",
            );
        } else if seen.contains(&name) {
            errors.on(
                &key,
                format!("`{name}` is given twice in `metadata`: keep one of them"),
            );
        }
        let literal = Literal::of(&value);
        if let Some(value) = literal.as_ref().and_then(metadata_value) {
            metadata.push(Metadata { key, value });
        } else {
            errors.on(&value, metadata_problem(&name, &value, literal.as_ref()));
        }
        seen.push(name);
    }
    metadata
}

fn metadata_problem(name: &str, value: &Expr, literal: Option<&Literal>) -> String {
    let value = show(value);
    match literal.map(|literal| &literal.lit) {
        Some(Lit::Int(_) | Lit::Float(_)) => {
            format!("`{value}` is too large for `{name}`: write it as a string")
        }
        _ => format!(
            "`{value}` cannot be the value of `{name}`: \
             metadata is strings, numbers, `true` and `false`, written as literals"
        ),
    }
}

fn metadata_value(literal: &Literal) -> Option<MetadataValue> {
    match (literal.known()?, &literal.lit) {
        (Known::Text(_), Lit::Str(text)) => Some(MetadataValue::Text(text.clone())),
        (Known::Bool(truth), _) => Some(MetadataValue::Bool(truth)),
        (Known::Integer(number), _) if i64::try_from(number).is_ok() => {
            Some(MetadataValue::Integer(literal.clone()))
        }
        (Known::Float(_), _) => Some(MetadataValue::Float(literal.clone())),
        _ => None,
    }
}
