//! `#[tool_type]`: the derives that arguments and results need, and `#[arg(..)]` on fields.

mod check;
mod conflicts;
mod expand;
mod names;
mod parse;
mod parts;
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
    let data = check::check(parsed, &mut errors);
    expand::data(data, &errors)
}
