//! `#[tool]`, in stages: what was written ([`parse`]), what it means ([`check`], into [`model`]), what becomes of it
//! ([`mod@expand`]).

pub(crate) mod check;
pub(crate) mod expand;
pub(crate) mod keys;
pub(crate) mod model;
pub(crate) mod parse;
#[cfg(test)]
mod tests;

use crate::errors::Errors;
use crate::item_without_helper_attrs::item_without_helper_attrs;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = match parse::parse(args, item.clone(), &mut errors) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => return item_without_helper_attrs(item),
        Err(error) => {
            let (item, error) = (item_without_helper_attrs(item), error.to_compile_error());
            return quote!(#item #error);
        }
    };
    let (emitted, free) = check::check(parsed, &mut errors);
    match &emitted.handle {
        Some(handle) if errors.is_empty() => expand::free(&emitted, handle, &free),
        _ => expand::with_mistakes(&emitted, &free.tool, &errors),
    }
}
