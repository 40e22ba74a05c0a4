//! Expansions of whole blocks. What fails to compile by type is tested where the runtime is.

mod blocks;
mod items;
mod methods;

use crate::testing;
use proc_macro2::TokenStream;

fn expand(source: &str) -> TokenStream {
    testing::attribute("toolset", super::expand, source)
}

#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    testing::refused(&expand(source), source, at, says);
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    testing::accepted(expand(source), source)
}

/// A block with these items.
fn block(items: &str) -> String {
    format!("#[toolset] impl Notes {{ {items} }}")
}

/// Generic, asynchronous and not, with conditions, a permission of its own and a part.
#[test]
fn golden() {
    testing::golden("toolset/golden/notes", expand);
}
