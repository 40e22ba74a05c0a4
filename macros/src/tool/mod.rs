//! `#[tool]`, in stages: what was written ([`parse`]), what it means ([`check`], into [`model`]), what becomes of it
//! ([`mod@expand`]).

mod check;
mod expand;
mod keys;
mod model;
mod parse;
#[cfg(test)]
mod tests;

use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = match parse::parse(args, item.clone(), &mut errors) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => return item.clone(),
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let (shell, tool) = check::check(parsed, &mut errors);
    match tool {
        Some(tool) if errors.is_empty() => expand::tool(&shell, &tool),
        _ => expand::with_mistakes(&shell, &errors),
    }
}
