//! The macros of [toolwright](https://docs.rs/toolwright).
//!
//! Depend on `toolwright`: it re-exports what is here, documents it with examples that compile, and holds the code that
//! an expansion calls. This crate follows it version by version and promises nothing of its own.

mod derive_tool;
mod docs;
mod duration;
mod errors;
mod given;
mod holders;
mod item_without_helper_attrs;
mod json;
mod keys;
mod literal;
mod names;
mod renamed;
mod size;
#[cfg(test)]
mod testing;
mod token_search;
mod token_text;
mod tool;
mod tool_enum;
mod tool_type;
mod toolset;
mod values;

use proc_macro::TokenStream;

/// Makes a tool of a free function. The documentation is at `toolwright::tool`.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(args.into(), &item.into()).into()
}

/// Makes tools of the methods of a value. The documentation is at `toolwright::toolset`.
#[proc_macro_attribute]
pub fn toolset(args: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(args.into(), &item.into()).into()
}

/// Makes a tool of a struct. The documentation is at `toolwright::Tool`.
#[proc_macro_derive(Tool, attributes(tool, arg))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    derive_tool::expand(item.into()).into()
}

/// Makes a closed set of an enum of tools. The documentation is at `toolwright::ToolEnum`.
#[proc_macro_derive(ToolEnum, attributes(tool))]
pub fn derive_tool_enum(item: TokenStream) -> TokenStream {
    tool_enum::expand(item.into()).into()
}

/// Gives a type what arguments and results need. The documentation is at `toolwright::tool_type`.
#[proc_macro_attribute]
pub fn tool_type(args: TokenStream, item: TokenStream) -> TokenStream {
    tool_type::expand(args.into(), &item.into()).into()
}
