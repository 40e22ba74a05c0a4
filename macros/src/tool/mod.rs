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
use crate::item_without_helper_attrs::parsed_or_item;
use proc_macro2::TokenStream;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = parse::parse(args, item.clone(), &mut errors);
    let parsed = match parsed_or_item(parsed, item) {
        Ok(parsed) => parsed,
        Err(item) => return item,
    };
    let (emitted, free) = check::check(parsed, &mut errors);
    match &emitted.handle {
        Some(handle) if errors.is_empty() => expand::free(&emitted, handle, &free),
        _ => expand::with_mistakes(&emitted, &free.tool, &errors),
    }
}
