//! The names and aliases that arguments answer to.

use crate::errors::Errors;
use proc_macro2::{Ident, TokenStream};
use syn::LitStr;

/// A name or alias, and the parameter or field that answers to it.
pub(crate) struct Claim {
    parameter: Ident,
    name: String,
    at: TokenStream,
}

impl Claim {
    pub(crate) fn new(parameter: &Ident, name: String, at: TokenStream) -> Self {
        Self {
            parameter: parameter.clone(),
            name,
            at,
        }
    }
}

pub(crate) fn check_claims(claims: &[Claim], errors: &mut Errors) {
    for (
        place,
        Claim {
            parameter,
            name,
            at,
        },
    ) in claims.iter().enumerate()
    {
        // Two parameters with one identifier are rustc's to report.
        let other = claims
            .iter()
            .take(place)
            .find(|other| other.name == *name && other.parameter != *parameter);
        if let Some(Claim {
            parameter: other, ..
        }) = other
        {
            let message = format!(
                "`{other}` and `{parameter}` both answer to `{name}`: give one of them another name"
            );
            errors.on(at, message);
        }
    }
}

/// Refuses an alias that is the name of the argument or tool, repeats another one, or is no name. `of` says what they are
/// aliases of, and `problem` what is wrong with a text as a name.
pub(super) fn check_aliases(
    of: &str,
    name: Option<&str>,
    aliases: &[LitStr],
    problem: fn(&str) -> Option<String>,
    errors: &mut Errors,
) {
    let mut seen = Vec::new();
    for literal in aliases {
        let alias = literal.value();
        if let Some(problem) = problem(&alias) {
            errors.on(literal, problem);
        } else if name == Some(&*alias) {
            errors.on(
                literal,
                format!("`{alias}` is the {of}'s name already: remove the alias"),
            );
        } else if seen.contains(&alias) {
            errors.on(
                literal,
                format!("the alias `{alias}` is given twice: keep one of them"),
            );
        }
        seen.push(alias);
    }
}
