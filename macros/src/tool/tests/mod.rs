//! Expansions of whole functions. What fails to compile by type is tested where the runtime is.

mod arguments;
mod constraints;
mod declared;
mod expansion;
mod functions;
mod golden;
mod keys;

use crate::testing;
use proc_macro2::TokenStream;

fn expand(source: &str) -> TokenStream {
    testing::attribute("tool", super::expand, source)
}

#[track_caller]
fn refused(source: &str, at: &str, says: &str) {
    testing::refused(&expand(source), source, at, says);
}

#[track_caller]
fn accepted(source: &str) -> TokenStream {
    testing::accepted(expand(source), source)
}
