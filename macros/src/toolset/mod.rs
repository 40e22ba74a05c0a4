//! `#[toolset]`: an `impl` block whose `#[tool]` methods are tools that share the value.

mod check;
mod expand;
mod items;
mod parse;
#[cfg(test)]
mod tests;

use crate::errors::Errors;
use crate::item_without_helper_attrs::item_without_helper_attrs;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let block = match parse::parse(args, item.clone(), &mut errors) {
        Ok(Some(block)) => block,
        Ok(None) => return item_without_helper_attrs(item),
        Err(error) => {
            let (item, error) = (item_without_helper_attrs(item), error.to_compile_error());
            return quote!(#item #error);
        }
    };
    let set = check::check(block, &mut errors);
    expand::set(&set, &errors)
}
