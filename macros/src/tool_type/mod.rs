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
use crate::item_without_helper_attrs::parsed_or_item;
use proc_macro2::TokenStream;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = parse::parse(args, item.clone(), &mut errors);
    let parsed = match parsed_or_item(parsed, item) {
        Ok(parsed) => parsed,
        Err(item) => return item,
    };
    let data = check::check(parsed, &mut errors);
    expand::data(data, &errors)
}
