//! The names and aliases that arguments answer to.

use crate::errors::Errors;
use proc_macro2::{Ident, TokenStream};

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
