//! `#[derive(Tool)]`: a struct that is the arguments of a tool, and implements `RunTool`.

mod expand;
mod parse;
#[cfg(test)]
mod tests;

pub(crate) use parse::keys;

use crate::errors::Errors;
use proc_macro2::TokenStream;

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match parse::parse(item, &mut errors) {
        Some(typed) if errors.is_empty() => expand::typed(&typed),
        Some(typed) => expand::with_mistakes(&typed, &errors),
        None => TokenStream::new(),
    }
}
