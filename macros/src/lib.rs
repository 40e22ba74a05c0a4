//! The macros of [toolwright](https://docs.rs/toolwright).
//!
//! Depend on `toolwright`: it re-exports what is here, documents it with examples that compile, and holds the code that
//! an expansion calls. This crate follows it version by version and promises nothing of its own.

mod docs;
mod duration;
mod errors;
mod keys;
mod literal;
mod names;
mod show;
mod tool;
mod values;

use proc_macro::TokenStream;

/// Makes a tool of a free function. The documentation is at `toolwright::tool`.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(args.into(), &item.into()).into()
}
