//! `#[toolset]`: an `impl` block whose `#[tool]` methods are tools that share the value.

mod check;
mod expand;
mod items;
mod parse;
#[cfg(test)]
mod tests;

use crate::errors::Errors;
use crate::item_without_helper_attrs::parsed_or_item;
use proc_macro2::TokenStream;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = parse::parse(args, item.clone(), &mut errors);
    let block = match parsed_or_item(parsed, item) {
        Ok(block) => block,
        Err(item) => return item,
    };
    let set = check::check(block, &mut errors);
    expand::set(&set, &errors)
}
