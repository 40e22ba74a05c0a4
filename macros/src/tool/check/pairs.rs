//! The keys that list pairs: `limits` and `metadata`.

use crate::errors::Errors;
use crate::literal::{KnownLiteral, Literal};
use crate::names::{listed, meant, nearest};
use crate::size::bytes;
use crate::token_text::token_text;
use crate::tool::model::{Limits, Metadata, MetadataValue};
use crate::values::{Pair, Pairs};
use syn::{Error, Expr, Lit};

const LIMITS: [&str; 3] = ["memory", "fuel", "output"];

pub(super) fn check_limits(Pairs(pairs): Pairs, errors: &mut Errors) -> Limits {
    let mut limits = Limits::default();
    for Pair { key, value, .. } in pairs {
        let name = key.value();
        let place = match name.as_str() {
            "memory" => &mut limits.memory,
            "fuel" => &mut limits.fuel,
            "output" => &mut limits.output,
            _ => {
                let hint = meant(nearest(&name, LIMITS.into_iter()));
                let known = listed(LIMITS.into_iter());
                errors.on(
                    &key,
                    format!("there is no limit `{name}`{hint}\nthe limits are {known}"),
                );
                continue;
            }
        };
        if place.is_some() {
            errors.on(&key, format!("`{name}` is given twice: keep one of them"));
            continue;
        }
        *place = errors.keep(limit(&name, &value));
    }
    limits
}

fn limit(name: &str, value: &Expr) -> syn::Result<u64> {
    let literal = Literal::of(value);
    let known = literal.as_ref().and_then(Literal::known);
    let problem = match (name, known) {
        ("fuel", Some(KnownLiteral::Integer(number))) if number > 0 => {
            match u64::try_from(number) {
                Ok(number) => return Ok(number),
                Err(_) => format!("`{}` is more fuel than can be counted", token_text(value)),
            }
        }
        ("fuel", _) => {
            "`fuel` takes a whole number above zero: write `fuel = 1_000_000`".to_owned()
        }
        (_, Some(KnownLiteral::Text(text))) => match bytes(&text) {
            Ok(bytes) => return Ok(bytes),
            Err(problem) => problem,
        },
        _ => format!("`{name}` takes a size: write `{name} = \"64KiB\"`"),
    };
    Err(Error::new_spanned(value, problem))
}

pub(super) fn check_metadata(Pairs(pairs): Pairs, errors: &mut Errors) -> Vec<Metadata> {
    let mut seen = Vec::new();
    let mut metadata = Vec::new();
    for Pair { key, value, .. } in pairs {
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
    let value = token_text(value);
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
        (KnownLiteral::Text(_), Lit::Str(text)) => Some(MetadataValue::Text(text.clone())),
        (KnownLiteral::Bool(truth), _) => Some(MetadataValue::Bool(truth)),
        (KnownLiteral::Integer(number), _) if i64::try_from(number).is_ok() => {
            Some(MetadataValue::Integer(literal.clone()))
        }
        (KnownLiteral::Float(_), _) => Some(MetadataValue::Float(literal.clone())),
        _ => None,
    }
}
